import { isVirtualZarrError, malformed, overLimit, VirtualZarrError } from '../../errors.ts'
import type { VirtualNode } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { Format, ParseContext } from '../format.ts'
import { treeOf } from '../zarr-documents/to-tree.ts'
import { manifestRefs } from './manifest-refs.ts'
import { manifestsOf } from './manifests.ts'
import { icechunkMark } from './mark.ts'
import { withContent } from './metadata-file.ts'
import { manifestIndex, placeChunks } from './place-chunks.ts'
import { alwaysCurrent, containerPrefix, openRepository, type Repository, stillAt } from './repository.ts'
import { nodesOfSnapshot, type Snapshot } from './snapshot.ts'

const MOST_SNAPSHOT_BYTES = 64 * 2 ** 20
/** Most snapshots are no longer: one request brings them. */
const HEAD_BYTES = 2 ** 20

/** Icechunk: repositories that keep all versions of a hierarchy of Zarr. */
export const icechunk: Format = {
  ...icechunkMark,
  makers: [manifestIndex, manifestsOf, manifestRefs, containerPrefix, stillAt, alwaysCurrent],
  parse,
}

async function parse(source: Source, context: ParseContext): Promise<VirtualNode> {
  const repository = await openRepository(source, context)
  const { root, snapshot: name, isFixed, prefixOf, isCurrent } = repository
  const snapshot = await readSnapshot(repository, context)
  context.isVersion({ name, isFixed, isCurrent })
  return await treeOf(snapshot.nodes, root, context, placeChunks(snapshot, { root, context, prefixOf }))
}

async function readSnapshot({ root, snapshot, isFixed }: Repository, context: ParseContext): Promise<Snapshot> {
  const place = { url: `${root}snapshots/${snapshot}`, format: 'icechunk' }
  const source = await context.open(place.url, { headBytes: HEAD_BYTES }).catch((error: unknown) => {
    if (!isVirtualZarrError(error, 'source-not-found')) throw error
    throw isFixed
      ? absent(snapshot, place.url, context)
      : malformed(`the snapshot ${snapshot} is not there`, place, error)
  })
  if (source.size > MOST_SNAPSHOT_BYTES) {
    throw overLimit(`a snapshot of ${source.size} bytes, at most ${MOST_SNAPSHOT_BYTES} are read`, place)
  }
  const file = await source.read({ offset: 0, length: source.size }, { signal: context.signal })
  const limits = { mostBytes: MOST_SNAPSHOT_BYTES, room: <T>(_bytes: number, work: () => Promise<T>) => work() }
  const parsed = await withContent(file, 'snapshot', limits, place, (content) => nodesOfSnapshot(content, place))
  if (parsed.id !== snapshot) throw malformed(`the file of snapshot ${snapshot} holds ${parsed.id}`, place)
  return parsed
}

/** A version that a store is pinned to may have been expired; a name that was asked for just isn't one. */
function absent(snapshot: string, url: string, { options }: ParseContext): Error {
  const code = options.snapshot === undefined ? 'source-not-found' : 'source-changed'
  return new VirtualZarrError(code, `the repository has no snapshot ${snapshot}`, { url })
}
