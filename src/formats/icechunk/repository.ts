import { malformed, VirtualZarrError } from '../../errors.ts'
import type { Source } from '../../source/source.ts'
import type { OpenOptions, ParseContext } from '../format.ts'
import { containerPrefixes } from './containers.ts'
import { isMetadataFile, isRefDocument } from './mark.ts'
import { withContent } from './metadata-file.ts'
import { isSnapshotId } from './object-id.ts'
import { findRef, readRef } from './refs.ts'
import { parseRepoInfo, type RepoInfo } from './repo-info.ts'

const DEFAULT_BRANCH = 'main'
const MOST_REPO_BYTES = 64 * 2 ** 20
const MOST_NAMES = 20

/** A repository of either format, and the snapshot of it that is read. */
export interface Repository {
  /** Its folder, with a final slash. */
  readonly root: string
  readonly snapshot: string
  /** Whether the snapshot was asked for by its own name. */
  readonly isFixed: boolean
  /** Asks again which snapshot is at the branch or tag; undefined where there is none any more. */
  current(): Promise<string | undefined>
  /** What locations of virtual chunks below a container begin with. */
  prefixOf(container: string): string | undefined
}

/** Finds what is read of a repository, from the document that a probe of its folder found. */
export async function openRepository(source: Source, context: ParseContext): Promise<Repository> {
  const { ref, snapshot } = context.options
  const url = new URL(source.url)
  const root = new URL(isRefDocument(url) ? '../../' : '.', url).href.replace(/[?#].*$/, '')
  const head = await source.read({ offset: 0, length: Math.min(64, source.size) }, { signal: context.signal })
  const info = isMetadataFile(head, 'repo info') ? await readRepoInfo(source) : undefined
  const find = (name: string | undefined, options: OpenOptions) => finder(root, source, info, context)(name, options)
  const prefixOf = lazyPrefixes(info)
  if (snapshot !== undefined) return { root, snapshot, isFixed: true, prefixOf, current: async () => snapshot }
  const found = await find(ref, {})
  if (found !== undefined) {
    return { root, snapshot: found, isFixed: false, prefixOf, current: () => find(ref, { later: true }) }
  }
  if (ref !== undefined && isSnapshotId(ref)) {
    return { root, snapshot: ref, isFixed: true, prefixOf, current: async () => ref }
  }
  throw noSuchRef(ref ?? DEFAULT_BRANCH, info, source.url)
}

type Find = (name: string | undefined, options: OpenOptions) => Promise<string | undefined>

/** How names of branches and tags are looked up: now, with what was read, or `later`, asking again. */
function finder(root: string, source: Source, info: RepoInfo | undefined, context: ParseContext): Find {
  return async (name, options) => {
    const open = (url: string, more: OpenOptions) => context.open(url, { ...more, ...options })
    if (info !== undefined) {
      const known = options.later === true ? await readRepoInfo(await open(source.url, {})) : info
      return known.branches.get(name ?? DEFAULT_BRANCH) ?? known.tags.get(name ?? DEFAULT_BRANCH)
    }
    const isOwn = name === undefined || source.url.endsWith(`/refs/branch.${encodeURIComponent(name)}/ref.json`)
    if (isOwn) return await readRef(options.later === true ? await open(source.url, {}) : source)
    return await findRef(root, name, open)
  }
}

async function readRepoInfo(source: Source): Promise<RepoInfo> {
  const place = { url: source.url, format: 'icechunk' }
  if (source.size > MOST_REPO_BYTES) throw malformed(`a repo file of ${source.size} bytes`, place)
  const file = await source.read({ offset: 0, length: source.size })
  const limits = { mostBytes: MOST_REPO_BYTES, room: <T>(_bytes: number, work: () => Promise<T>) => work() }
  return await withContent(file, 'repo info', limits, place, (content) => parseRepoInfo(content, place))
}

/** The configuration is read when a location needs it. */
function lazyPrefixes(info: RepoInfo | undefined): Repository['prefixOf'] {
  let prefixes: ReadonlyMap<string, string> | undefined
  return (container) => {
    prefixes ??= containerPrefixes(info?.config)
    return prefixes.get(container)
  }
}

function noSuchRef(name: string, info: RepoInfo | undefined, url: string): Error {
  const known = info === undefined ? [] : [...info.branches.keys(), ...info.tags.keys()]
  const shown = known.slice(0, MOST_NAMES).map((one) => JSON.stringify(one.slice(0, 100)))
  const others = known.length > MOST_NAMES ? ', …' : ''
  const there = known.length === 0 ? '' : `; there are ${shown.join(', ')}${others}`
  const message = `the repository has no branch, tag or snapshot ${JSON.stringify(name)}${there}`
  return new VirtualZarrError('source-not-found', message, { url, option: 'ref' })
}
