import { deflateRaw } from '../../codecs/hdf5/deflate-raw.ts'
import { type ChunkIndex, gridPosition } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { ChunkRows, type ChunkTable } from '../../model/chunk-table.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'
import type { SkippedArray } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import { turn } from '../../turns.ts'
import type { PlaceArrays } from '../zarr-documents/to-tree.ts'
import { gridOf, type PlacedChunks, parseChunkKey, type ZarrArray } from '../zarr-documents/zarr-array.ts'
import { membersOf, type ZipDirectory, type ZipMember } from './zip-directory.ts'
import { locateContent, refusalOf, STORED } from './zip-member.ts'

/** Some milliseconds of work. */
const MEMBERS_AT_ONCE = 2_000
/** Keys of chunks end in a digit, that of a scalar in `c`. */
const isPerhapsChunk = (lastByte: number) => (lastByte >= 0x30 && lastByte <= 0x39) || lastByte === 0x63

/** An array that waits for its chunks. */
interface Claim {
  readonly path: string
  readonly array: ZarrArray
  readonly gridShape: readonly number[]
  readonly members: ChunkMembers
  /** Why the array can't be served after all. */
  skipped?: SkippedArray | undefined
}

/** Gives every member that is a chunk to its array, in one pass over the directory. */
export function placeInZip(source: Source, directory: ZipDirectory): PlaceArrays {
  return async (arrays) => {
    const claims = new Map([...arrays].map(([path, array]) => [path, claimOf(path, array)]))
    const lengths = new Set([...arrays.keys()].map((path) => path.length))
    let last: Claim | undefined
    let count = 0
    for (const member of membersOf(directory, isPerhapsChunk)) {
      if (++count % MEMBERS_AT_ONCE === 0) await turn()
      // Archives are written array by array: mostly the next chunk is of the same one.
      if (last === undefined || !takes(last, member)) last = claimFor(member, claims, lengths) ?? last
    }
    return (path, array) => {
      const { members, skipped } = claims.get(path) ?? claimOf(path, array)
      return skipped ?? zipChunks(array, members, source, directory.offset)
    }
  }
}

function claimOf(path: string, array: ZarrArray): Claim {
  const gridShape = gridOf(array)
  const claim = { path, array, gridShape, members: noMembers() }
  const count = elementCount(gridShape)
  if (Number.isSafeInteger(count)) return claim
  const reason = `a grid of ${count} chunks, at most 2^53 are served from a zip archive`
  return { ...claim, skipped: { kind: 'skipped', code: 'limit-exceeded', reason } }
}

/** The array that a member is a chunk of; paths of other lengths are not even cut out of its name. */
function claimFor(
  member: ZipMember,
  claims: ReadonlyMap<string, Claim>,
  lengths: ReadonlySet<number>,
): Claim | undefined {
  const { name } = member
  let end = name.length
  while (end > 0) {
    end = Math.max(0, name.lastIndexOf('/', end - 1))
    const claim = lengths.has(end) ? claims.get(name.slice(0, end)) : undefined
    if (claim !== undefined) return takes(claim, member) ? claim : undefined
  }
  return undefined
}

/** Whether a member is a chunk of the array; if so, it is noted. */
function takes(claim: Claim, member: ZipMember): boolean {
  const { path, array, gridShape, members } = claim
  const start = path === '' ? 0 : path.length + 1
  if (start > 0 && (!member.name.startsWith(path) || member.name[path.length] !== '/')) return false
  const position = parseChunkKey(array.keys, member.name.slice(start), gridShape)
  if (position === undefined) return false
  claim.skipped ??= skippedFor(member)
  const { positions, columns } = members.rows
  positions.push(position)
  columns.header.push(member.headerOffset)
  columns.length.push(member.storedSize)
  columns.isDeflated.push(member.method === STORED ? 0 : 1)
  if (member.method !== STORED) members.largestDeflated = Math.max(members.largestDeflated, member.size)
  return true
}

function skippedFor(member: ZipMember): SkippedArray | undefined {
  const refusal = refusalOf(member)
  if (refusal !== undefined) {
    return { kind: 'skipped', code: 'unsupported-feature', reason: `${refusal} is not served` }
  }
  if (member.method !== STORED || member.size === member.storedSize) return undefined
  const reason = `a stored zip member of ${member.storedSize} bytes is said to hold ${member.size}`
  return { kind: 'skipped', code: 'malformed-source', reason }
}

/** The chunk members of one array while the directory is read: a name never becomes an entry of a map. */
interface ChunkMembers {
  readonly rows: ChunkRows<'header' | 'length' | 'isDeflated'>
  /** The most that a deflated chunk inflates to. */
  largestDeflated: number
}

function noMembers(): ChunkMembers {
  return { rows: new ChunkRows('header', 'length', 'isDeflated'), largestDeflated: 0 }
}

/**
 * The chunks of an array as members of an archive. Deflated ones have one codec more than the document says; the document's
 * own codecs come first all the same, since the first encoding decides what clients are told.
 */
function zipChunks(
  array: ZarrArray,
  { rows, largestDeflated }: ChunkMembers,
  source: Source,
  directoryOffset: number,
): PlacedChunks {
  const gridShape = gridOf(array)
  // Of members with the same name the last one counts, as in Python's zipfile.
  const table = rows.table(elementCount(gridShape))
  const inflate = deflateRaw.stored({ size: largestDeflated })
  const hasDeflated = table.columns.isDeflated.length > 0
  const encodings = hasDeflated ? [array.encoding, [...array.encoding, inflate]] : [array.encoding]
  return { encodings, chunks: zipMembers({ gridShape, table, source, directoryOffset }) }
}

interface ZipInput {
  readonly gridShape: readonly number[]
  readonly table: ChunkTable<'header' | 'length' | 'isDeflated'>
  readonly source: Source
  readonly directoryOffset: number
}

export const zipMembers = recipe('zarr.zip', chunksInZip)

function chunksInZip(
  { gridShape, table, source, directoryOffset }: ZipInput,
  held?: Uint32Array,
): ChunkIndex & { held(): Uint32Array } {
  const { header, length, isDeflated } = table.columns
  // Where the content begins is only in the local header: how far behind it, once that was read.
  const headerLengths = held ?? new Uint32Array(table.places)

  const refOf = (place: number): ChunkRef => {
    const offset = (header[place] ?? 0) + (headerLengths[place] ?? 0)
    return { kind: 'range', source: 0, offset, length: length[place] ?? 0, encoding: isDeflated[place] ?? 0 }
  }
  const locate = async (place: number, signal: AbortSignal | undefined): Promise<ChunkRef> => {
    const start = header[place] ?? 0
    const offset = await locateContent(source, start, length[place] ?? 0, directoryOffset, { signal })
    headerLengths[place] = offset - start
    return refOf(place)
  }
  return {
    gridShape,
    at(coords, signal) {
      const place = table.placeOf(gridPosition(coords, gridShape))
      if (place === undefined) return MISSING
      return headerLengths[place] === 0 ? locate(place, signal) : refOf(place)
    },
    isComplete: () => table.isComplete,
    weight: () => table.weight + headerLengths.byteLength,
    held: () => headerLengths,
  }
}
