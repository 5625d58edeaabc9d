import * as zarr from 'zarrita'
import type { Box } from '../model/virtual-store.ts'
import type { Values } from './readers/reader.ts'

/** A box of an array as zarrita reads it. */
export async function valuesIn(
  array: zarr.Array<zarr.DataType, zarr.Readable>,
  { origin, shape }: Box,
): Promise<Values> {
  const slices = origin.map((from, axis) => zarr.slice(from, from + (shape[axis] ?? 0)))
  const result: unknown = await zarr.get(array, slices)
  if (typeof result === 'object' && result !== null && 'data' in result) return listed(result.data)
  return [result as number]
}

/** zarrita's own containers of bits and texts are iterable, and not indexed. */
function listed(data: unknown): Values {
  if (ArrayBuffer.isView(data)) return data as unknown as Values
  return Array.from(data as Iterable<boolean>)
}
