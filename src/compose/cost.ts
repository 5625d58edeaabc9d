import { decodedBytes } from '../codecs/elements.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { HELD_FOR_DECODED } from './limits.ts'

/** What composing one chunk of an array holds in memory at most, about: itself, and the regions that it is computed of. */
export function peakBytesOf(array: VirtualArray): number {
  const { chunkShape: shape, dataType, masked, reduced } = array
  const mask = masked === undefined ? 0 : chunkBytes(masked.mask)
  const factors = reduced?.factors
  const finer =
    factors === undefined ? 0 : decodedBytes({ shape: shape.map((n, axis) => n * (factors[axis] ?? 1)), dataType })
  return HELD_FOR_DECODED * (chunkBytes(array) + mask + finer)
}

function chunkBytes({ chunkShape: shape, dataType }: VirtualArray): number {
  return decodedBytes({ shape, dataType })
}
