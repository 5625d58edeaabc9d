import { chunkMemory } from './chunk-memory.ts'
import { type ByteKernels, byteKernels } from './wasm/bytes.ts'

/** Items that are shuffled at once: what they need stays in the processor's cache. */
function itemsAtOnce(count: number, size: number): number {
  return Math.min(count, Math.max(4096, Math.floor(2 ** 17 / size)))
}

/** From first bytes, second bytes, ... back to items; bytes after the last whole item stay where they are. */
export function unshuffle(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= 1) return bytes
  const count = Math.floor(bytes.length / size)
  const most = itemsAtOnce(count, size)
  const result = chunkMemory.take(bytes.length)
  byteKernels.use([most * size, most * size], (kernels, memory, planes, items) => {
    for (let first = 0; first < count; first += most) {
      const some = Math.min(most, count - first)
      for (let byte = 0; byte < size; byte++) {
        const from = byte * count + first
        memory.set(bytes.subarray(from, from + some), planes + byte * some)
      }
      kernels.unshuffle(planes, some, some, size, items)
      result.set(memory.subarray(items, items + some * size), first * size)
    }
  })
  result.set(bytes.subarray(count * size), count * size)
  return result
}

/** From items to all first bytes, then all second bytes, ... */
export function shuffle(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= 1) return bytes
  const count = Math.floor(bytes.length / size)
  const most = itemsAtOnce(count, size)
  const result = chunkMemory.take(bytes.length)
  byteKernels.use([most * size, most * size], (kernels, memory, items, planes) => {
    for (let first = 0; first < count; first += most) {
      const some = Math.min(most, count - first)
      memory.set(bytes.subarray(first * size, (first + some) * size), items)
      kernels.shuffle(items, some, size, planes, some)
      for (let byte = 0; byte < size; byte++) {
        const from = planes + byte * some
        result.set(memory.subarray(from, from + some), byte * count + first)
      }
    }
  })
  result.set(bytes.subarray(count * size), count * size)
  return result
}

/** Blosc's bitshuffle: for each byte of an item, for each bit of it, that bit of all items. Needs a multiple of 8 items. */
export function bitUnshuffle(bytes: Uint8Array, size: number): Uint8Array {
  const { length } = bytes
  if (Math.floor(length / size) % 8 !== 0) return bytes
  return byteKernels.use([length, scratchBytes(length, size), length], (kernels, memory, planes, scratch, items) => {
    memory.set(bytes, planes)
    bitUnshuffleWithin(kernels, memory, { planes, scratch, items, length, size })
    return chunkMemory.copyOf(memory.subarray(items, items + length))
  })
}

/** Shuffled bytes in the memory of the kernels, and the room for what they become. */
export interface ShuffledRegion {
  readonly planes: number
  readonly items: number
  readonly length: number
  readonly size: number
}

/** The same where the bytes are in the memory of the kernels. */
export function unshuffleWithin(
  kernels: ByteKernels,
  memory: Uint8Array,
  { planes, items, length, size }: ShuffledRegion,
): void {
  const count = Math.floor(length / size)
  kernels.unshuffle(planes, count, count, size, items)
  memory.copyWithin(items + count * size, planes + count * size, planes + length)
}

/** The same with bits; items after the last multiple of 8 stay where they are. `scratch` is as long as `scratchBytes` says. */
export function bitUnshuffleWithin(
  kernels: ByteKernels,
  memory: Uint8Array,
  { planes, scratch, items, length, size }: ShuffledRegion & { readonly scratch: number },
): void {
  const count = Math.floor(length / size / 8) * 8
  kernels.bitUnshuffle(planes, count, size, scratch, items)
  memory.copyWithin(items + count * size, planes + count * size, planes + length)
}

/** The items whose bits are transposed at once, if there are so many. */
export function scratchBytes(length: number, size: number): number {
  return Math.min(128 * size, length)
}
