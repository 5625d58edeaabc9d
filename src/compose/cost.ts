import { decodedBytes } from '../codecs/elements.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { HELD_FOR_DECODED } from './limits.ts'
import { rulesOf } from './operations.ts'

/** What composing one chunk of an array holds in memory at most, about: itself, and the regions that it is computed of. */
export function peakBytesOf(array: VirtualArray): number {
  const { chunkShape: shape, dataType } = array
  const below = array.operation === undefined ? 0 : (rulesOf(array).peakBytes?.(array) ?? 0)
  return HELD_FOR_DECODED * (decodedBytes({ shape, dataType }) + below)
}
