// What a GRIB 2 field is decoded from: sections in a row, the last one of each number before the data counts.

import { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'

/** The sections that hold a field's values. */
export interface FieldSections {
  /** Values that are stored. */
  readonly count: number
  /** Number of the template, and what follows it. */
  readonly template: number
  readonly packing: Cursor
  readonly bitmap: Uint8Array | undefined
  readonly data: Uint8Array
  /** Section 3, where it is among them. */
  readonly grid: Uint8Array | undefined
}

const HEADER_BYTES = 5
const INDICATOR_BYTES = 16
const MAGIC = 0x47524942

// Code table 6.0.
const BITMAP_FOLLOWS = 0
const BITMAP_BEFORE = 254
const NO_BITMAP = 255

/** Reads sections up to the first one with data; a message's own header may stand before them. */
export function fieldSections(bytes: Uint8Array): FieldSections {
  const cursor = new Cursor(bytes, 'big', { format: 'grib' })
  const isMessage = bytes.length >= 4 && cursor.u32() === MAGIC
  cursor.seek(isMessage ? INDICATOR_BYTES : 0)
  let grid: Uint8Array | undefined
  let packing: Uint8Array | undefined
  let bitmap: Bitmap = {}
  while (cursor.remaining >= HEADER_BYTES) {
    const length = cursor.u32()
    const number = cursor.u8()
    if (length < HEADER_BYTES) throw cursor.fail(`a section of ${length} bytes`)
    const content = cursor.take(length - HEADER_BYTES)
    if (number === 3) grid = content
    else if (number === 5) packing = content
    else if (number === 6) bitmap = readBitmap(content, bitmap)
    else if (number === 7) {
      // An index may have said that there is one field where there are several.
      if (!isMessage && cursor.remaining > 0) throw cursor.fail(`${cursor.remaining} bytes follow a field`)
      return { ...readPacking(packing), bitmap: bitmap.current, data: content, grid }
    }
  }
  throw malformed('a GRIB field has no data section')
}

interface Bitmap {
  readonly current?: Uint8Array | undefined
  readonly defined?: Uint8Array | undefined
}

function readBitmap(content: Uint8Array, { defined }: Bitmap): Bitmap {
  const indicator = content[0]
  if (indicator === BITMAP_FOLLOWS) return { current: content.subarray(1), defined: content.subarray(1) }
  if (indicator === NO_BITMAP) return { defined }
  if (indicator !== BITMAP_BEFORE) {
    throw unsupported(`GRIB bitmap ${indicator}`, `the predefined bitmap ${indicator} of GRIB is not known`)
  }
  if (defined === undefined) throw malformed('a GRIB field takes the bitmap before it, and there is none')
  return { current: defined, defined }
}

function readPacking(content: Uint8Array | undefined) {
  if (content === undefined) throw malformed('a GRIB field has no section 5')
  const packing = new Cursor(content, 'big', { format: 'grib' })
  return { count: packing.u32(), template: packing.u16(), packing }
}
