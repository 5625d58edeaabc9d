import * as zarr from 'zarrita'
import type { ReadLevel } from '../viewer.ts'

type Numbers = Uint8Array | Uint16Array | Int16Array | Float32Array

/** All of a level by zarrita alone, without a map. */
export async function readLevel(
  url: string,
  level: string,
  places: readonly (readonly [number, number])[],
): Promise<ReadLevel> {
  const root = await zarr.open(new zarr.FetchStore(url), { kind: 'group' })
  const array = await zarr.open(root.resolve(`${level}/band_data`), { kind: 'array' })
  const { data, shape, stride } = await zarr.get(array)
  const numbers = data as unknown as Numbers
  const bytes = new Uint8Array(numbers.buffer as ArrayBuffer, numbers.byteOffset, numbers.byteLength)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const bands = shape.length === 3 ? shape[0] : 1
  const [rowStride, columnStride] = stride.slice(-2)
  const values = places.map(([row, column]) =>
    Array.from(
      { length: bands },
      (_, band) => numbers[band * (shape.length === 3 ? stride[0] : 0) + row * rowStride + column * columnStride],
    ),
  )
  return { shape, sha256: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''), values }
}
