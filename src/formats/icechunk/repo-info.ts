// Icechunk's specification, format 2: one file, `repo`, has all branches and tags; the numbers of fields are those of `repo.fbs`.
import { type ErrorContext, malformed } from '../../errors.ts'
import type { FlatBuffer } from './flat-buffer.ts'
import { FILE_ID_BYTES, idText } from './object-id.ts'

const REPO = { tags: 1, branches: 2, snapshots: 4, config: 9 } as const
const REF = { name: 0, snapshotIndex: 1 } as const
const SNAPSHOT = { id: 0 } as const
/** Far more than anybody names. */
const MOST_REFS = 100_000

/** What a repository says of its versions. */
export interface RepoInfo {
  /** Ids of snapshots, by the names of branches and of tags. */
  readonly branches: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, string>
  /** The configuration, a FlexBuffer. */
  readonly config: Uint8Array | undefined
}

/** Reads the branches and tags of a repository. */
export function parseRepoInfo(content: FlatBuffer, place: ErrorContext): RepoInfo {
  const root = content.root()
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
