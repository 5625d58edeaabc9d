// One field of a GRIB file: a message of GRIB 1, or sections of GRIB 2.

import { overLimit, unsupported } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { internalSerial } from '../internal.ts'
import { decodeGrib1 } from './grib1-field.ts'
import { decodeGrib2 } from './grib2-field.ts'

const MAGIC = 'GRIB'
const EDITION_1 = 1
const ITEM_BYTES = 4

/** How the points of a field follow each other: by rows or columns, all the same way or every second one the other way. */
export type PointOrder = 'rows' | 'alternate' | 'columns' | 'alternate-columns'

/** Float32, NaN where values are missing; in rows, whatever the order of the file. */
export const gribField = internalSerial<{ readonly order: PointOrder }>({
  name: 'vz.grib',
  prepare: ({ order }, { shape, dataType }) => {
    if (dataType.kind !== 'float' || dataType.bits !== 32) {
      throw unsupported('GRIB in another type', 'fields of GRIB are decoded to float32')
    }
    const points = elementCount(shape)
    const [rows = 1, columns = 1] = shape.slice(-2)
    return {
      decode: async (bytes, { limit }) => {
        if (points * ITEM_BYTES > limit) throw overLimit(`a GRIB field of ${points} points is more than ${limit} bytes`)
        const values = isMessage1(bytes) ? decodeGrib1(bytes, points) : await decodeGrib2(bytes, points)
        const ordered = inRows(values, rows, columns, order)
        return { kind: 'fixed', bytes: new Uint8Array(ordered.buffer, ordered.byteOffset, ordered.byteLength) }
      },
    }
  },
})

function isMessage1(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC && bytes[7] === EDITION_1
}

function inRows(values: Float32Array, rows: number, columns: number, order: PointOrder): Float32Array {
  if (order === 'rows') return values
  const isByColumns = order !== 'alternate'
  const [lines, length] = isByColumns ? [columns, rows] : [rows, columns]
  if (order !== 'columns') {
    for (let line = 1; line < lines; line += 2) values.subarray(line * length, (line + 1) * length).reverse()
  }
  return isByColumns ? transposed(values, rows, columns) : values
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) result[row * columns + column] = values[column * rows + row] ?? 0
  }
  return result
}
