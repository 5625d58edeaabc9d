import { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { signed16 } from './scaling.ts'

/** What a GRIB 1 message has for its values. */
export interface MessageParts {
  /** Power of ten that divides. */
  readonly decimalExponent: number
  readonly grid: Uint8Array | undefined
  readonly bitmap: Uint8Array | undefined
  /** Section 4 behind its length: flags first. */
  readonly data: Cursor
}

const MAGIC = 0x47524942
const INDICATOR_BYTES = 8

/** Cuts a message into its sections. */
export function messageParts(bytes: Uint8Array): MessageParts {
  const cursor = new Cursor(bytes, 'big', { format: 'grib' })
  if (cursor.u32() !== MAGIC) throw malformed('a GRIB 1 message does not begin with GRIB')
  cursor.seek(INDICATOR_BYTES)
  const product = new Cursor(section(cursor), 'big', { format: 'grib' })
  product.seek(7)
  const flags = product.u8()
  product.seek(26)
  const decimalExponent = signed16(product)
  const grid = (flags & 128) !== 0 ? section(cursor) : undefined
  const bitmap = (flags & 64) !== 0 ? bitmapOf(section(cursor)) : undefined
  // Messages of more than 8 MB say another length here: the section ends where the message does.
  cursor.skip(3)
  return { decimalExponent, grid, bitmap, data: new Cursor(cursor.take(cursor.remaining), 'big', { format: 'grib' }) }
}

/** A whole section, its length included. */
function section(cursor: Cursor): Uint8Array {
  const start = cursor.position
  const length = cursor.uint(3)
  cursor.seek(start)
  if (length < 3) throw cursor.fail(`a section of ${length} bytes`)
  return cursor.take(length)
}

function bitmapOf(content: Uint8Array): Uint8Array {
  const cursor = new Cursor(content, 'big', { format: 'grib' })
  cursor.skip(4)
  const table = cursor.u16()
  if (table !== 0) throw unsupported(`GRIB bitmap ${table}`, `the predefined bitmap ${table} of GRIB is not known`)
  return content.subarray(6)
}

/** Points of each row of the grid, in the order in which they are stored. */
export function gridRows(grid: Uint8Array | undefined): readonly number[] {
  if (grid === undefined)
    throw unsupported('rows of a predefined grid', 'rows of a grid without section 2 are not known')
  const cursor = new Cursor(grid, 'big', { format: 'grib' })
  cursor.seek(3)
  const [vertical, location] = [cursor.u8(), cursor.u8()]
  cursor.skip(1)
  const [columns, rows] = [cursor.u16(), cursor.u16()]
  if (columns !== 65_535) {
    cursor.seek(27)
    const isByColumns = (cursor.u8() & 32) !== 0
    return new Array<number>(isByColumns ? columns : rows).fill(isByColumns ? rows : columns)
  }
  cursor.seek(location - 1 + vertical * 4)
  return Array.from({ length: rows }, () => cursor.u16())
}
