import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { recodeWorkers } from '../delivery/recoding/workers.ts'
import { lazily } from '../lazily.ts'
import { openSources } from '../source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../source/settings.ts'
import type { LibraryWorld } from './library.ts'

/** Whoever calls the library may read what they name, wherever it is: the guard is for what documents name, and for URLs of strangers. */
export function ownReach(url: string): { readonly allow: readonly string[]; readonly fileRoots: readonly string[] } {
  const { protocol, origin } = new URL(url)
  if (protocol === 'file:') return { allow: [], fileRoots: [dirname(resolve(fileURLToPath(url)))] }
  // An object store is reached by settings, not by an address.
  return { allow: origin === 'null' ? [] : [`${origin}/`], fileRoots: [] }
}

/** The library in Node: threads that all opened sources share, and a guard for each of these. */
export const NODE_WORLD: LibraryWorld = {
  urlOf: (text) => (/^[a-z][a-z0-9+.-]+:/i.test(text) ? text : pathToFileURL(resolve(text)).href),
  sourcesFor: (url) => openSources({ ...DEFAULT_SOURCE_SETTINGS, ...(url === undefined ? {} : ownReach(url)) }),
  // They keep no process from ending.
  workers: lazily(() => recodeWorkers()),
}
