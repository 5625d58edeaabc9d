import { isVirtualZarrError } from '../errors.ts'
import { forbidden } from '../source/http/failures.ts'
import type { HttpSource } from '../source/http/http-source.ts'
import { LazyHttpSource } from '../source/http/lazy.ts'
import { listHttpFolder } from '../source/http/listing.ts'
import { httpObject } from '../source/http/object.ts'
import { type HttpWorld, openChecked } from '../source/http/open.ts'
import { retried, withRetry } from '../source/http/retry.ts'
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '../source/settings.ts'
import type { OpenOptions, Source, Sources } from '../source/source.ts'
import { parseSourceUrl } from '../source/source-url.ts'
import { WholeFiles } from '../source/whole-files.ts'
import { fetchExchange } from './fetch-exchange.ts'

/** The way to what a page may fetch: the same reads, checks and retries as in Node, over `fetch`. The guard is the browser. */
export function browserSources(settings: SourceSettings = DEFAULT_SOURCE_SETTINGS): Sources {
  const exchange = fetchExchange(settings)
  const world: HttpWorld = { exchange, settings, wholes: new WholeFiles(exchange, settings) }
  const opened = new WeakMap<Source, HttpSource>()

  async function open(url: URL, options: OpenOptions): Promise<Source> {
    options.signal?.throwIfAborted()
    const bare = await openChecked(url, world, options)
    const source = withRetry(bare, settings)
    opened.set(source, bare)
    return source
  }

  return {
    open: async (url, options = {}) => await open(fetchable(url), options),
    openReference: async (url, referrer, options = {}) => await open(fetchable(url, referrer), options),
    reference: (url, referrer) => withRetry(new LazyHttpSource(fetchable(url, referrer), world), settings),
    object: async (url, options = {}) => await httpObject(fetchable(url, options.referrer), world, options),
    list: async (folder, { signal } = {}) => {
      const url = fetchable(folder)
      if (!url.pathname.endsWith('/')) url.pathname += '/'
      return await retried(settings, url.href, signal, (inner) => listHttpFolder(url, world, inner))
    },
    isFresh: async (source, { signal } = {}) => {
      const known = opened.get(source)
      if (known === undefined) return await isStillThere(source)
      return await retried(settings, source.url, signal, (inner) => known.isFresh(inner))
    },
    // A page keeps nothing beyond itself.
    tell: () => undefined,
    known: (url) => {
      throw new Error(`nothing is known of ${url}`)
    },
    scopeOf: () => '',
    close: () => Promise.resolve(),
  }

  /** An inflated file was not opened here as it is. */
  async function isStillThere(source: Source): Promise<boolean> {
    if (source.validator === undefined) return true
    try {
      return (await open(fetchable(source.url), {})).validator === source.validator
    } catch (error) {
      if (isVirtualZarrError(error, 'source-not-found')) return false
      throw error
    }
  }
}

function fetchable(text: string, referrer?: string): URL {
  const url = parseSourceUrl(text, referrer === undefined ? undefined : new URL(referrer))
  if (['https:', 'http:', 'blob:', 'data:'].includes(url.protocol)) return url
  throw forbidden(`a page can not read the scheme ${url.protocol}, expected https or http`, url.href)
}
