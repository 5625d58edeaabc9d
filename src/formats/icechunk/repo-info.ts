// Icechunk's specification, format 2: one file, `repo`, has all branches and tags; the numbers of fields are those of `repo.fbs`.
import { type ErrorContext, malformed, VirtualZarrError } from '../../errors.ts'
import type { FlatBuffer } from './flat-buffer.ts'
import { FILE_ID_BYTES, idText } from './object-id.ts'

const REPO = { tags: 1, branches: 2, snapshots: 4, status: 5, config: 9 } as const
const REF = { name: 0, snapshotIndex: 1 } as const
const SNAPSHOT = { id: 0 } as const
const STATUS = { availability: 0, reason: 2 } as const
/** Of `RepoAvailability`: nobody may read. Those that are only not to be written to are read as any. */
const OFFLINE = 2
/** Far more than anybody names. */
const MOST_REFS = 100_000
/** Characters of it that an answer repeats. */
const MOST_REASON = 200

/** What a repository says of its versions. */
export interface RepoInfo {
  /** Ids of snapshots, by the names of branches and of tags. */
  readonly branches: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, string>
  /** The configuration, a FlexBuffer. */
  readonly config: Uint8Array | undefined
}

/** Refuses a repository that its owner took offline. */
function requireOnline(content: FlatBuffer, status: number, { url }: ErrorContext): void {
  const availability = content.field(status, STATUS.availability)
  if (availability === 0 || content.u8(availability) !== OFFLINE) return
  const reason = content.text(content.field(status, STATUS.reason))?.slice(0, MOST_REASON)
  const because = reason === undefined ? '' : `: ${reason}`
  throw new VirtualZarrError('source-denied', `the repository was taken offline${because}`, { url })
}

/** Reads the branches and tags of a repository. */
export function parseRepoInfo(content: FlatBuffer, place: ErrorContext): RepoInfo {
  const root = content.root()
  requireOnline(content, content.follow(content.required(root, REPO.status, 'status')), place)
  const snapshots = content.vector(content.required(root, REPO.snapshots, 'list of snapshots'), 4)
  const idOf = (index: number) => {
    if (index >= snapshots.count) throw malformed(`a ref is to snapshot ${index} of ${snapshots.count}`, place)
    const table = content.follow(snapshots.start + index * 4)
    return idText(content.struct(content.required(table, SNAPSHOT.id, 'id'), FILE_ID_BYTES))
  }
  return {
    branches: refsOf(content, content.required(root, REPO.branches, 'list of branches'), idOf, place),
    tags: refsOf(content, content.required(root, REPO.tags, 'list of tags'), idOf, place),
    config: content.bytesOf(content.field(root, REPO.config))?.slice(),
  }
}

function refsOf(
  content: FlatBuffer,
  field: number,
  idOf: (index: number) => string,
  place: ErrorContext,
): ReadonlyMap<string, string> {
  const { count } = content.vector(field, 4)
  if (count > MOST_REFS) throw malformed(`${count} refs, at most ${MOST_REFS} are read`, place)
  const refs = new Map<string, string>()
  for (const table of content.tables(field)) {
    const name = content.text(content.required(table, REF.name, 'name')) ?? ''
    const index = content.field(table, REF.snapshotIndex)
    refs.set(name, idOf(index === 0 ? 0 : content.u32(index)))
  }
  return refs
}
