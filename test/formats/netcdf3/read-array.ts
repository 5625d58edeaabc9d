import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import { itemSize } from '../../../src/model/data-type.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { coordinates } from '../../corpus/values.ts'
import { asStored } from '../../helpers/stored-array.ts'

/** Reads a whole array by its chunk references, as little-endian bytes in C order; shares no code with delivery. */
export async function readArray(array: VirtualArray, source: Source): Promise<Uint8Array> {
  const item = itemSize(array.dataType) ?? 1
  const whole = new Uint8Array(array.shape.reduce((product, length) => product * length, item))
  for (const coords of coordinates(asStored(array).chunks.gridShape)) {
    const stored = await readChunk(await asStored(array).chunks.at(coords), source)
    const origin = coords.map((at, axis) => at * (array.chunkShape[axis] ?? 1))
    const extent = origin.map((at, axis) => Math.min(array.chunkShape[axis] ?? 1, (array.shape[axis] ?? 1) - at))
    let from = 0
    for (const cell of coordinates(extent)) {
      let to = 0
      for (const [axis, at] of cell.entries()) to = to * (array.shape[axis] ?? 1) + (origin[axis] ?? 0) + at
      whole.set(stored.subarray(from, from + item).toReversed(), to * item)
      from += item
    }
    if (from !== stored.length) throw new Error(`chunk ${coords}: ${stored.length} bytes stored, ${from} expected`)
  }
  return whole
}

/** The stored bytes of a chunk. */
export async function readChunk(ref: ChunkRef, source: Source): Promise<Uint8Array> {
  switch (ref.kind) {
    case 'range':
      return source.read(ref)
    case 'strided': {
      const parts: Uint8Array[] = []
      for (let i = 0; i < ref.count; i++) {
        parts.push(await source.read({ offset: ref.offset + i * ref.stride, length: ref.length }))
      }
      return Buffer.concat(parts)
    }
    case 'ranges':
    case 'object':
    case 'inline':
    case 'missing':
      throw new Error(`a NetCDF-3 chunk is not ${ref.kind}`)
  }
}
