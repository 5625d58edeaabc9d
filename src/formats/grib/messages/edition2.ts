import type { ByteRange } from '../../../bytes/byte-range.ts'
import { Cursor } from '../../../bytes/cursor.ts'
import { malformed, overLimit } from '../../../errors.ts'
import type { FieldOfEdition2 } from './field.ts'
import type { SectionReader } from './reader.ts'

const INDICATOR_BYTES = 16
const END_BYTES = 4
const HEADER_BYTES = 5
/** Fields of one message. */
const MOST_FIELDS = 100_000
const BITMAP_FOLLOWS = 0
const BITMAP_BEFORE = 254
const NO_BITMAP = 255
/** Code table 5.0, and single precision of code table 5.7. */
const IEEE = 4
const SINGLE = 1

/** Fields and where the message ends. */
export interface Message2 {
  readonly fields: readonly FieldOfEdition2[]
  readonly end: number
}

/** A section that counts for the fields that follow it. */
interface Section {
  readonly bytes: Uint8Array
  readonly range: ByteRange
}

type Sections = Map<number, Section>

/** Reads a message's sections but its bitmaps and data; of one that is said to be `isSingle`, nothing behind a bitmap. */
export async function readEdition2(reader: SectionReader, offset: number, isSingle: boolean): Promise<Message2> {
  const head = new Cursor(await reader.read(offset, INDICATOR_BYTES), 'big', { format: 'grib', base: offset })
  head.skip(6)
  const discipline = head.u8()
  head.skip(1)
  const end = offset + head.u64()
  const sections: Sections = new Map()
  const fields: FieldOfEdition2[] = []
  let bitmap: ByteRange | undefined
  for (let at = offset + INDICATOR_BYTES; at < end - END_BYTES; ) {
    const section = await sectionAt(reader, at, end - END_BYTES)
    const { number, range } = section
    if (number === 6 && section.indicator === BITMAP_FOLLOWS) bitmap = range
    if (number === 7) {
      if (fields.length >= MOST_FIELDS) throw overLimit(`a message of more than ${MOST_FIELDS} fields`, { offset })
      fields.push(fieldOf({ offset, discipline, sections, bitmap, data: range }))
    } else sections.set(number, { bytes: await section.content(), range })
    at += range.length
    const rest = { offset: at, length: end - END_BYTES - at }
    if (
      isSingle &&
      number === 6 &&
      fields.length === 0 &&
      reader.held({ ...rest, length: HEADER_BYTES }) === undefined
    ) {
      // The decoder refuses a field that something follows.
      fields.push(fieldOf({ offset, discipline, sections, bitmap, data: rest }))
      break
    }
  }
  if (fields.length === 0) throw malformed('a GRIB message has no data section', { format: 'grib', offset })
  return { fields, end }
}

async function sectionAt(reader: SectionReader, offset: number, end: number) {
  const bytes = await reader.read(offset, HEADER_BYTES + 1)
  const cursor = new Cursor(bytes, 'big', { format: 'grib', base: offset })
  const range = { offset, length: cursor.u32() }
  const number = cursor.u8()
  if (range.length < HEADER_BYTES || range.length > end - offset || number < 1 || number > 7) {
    throw malformed(`a section ${number} of ${range.length} bytes`, { format: 'grib', offset })
  }
  const indicator = bytes[HEADER_BYTES] ?? 0
  // Of bitmaps only their kind is kept.
  const length = number === 6 ? 1 : range.length - HEADER_BYTES
  return { range, number, indicator, content: () => reader.section(offset + HEADER_BYTES, length) }
}

interface Found {
  readonly offset: number
  readonly discipline: number
  readonly sections: Sections
  readonly bitmap: ByteRange | undefined
  readonly data: ByteRange
}

function fieldOf({ offset, discipline, sections, bitmap, data }: Found): FieldOfEdition2 {
  const [identification, grid, product, packing] = [1, 3, 4, 5].map((number) => sections.get(number))
  if (identification === undefined || grid === undefined || product === undefined || packing === undefined) {
    throw malformed('a GRIB field lacks one of the sections 1, 3, 4 and 5', { format: 'grib', offset: data.offset })
  }
  const own = sections.get(6)
  const kind = own?.bytes[0]
  // A decoder reads sections in a row: an earlier bitmap stands before the sections of the field.
  const wanted = [kind === BITMAP_BEFORE ? bitmap : undefined, packing.range, own?.range, data]
  return {
    edition: 2,
    offset,
    discipline,
    identification: identification.bytes,
    local: sections.get(2)?.bytes,
    grid: grid.bytes,
    product: product.bytes,
    packing: packing.bytes,
    hasBitmap: kind === BITMAP_FOLLOWS || kind === BITMAP_BEFORE,
    floats: own === undefined || kind === NO_BITMAP ? floatsOf(packing.bytes, data) : undefined,
    parts: joined(wanted.filter((range) => range !== undefined)),
  }
}

/** Values that are stored as they are, all of them. */
function floatsOf(packing: Uint8Array, data: ByteRange): ByteRange | undefined {
  const cursor = new Cursor(packing, 'big', { format: 'grib' })
  const [count, template] = [cursor.u32(), cursor.u16()]
  if (template !== IEEE || cursor.u8() !== SINGLE || data.length - HEADER_BYTES !== count * 4) return undefined
  return { offset: data.offset + HEADER_BYTES, length: count * 4 }
}

/** Ranges that touch each other as one. */
function joined(ranges: readonly ByteRange[]): ByteRange[] {
  const result: ByteRange[] = []
  for (const range of ranges) {
    const last = result.at(-1)
    if (last !== undefined && last.offset + last.length === range.offset) {
      result[result.length - 1] = { offset: last.offset, length: last.length + range.length }
    } else result.push(range)
  }
  return result
}
