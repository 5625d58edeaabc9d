// HDF Specification and Developer's Guide, section 9.3: DFTAG_VH, packed as vio.c of the HDF library does.
import type { Cursor } from '../../../bytes/cursor.ts'
import { type NumberType, numberTypeOf } from './number-type.ts'
import { takeText } from './vgroup.ts'

/** A table: what its header says of it. Its records are the element of the same reference number. */
export interface Vdata {
  readonly ref: number
  readonly name: Uint8Array
  readonly className: string
  readonly records: number
  readonly recordBytes: number
  /** Records lie one behind the other; otherwise fields do, each with the values of all records. */
  readonly isInterlaced: boolean
  readonly fields: readonly Field[]
  readonly attributes: readonly FieldAttribute[]
}

export interface Field {
  readonly name: Uint8Array
  /** With its flags: one that is not served costs its field, not the table. */
  readonly numberType: number
  /** Values in each record. */
  readonly order: number
  /** Bytes in each record, and where they begin. */
  readonly bytes: number
  readonly offset: number
}

/** A vdata that is an attribute of a field, or of the whole table. */
interface FieldAttribute {
  readonly field: number
  readonly ref: number
}

const MOST_FIELDS = 10_000
const FULL_INTERLACE = 0
const WHOLE_TABLE = -1
const HAS_ATTRIBUTES = 1

export function parseVdata(cursor: Cursor, ref: number): Vdata {
  const interlace = cursor.u16()
  const records = cursor.u32()
  const recordBytes = cursor.u16()
  const count = cursor.u16()
  if (count > MOST_FIELDS) throw cursor.fail(`a table of ${count} fields, at most ${MOST_FIELDS} are expected`)
  const numbers = () => Array.from({ length: count }, () => cursor.u16())
  const [types, sizes, offsets, orders] = [numbers(), numbers(), numbers(), numbers()]
  const fields = types.map((numberType, i) => ({
    numberType,
    bytes: sizes[i] ?? 0,
    offset: offsets[i] ?? 0,
    order: orders[i] ?? 0,
    name: takeText(cursor),
  }))
  for (const { offset, bytes } of fields) {
    if (offset + bytes > recordBytes) throw cursor.fail(`a field of ${bytes} bytes at ${offset} of ${recordBytes}`)
  }
  const name = takeText(cursor)
  const className = Buffer.from(takeText(cursor)).toString('latin1')
  cursor.skip(8)
  const attributes = parseAttributes(cursor)
  return { ref, name, className, records, recordBytes, isInterlaced: interlace === FULL_INTERLACE, fields, attributes }
}

function parseAttributes(cursor: Cursor): readonly FieldAttribute[] {
  // Old writers end here; the byte that is left over is nobody's.
  if (cursor.remaining < 8) return []
  if ((cursor.u32() & HAS_ATTRIBUTES) === 0) return []
  const count = cursor.u32()
  return Array.from({ length: Math.min(count, Math.floor(cursor.remaining / 8)) }, () => {
    const field = cursor.i32()
    cursor.skip(2)
    return { field, ref: cursor.u16() }
  })
}

/** Attributes of a field, or of the whole table. */
export function attributesOf({ attributes }: Vdata, field: number = WHOLE_TABLE): readonly number[] {
  return attributes.filter((attribute) => attribute.field === field).map(({ ref }) => ref)
}

/** The type of a field's values; throws for one that is not served. */
export function fieldType({ numberType }: Field): NumberType {
  return numberTypeOf(numberType)
}
