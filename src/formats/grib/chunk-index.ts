import type { ByteRange } from '../../bytes/byte-range.ts'
import { expectedHeader } from '../../codecs/grib/listed-message.ts'
import type { ChunkIndex } from '../../model/chunk-index.ts'
import { gridPosition } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { ChunkRows, type ChunkTable } from '../../model/chunk-table.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'
import type { Field, FieldOfEdition2 } from './messages/field.ts'

/** What the encodings of an array are, in this order, where some of its fields are numbers as they are. */
const AS_NUMBERS = 0
const PACKED = 1

/**
 * Where each field of an array is: one chunk each, found by its place in C order over the leading axes. `passing` are those that are
 * numbers as they are; with any of them the others are of the second encoding.
 */
export function fieldIndex(
  gridShape: readonly number[],
  fields: ReadonlyMap<number, Field>,
  passing: ReadonlyMap<Field, ByteRange>,
): ChunkIndex {
  const rows = new ChunkRows('offset', 'length', 'encoding')
  const packed = passing.size > 0 ? PACKED : 0
  // Fields that take an earlier one's bitmap are few.
  const several = new Map<number, Field['parts']>()
  for (const [position, field] of fields) {
    const { parts } = field
    const own = passing.get(field)
    const range = own ?? parts[0]
    rows.positions.push(position)
    rows.columns.offset.push(range?.offset ?? 0)
    rows.columns.length.push(range?.length ?? 0)
    rows.columns.encoding.push(own === undefined ? packed : AS_NUMBERS)
    if (parts.length > 1) several.set(position, parts)
  }
  return fieldChunks({ gridShape, table: rows.table(elementCount(gridShape)), several, packed })
}

/**
 * The same where an index beside the file said what the fields are: a chunk is a whole message, and the decoder is given the sections that
 * must be found in it (`codecs/grib/listed-message.ts`).
 */
export function listedIndex(gridShape: readonly number[], fields: ReadonlyMap<number, FieldOfEdition2>): ChunkIndex {
  const rows = new ChunkRows('offset', 'length', 'discipline', 'identification', 'local', 'grid', 'product')
  const sections = new SectionList()
  for (const [position, { parts, discipline, identification, local, grid, product }] of fields) {
    rows.positions.push(position)
    const { columns } = rows
    columns.offset.push(parts[0]?.offset ?? 0)
    columns.length.push(parts[0]?.length ?? 0)
    columns.discipline.push(discipline)
    columns.identification.push(sections.placeOf(1, identification))
    columns.local.push(local === undefined ? NO_SECTION : sections.placeOf(2, local))
    columns.grid.push(sections.placeOf(3, grid))
    columns.product.push(sections.placeOf(4, product))
  }
  return listedChunks({ gridShape, table: rows.table(elementCount(gridShape)), sections: sections.bytes() })
}

const NO_SECTION = 0
const SECTION_HEADER_BYTES = 5

/** Sections behind each other, each of them once. */
class SectionList {
  readonly #places = new Map<Uint8Array, number>()
  /** No section begins at 0. */
  readonly #parts: Uint8Array[] = [new Uint8Array(1)]
  #length = 1

  placeOf(number: number, content: Uint8Array): number {
    const known = this.#places.get(content)
    if (known !== undefined) return known
    const section = new Uint8Array(SECTION_HEADER_BYTES + content.length)
    new DataView(section.buffer).setUint32(0, section.length)
    section[4] = number
    section.set(content, SECTION_HEADER_BYTES)
    const place = this.#length
    this.#places.set(content, place)
    this.#parts.push(section)
    this.#length += section.length
    return place
  }

  bytes(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.#parts))
  }
}

interface ListedChunks {
  readonly gridShape: readonly number[]
  readonly table: ChunkTable<'offset' | 'length' | 'discipline' | 'identification' | 'local' | 'grid' | 'product'>
  /** What the messages' sections must be; the table says where in it. */
  readonly sections: Uint8Array
}

export const listedChunks = recipe('grib.listed-fields', ({ gridShape, table, sections }: ListedChunks): ChunkIndex => {
  const { placeOf, columns, isComplete, weight } = table
  const view = new DataView(sections.buffer, sections.byteOffset, sections.byteLength)
  const sectionAt = (at: number) =>
    at === NO_SECTION ? sections.subarray(0, 0) : sections.subarray(at, at + view.getUint32(at))
  return {
    gridShape,
    at(coords): ChunkRef {
      const place = placeOf(gridPosition(coords, gridShape))
      if (place === undefined) return MISSING
      const { identification, local, grid, product } = columns
      const expected = [identification, local, grid, product].map((column) => sectionAt(column[place] ?? NO_SECTION))
      return {
        kind: 'range',
        source: 0,
        offset: columns.offset[place] ?? 0,
        length: columns.length[place] ?? 0,
        encoding: 0,
        prefix: expectedHeader(columns.discipline[place] ?? 0, expected),
      }
    },
    isComplete: () => isComplete,
    weight: () => weight + sections.length + 600,
  }
})

interface FieldChunks {
  readonly gridShape: readonly number[]
  readonly table: ChunkTable<'offset' | 'length' | 'encoding'>
  readonly several: ReadonlyMap<number, Field['parts']>
  /** The encoding of those. */
  readonly packed: number
}

export const fieldChunks = recipe('grib.fields', ({ gridShape, table, several, packed }: FieldChunks): ChunkIndex => {
  const { placeOf, columns, isComplete, weight } = table
  return {
    gridShape,
    at(coords): ChunkRef {
      const position = gridPosition(coords, gridShape)
      const place = placeOf(position)
      if (place === undefined) return MISSING
      const parts = several.get(position)
      if (parts !== undefined) return { kind: 'ranges', source: 0, parts, encoding: packed }
      return {
        kind: 'range',
        source: 0,
        offset: columns.offset[place] ?? 0,
        length: columns.length[place] ?? 0,
        encoding: columns.encoding[place] ?? 0,
      }
    },
    isComplete: () => isComplete,
    weight: () => weight + several.size * 200 + 600,
  }
})
