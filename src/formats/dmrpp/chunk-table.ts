import { malformed, overLimit } from '../../errors.ts'
import { ChunkRows, type ChunkTable } from '../../model/chunk-table.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'

/** Where a chunk, or a part of one, is. */
export interface StoredPlace {
  readonly offset: number
  readonly length: number
  /** 0 is the document's data file, others count the files that chunks name. */
  readonly file: number
  /** HDF5's filter mask. */
  readonly mask: number
}

/** Where the chunks of a variable are. */
export interface StoredChunks {
  readonly isComplete: boolean
  /** Whether any chunk has a filter mask. */
  readonly hasMasks: boolean
  /** The parts of a chunk in their order: one for most, none where nothing was written. */
  partsAt(position: number): readonly StoredPlace[]
  /** Bytes of the first chunk there is. */
  readonly firstLength: number
  readonly weight: number
}

/** Chunks of one variable. */
const MOST_CHUNKS = 2 ** 25
/** Parts of chunks of one variable: files of HDF4 have some of each. */
const MOST_PARTS = 2 ** 20
/** Bytes that keeping a part takes. */
const PART_BYTES = 120

interface LinkedPart extends StoredPlace {
  readonly part: number
}

/** Collects the chunks of a variable in any order; those of several parts (`LinkedBlockIndex`, `block`) are few. */
export class ChunkCollector {
  readonly #whole = new ChunkRows<keyof StoredPlace>('offset', 'length', 'file', 'mask')
  readonly #linked = new Map<number, LinkedPart[]>()
  #parts = 0
  #least = Number.POSITIVE_INFINITY
  #hasMasks = false

  get count(): number {
    return this.#whole.count + this.#parts
  }

  add(position: number, place: StoredPlace, part: number | undefined): void {
    if (this.#whole.count >= MOST_CHUNKS) throw overLimit(`a variable of more than ${MOST_CHUNKS} chunks`)
    if (this.#parts >= MOST_PARTS) throw overLimit(`a variable of chunks in more than ${MOST_PARTS} parts`)
    this.#least = Math.min(this.#least, position)
    this.#hasMasks ||= place.mask !== 0
    if (part === undefined) {
      const { positions, columns } = this.#whole
      positions.push(position)
      columns.offset.push(place.offset)
      columns.length.push(place.length)
      columns.file.push(place.file)
      columns.mask.push(place.mask)
      return
    }
    this.#parts++
    const parts = this.#linked.get(position)
    if (parts === undefined) this.#linked.set(position, [{ ...place, part }])
    else parts.push({ ...place, part })
  }

  /** Throws for two chunks at one place that are not parts of one. */
  chunks(gridShape: readonly number[]): StoredChunks {
    const table = this.#whole.table(elementCount(gridShape))
    const { placeOf } = table
    const isTwice = [...this.#linked.keys()].some((position) => placeOf(position) !== undefined)
    if (isTwice || table.count < this.#whole.count) throw malformed('two chunks at one place')
    const linked = new Map(
      [...this.#linked].map(([position, parts]) => [position, parts.toSorted((one, other) => one.part - other.part)]),
    )
    return storedChunks({
      table,
      linked,
      isComplete: table.count + linked.size === elementCount(gridShape),
      hasMasks: this.#hasMasks,
      first: this.#least,
      weight: table.weight + this.#parts * PART_BYTES + 300,
    })
  }
}

interface StoredInput extends Pick<StoredChunks, 'isComplete' | 'hasMasks' | 'weight'> {
  readonly table: ChunkTable<keyof StoredPlace>
  /** Chunks of several parts by their positions. */
  readonly linked: ReadonlyMap<number, readonly StoredPlace[]>
  /** Position of the first chunk. */
  readonly first: number
}

export const storedChunks = recipe('dmrpp.chunks', (input: StoredInput): StoredChunks => {
  const { table, linked, first, isComplete, hasMasks, weight } = input
  const { placeOf, columns } = table
  const partsAt = (position: number): readonly StoredPlace[] => {
    const at = placeOf(position)
    if (at === undefined) return linked.get(position) ?? []
    const { offset, length, file, mask } = columns
    return [{ offset: offset[at] ?? 0, length: length[at] ?? 0, file: file[at] ?? 0, mask: mask[at] ?? 0 }]
  }
  return { isComplete, hasMasks, partsAt, firstLength: lengthOf(partsAt(first)), weight }
})

/** Bytes of all parts together. */
export function lengthOf(parts: readonly StoredPlace[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}
