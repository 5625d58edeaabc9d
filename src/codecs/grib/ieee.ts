// IEEE packing (5.4; GRIB 1 with integer point values): numbers as they are, big-endian.

import { malformed, unsupported } from '../../errors.ts'

/** `precision`: code table 5.7. */
export function decodeIeee(data: Uint8Array, precision: number, count: number): Float64Array {
  if (precision !== 1 && precision !== 2) {
    throw unsupported(
      `GRIB numbers of precision ${precision}`,
      `IEEE numbers of precision ${precision} are not decoded`,
    )
  }
  const size = precision * 4
  if (data.length < count * size) {
    throw malformed(`IEEE values end after ${data.length} bytes, ${count * size} are expected`)
  }
  const view = new DataView(data.buffer, data.byteOffset)
  const values = new Float64Array(count)
  if (size === 4) for (let i = 0; i < count; i++) values[i] = view.getFloat32(i * 4)
  else for (let i = 0; i < count; i++) values[i] = view.getFloat64(i * 8)
  return values
}
