// FITS Standard 4.0, section 10.4.4: HCOMPRESS, an H-transform (Haar) of which bit planes are coded as quadtrees.

import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { internalSerial } from '../internal.ts'
import { bytesOf, mapInto, zeroNumbers } from '../numbers.ts'
import { invertHTransform, type Plane } from './htransform.ts'
import { QuadtreeReader } from './quadtree.ts'

const HEADER_BYTES = 25
const MAGIC = 0xdd99
/** Sums of so many bits stay exact in a double. */
const MOST_PLANES = 50

/** Integers; `smooth` fills what a lossy scale took away. */
export const fitsHcompress = internalSerial<{ readonly smooth: boolean }>({
  name: 'vz.fits-hcompress',
  prepare: ({ smooth }, { shape, dataType }) => {
    const count = elementCount(shape)
    return {
      decode: (bytes) => {
        const { values } = decode(bytes, count, smooth)
        return { kind: 'fixed', bytes: bytesOf(mapInto(zeroNumbers(values.length, dataType), (i) => values[i] ?? 0)) }
      },
    }
  },
})

function decode(bytes: Uint8Array, count: number, smooth: boolean): Plane {
  if (bytes.length < HEADER_BYTES) throw malformed(`a HCOMPRESS tile of ${bytes.length} bytes has no header`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint16(0) !== MAGIC) throw malformed('a tile does not begin as HCOMPRESS writes it (dd 99)')
  const rows = view.getInt32(2)
  const columns = view.getInt32(6)
  const scale = view.getInt32(10)
  if (rows < 1 || columns < 1 || rows * columns !== count) {
    throw malformed(`a HCOMPRESS tile of ${rows} x ${columns} pixels, expected ${count} in all`)
  }
  const planes = [...bytes.subarray(22, HEADER_BYTES)]
  if (planes.some((bits) => bits > MOST_PLANES)) {
    throw malformed(`a HCOMPRESS tile of ${Math.max(...planes)} bit planes, expected at most ${MOST_PLANES}`)
  }
  const plane: Plane = { rows, columns, values: new Float64Array(count) }
  decodeQuadrants(new QuadtreeReader(bytes.subarray(HEADER_BYTES)), plane, planes)
  plane.values[0] = Number(view.getBigInt64(14))
  if (scale > 1) for (let i = 0; i < count; i++) plane.values[i] = (plane.values[i] ?? 0) * scale
  invertHTransform(plane, smooth ? scale : 0)
  return plane
}

/** The sums and the differences of each direction lie in quadrants; the signs of what is not zero follow them all. */
function decodeQuadrants(reader: QuadtreeReader, plane: Plane, [sums = 0, sides = 0, corner = 0]: number[]): void {
  const { rows, columns, values } = plane
  const [top, left] = [Math.ceil(rows / 2), Math.ceil(columns / 2)]
  const [bottom, right] = [rows - top, columns - left]
  reader.decode(values, { start: 0, width: columns, rows: top, columns: left }, sums)
  reader.decode(values, { start: left, width: columns, rows: top, columns: right }, sides)
  reader.decode(values, { start: columns * top, width: columns, rows: bottom, columns: left }, sides)
  reader.decode(values, { start: columns * top + left, width: columns, rows: bottom, columns: right }, corner)
  reader.beginSigns()
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0
    if (value !== 0 && reader.bit() === 1) values[i] = -value
  }
  reader.finish()
}
