import { malformed, VirtualZarrError } from '../../errors.ts'
import { recipe } from '../../model/recipe.ts'
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
  /** Asks again whether the branch or tag is still at that snapshot. */
  readonly isCurrent: () => Promise<boolean>
  /** What locations of virtual chunks below a container begin with. */
  readonly prefixOf: (container: string) => string | undefined
}

/** Finds what is read of a repository, from the document that a probe of its folder found. */
export async function openRepository(source: Source, context: ParseContext): Promise<Repository> {
  const { ref, snapshot } = context.options
  const url = new URL(source.url)
  const root = new URL(isRefDocument(url) ? '../../' : '.', url).href.replace(/[?#].*$/, '')
  const head = await source.read({ offset: 0, length: Math.min(64, source.size) }, { signal: context.signal })
  const info = isMetadataFile(head, 'repo info') ? await readRepoInfo(source) : undefined
  const prefixOf = containerPrefix(info?.config)
  const fixed = { root, isFixed: true, prefixOf, isCurrent: alwaysCurrent(undefined) }
  if (snapshot !== undefined) return { ...fixed, snapshot }
  const question = { root, source, context, ref, hasInfo: info !== undefined }
  const found = await snapshotAt(question, info)
  if (found !== undefined) {
    return { root, snapshot: found, isFixed: false, prefixOf, isCurrent: stillAt({ ...question, snapshot: found }) }
  }
  if (ref !== undefined && isSnapshotId(ref)) return { ...fixed, snapshot: ref }
  throw noSuchRef(ref ?? DEFAULT_BRANCH, info, source.url)
}

/** A branch or tag of a repository; the one that it has by default, where none is named. */
interface RefQuestion {
  readonly root: string
  readonly source: Source
  readonly context: ParseContext
  readonly ref: string | undefined
  /** The repository has all names in one document. */
  readonly hasInfo: boolean
}

/** Looks a name up: in what was read already, or, without that, asking again. */
async function snapshotAt(
  { root, source, context, ref, hasInfo }: RefQuestion,
  info?: RepoInfo,
  options: OpenOptions = {},
): Promise<string | undefined> {
  const open = (url: string, more: OpenOptions) => context.open(url, { ...more, ...options })
  if (hasInfo) {
    const known = info ?? (await readRepoInfo(await open(source.url, {})))
    return known.branches.get(ref ?? DEFAULT_BRANCH) ?? known.tags.get(ref ?? DEFAULT_BRANCH)
  }
  const isOwn = ref === undefined || source.url.endsWith(`/refs/branch.${encodeURIComponent(ref)}/ref.json`)
  if (isOwn) return await readRef(options.later === true ? await open(source.url, {}) : source)
  return await findRef(root, ref, open)
}

interface RefAt extends RefQuestion {
  readonly snapshot: string
}

export const stillAt = recipe(
  'icechunk.still-at',
  ({ snapshot, ...question }: RefAt) =>
    async (): Promise<boolean> =>
      (await snapshotAt(question, undefined, { later: true })) === snapshot,
)

export const alwaysCurrent = recipe('icechunk.always-current', (_: undefined) => async (): Promise<boolean> => true)

async function readRepoInfo(source: Source): Promise<RepoInfo> {
  const place = { url: source.url, format: 'icechunk' }
  if (source.size > MOST_REPO_BYTES) throw malformed(`a repo file of ${source.size} bytes`, place)
  const file = await source.read({ offset: 0, length: source.size })
  const limits = { mostBytes: MOST_REPO_BYTES, room: <T>(_bytes: number, work: () => Promise<T>) => work() }
  return await withContent(file, 'repo info', limits, place, (content) => parseRepoInfo(content, place))
}

/** The configuration is read when a location needs it. */
export const containerPrefix = recipe('icechunk.prefix', (config: Uint8Array | undefined): Repository['prefixOf'] => {
  let prefixes: ReadonlyMap<string, string> | undefined
  return (container) => {
    prefixes ??= containerPrefixes(config)
    return prefixes.get(container)
  }
})

function noSuchRef(name: string, info: RepoInfo | undefined, url: string): Error {
  const known = info === undefined ? [] : [...info.branches.keys(), ...info.tags.keys()]
  const shown = known.slice(0, MOST_NAMES).map((one) => JSON.stringify(one.slice(0, 100)))
  const others = known.length > MOST_NAMES ? ', …' : ''
  const there = known.length === 0 ? '' : `; there are ${shown.join(', ')}${others}`
  const message = `the repository has no branch, tag or snapshot ${JSON.stringify(name)}${there}`
  return new VirtualZarrError('source-not-found', message, { url, option: 'ref' })
}
