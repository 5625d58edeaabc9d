import { type ChunkIndex, gridPosition } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import { elementCount } from '../../model/shape.ts'
import { indexOfPosition, orderByPosition } from '../../model/sorted-positions.ts'
import type { Source } from '../../source/source.ts'
import { gridOf, type PlacedChunks, type ZarrArray } from '../zarr-documents/zarr-array.ts'
import { locateContent, STORED } from './zip-member.ts'

/**
 * The chunk members of one array while the directory is read: plain numbers, four a chunk. A name never becomes an entry
 * of a map, since a million of those take a hundred bytes each.
 */
export interface ChunkMembers {
  readonly positions: number[]
  readonly headers: number[]
  readonly lengths: number[]
  readonly methods: number[]
  /** The most that a deflated chunk inflates to. */
  largestDeflated: number
}

export function noMembers(): ChunkMembers {
  return { positions: [], headers: [], lengths: [], methods: [], largestDeflated: 0 }
}

/**
 * The chunks of an array as members of an archive. Deflated ones have one codec more than the document says; the document's
 * own codecs come first all the same, since the first encoding decides what clients are told.
 */
export function zipChunks(
  array: ZarrArray,
  members: ChunkMembers,
  source: Source,
  directoryOffset: number,
): PlacedChunks {
  // Of members with the same name the last one counts, as in Python's zipfile.
  const order = orderByPosition(members.positions)
  const hasDeflated = members.methods.some((method) => method !== STORED)
  const inflate: StoredCodec = { name: 'vz.deflate-raw', configuration: { size: members.largestDeflated } }
  return {
    encodings: hasDeflated ? [array.encoding, [...array.encoding, inflate]] : [array.encoding],
    chunks: new ZipChunkIndex(gridOf(array), {
      positions: columnOf(order, members.positions),
      // Where the content begins is only in the local header: until that was read, the header's own place, negative.
      offsets: Float64Array.from(order, (index) => -1 - (members.headers[index] ?? 0)),
      lengths: columnOf(order, members.lengths),
      encodings: hasDeflated
        ? Uint8Array.from(order, (index) => (members.methods[index] === STORED ? 0 : 1))
        : undefined,
      source,
      directoryOffset,
    }),
  }
}

/** Four bytes each where that is enough. */
function columnOf(order: Uint32Array, values: readonly number[]): Uint32Array | Float64Array {
  const isSmall = order.every((index) => (values[index] ?? 0) <= 0xffffffff)
  const value = (index: number) => values[index] ?? 0
  return isSmall ? Uint32Array.from(order, value) : Float64Array.from(order, value)
}

interface ChunkColumns {
  /** Positions in the grid, ascending. */
  readonly positions: Uint32Array | Float64Array
  readonly offsets: Float64Array
  readonly lengths: Uint32Array | Float64Array
  readonly encodings: Uint8Array | undefined
  readonly source: Source
  readonly directoryOffset: number
}

/** A class, since it remembers where contents begin: 16 bytes a chunk, one more where some are deflated. */
class ZipChunkIndex implements ChunkIndex {
  readonly gridShape: readonly number[]
  readonly #columns: ChunkColumns

  constructor(gridShape: readonly number[], columns: ChunkColumns) {
    this.gridShape = gridShape
    this.#columns = columns
  }

  at(coords: readonly number[], signal?: AbortSignal): ChunkRef | Promise<ChunkRef> {
    const index = indexOfPosition(this.#columns.positions, gridPosition(coords, this.gridShape))
    if (index === undefined) return MISSING
    const offset = this.#columns.offsets[index] ?? 0
    return offset >= 0 ? this.#reference(index, offset) : this.#locate(index, -1 - offset, signal)
  }

  isComplete(): boolean {
    return this.#columns.positions.length === elementCount(this.gridShape)
  }

  weight(): number {
    const { positions, offsets, lengths, encodings } = this.#columns
    return positions.byteLength + offsets.byteLength + lengths.byteLength + (encodings?.byteLength ?? 0)
  }

  #reference(index: number, offset: number): ChunkRef {
    const { lengths, encodings } = this.#columns
    return { kind: 'range', source: 0, offset, length: lengths[index] ?? 0, encoding: encodings?.[index] ?? 0 }
  }

  async #locate(index: number, header: number, signal: AbortSignal | undefined): Promise<ChunkRef> {
    const { source, lengths, offsets, directoryOffset } = this.#columns
    const offset = await locateContent(source, header, lengths[index] ?? 0, directoryOffset, { signal })
    offsets[index] = offset
    return this.#reference(index, offset)
  }
}
