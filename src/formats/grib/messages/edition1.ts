import { Cursor } from '../../../bytes/cursor.ts'
import { malformed } from '../../../errors.ts'
import type { FieldOfEdition1 } from './field.ts'
import type { SectionReader } from './reader.ts'

const INDICATOR_BYTES = 8
const END_BYTES = 4
/** Of section 4, what its values don't begin with. */
const PACKING_BYTES = 11
/** Flags of section 4: packed otherwise than simply, as numbers, of a precision that octet 12 says. */
const KINDS = 0xf0
const AS_NUMBERS = 0x30
const SINGLE = 1
const HAS_GRID = 128
const HAS_BITMAP = 64
/** Longer messages count in units of 120 bytes, and say so by the highest bit. */
export const LONG = 0x80_00_00
export const LONG_UNIT = 120

/** A message and where it ends. */
export interface Message1 {
  readonly field: FieldOfEdition1
  readonly end: number
}

/** Reads a message's sections but its data. */
export async function readEdition1(reader: SectionReader, offset: number): Promise<Message1> {
  const head = new Cursor(await reader.read(offset, INDICATOR_BYTES), 'big', { format: 'grib', base: offset })
  head.skip(4)
  const said = head.uint(3)
  let at = offset + INDICATOR_BYTES
  const next = async (what: string, kept: boolean) => {
    const length = await lengthAt(reader, at, what)
    const bytes = kept ? await reader.section(at, length) : new Uint8Array(0)
    at += length
    return bytes
  }
  const product = await next('section 1', true)
  const flags = product[7] ?? 0
  const grid = (flags & HAS_GRID) !== 0 ? await next('section 2', true) : undefined
  const hasBitmap = (flags & HAS_BITMAP) !== 0
  if (hasBitmap) await next('section 3', false)
  const dataLength = await lengthAt(reader, at, 'section 4')
  const start = await reader.read(at, PACKING_BYTES + 1)
  const packing = Uint8Array.from(start.subarray(3, PACKING_BYTES))
  const isLong = (said & LONG) !== 0 && dataLength < LONG_UNIT
  const end = offset + (isLong ? (said - LONG) * LONG_UNIT - dataLength : said)
  if (product.length < 28 || packing.length < 8 || at + PACKING_BYTES + END_BYTES > end) {
    throw malformed(`a message of ${end - offset} bytes does not hold its sections`, { format: 'grib', offset })
  }
  const parts = [{ offset, length: end - END_BYTES - offset }]
  const isSingle =
    ((packing[0] ?? 0) & KINDS) === AS_NUMBERS && start[PACKING_BYTES] === SINGLE && !hasBitmap && !isLong
  const floats = isSingle ? { offset: at + PACKING_BYTES + 1, length: dataLength - PACKING_BYTES - 1 } : undefined
  return { field: { edition: 1, offset, parts, floats, product, grid, packing, dataLength, hasBitmap }, end }
}

async function lengthAt(reader: SectionReader, offset: number, what: string): Promise<number> {
  const length = new Cursor(await reader.read(offset, 3), 'big', { format: 'grib', base: offset }).uint(3)
  if (length >= 3) return length
  throw malformed(`${what} says ${length} bytes`, { format: 'grib', offset })
}
