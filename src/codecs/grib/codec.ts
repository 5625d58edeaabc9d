// One field of a GRIB file: a message of GRIB 1, or sections of GRIB 2.

import { overLimit, unsupported } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { internalSerial } from '../internal.ts'
import { decodeField } from './field.ts'
import type { PointOrder } from './grids/places.ts'
import { checkedMessage } from './listed-message.ts'
import type { Values } from './values.ts'

const ITEM_BYTES = 4

/**
 * Float32, NaN where values are missing; in rows, whatever the order of the file. With `isListed` the bytes are a whole message behind the
 * sections that it must have.
 */
export const gribField = internalSerial<{ readonly order: PointOrder; readonly isListed?: boolean }>({
  name: 'vz.grib',
  prepare: ({ order, isListed }, { shape, dataType }) => {
    if (dataType.kind !== 'float' || dataType.bits !== 32) {
      throw unsupported('GRIB in another type', 'fields of GRIB are decoded to float32')
    }
    const points = elementCount(shape)
    const [rows = 1, columns = 1] = shape.slice(-2)
    return {
      decode: async (bytes, { limit }) => {
        if (points * ITEM_BYTES > limit) throw overLimit(`a GRIB field of ${points} points is more than ${limit} bytes`)
        const field = isListed === true ? checkedMessage(bytes) : bytes
        const ordered = inRows(await decodeField(field, points, 32), rows, columns, order)
        return { kind: 'fixed', bytes: new Uint8Array(ordered.buffer, ordered.byteOffset, ordered.byteLength) }
      },
    }
  },
})

function inRows(values: Values, rows: number, columns: number, order: PointOrder): Values {
  if (order === 'rows') return values
  const isByColumns = order !== 'alternate'
  const [lines, length] = isByColumns ? [columns, rows] : [rows, columns]
  if (order !== 'columns') {
    for (let line = 1; line < lines; line += 2) values.subarray(line * length, (line + 1) * length).reverse()
  }
  return isByColumns ? transposed(values, rows, columns) : values
}

function transposed(values: Values, rows: number, columns: number): Values {
  const result = values.slice()
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) result[row * columns + column] = values[column * rows + row] ?? 0
  }
  return result
}
