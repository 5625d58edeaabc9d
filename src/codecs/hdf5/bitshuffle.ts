import { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import type { ByteStep } from '../codec.ts'
import { requireInteger } from '../configuration.ts'
import { internalBytes } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { inflateZstd } from '../kernels/inflate.ts'
import { lz4Within } from '../kernels/lz4.ts'
import { scratchBytes } from '../kernels/shuffle.ts'
import { byteKernels } from '../kernels/wasm/bytes.ts'

// bitshuffle_internals.h: items are shuffled in multiples of 8, in blocks of about 8 kB, at least 128 items.
const MULTIPLE = 8
const DEFAULT_BLOCK_BYTES = 8192
const LEAST_DEFAULT_BLOCK = 128

/** HDF5's filter 32008: bits of items transposed block by block. */
export const bitshuffle = internalBytes<BitshuffleParameters>({ name: 'vz.bitshuffle', prepare: prepareBitshuffle })

export interface BitshuffleParameters {
  readonly elementsize: number
  /** In items, 0 for the default. */
  readonly blocksize: number
  /** With `lz4` or `zstd` the block length (in bytes) is in front of the chunk, behind its decoded length. */
  readonly compression: 'none' | 'lz4' | 'zstd'
}

export function prepareBitshuffle({ elementsize, blocksize, compression }: BitshuffleParameters): ByteStep {
  requireInteger('elementsize', elementsize, 1, 2 ** 24)
  requireInteger('blocksize', blocksize, 0, 2 ** 31)
  if (blocksize % MULTIPLE !== 0) throw malformed(`bitshuffle: blocks of ${blocksize} items, expected a multiple of 8`)
  const block = blocksize === 0 ? defaultBlock(elementsize) : blocksize
  if (compression === 'none') return { decode: (bytes) => unshuffled(bytes, elementsize, block) }
  return { decode: (bytes, { limit }) => inflated(bytes, elementsize, compression, limit) }
}

function defaultBlock(size: number): number {
  const items = Math.floor(DEFAULT_BLOCK_BYTES / size)
  return Math.max(items - (items % MULTIPLE), LEAST_DEFAULT_BLOCK)
}

/** A chunk as it is undone, in bytes. */
interface Blocks {
  readonly blockBytes: number
  /** Items after the last multiple of 8 are left as they are. */
  readonly shuffledBytes: number
  /** Whole blocks, or all: few copies, of what the processor's cache holds. */
  readonly bytesAtOnce: number
}

const CACHED_BYTES = 2 ** 17

function blocksOf(length: number, size: number, block: number): Blocks {
  const shuffledBytes = length - (length % (MULTIPLE * size))
  const blockBytes = block * size
  const bytesAtOnce = Math.min(Math.ceil(CACHED_BYTES / blockBytes) * blockBytes, shuffledBytes)
  return { blockBytes, shuffledBytes, bytesAtOnce }
}

function unshuffled(bytes: Uint8Array, size: number, block: number): Uint8Array {
  const { blockBytes, shuffledBytes, bytesAtOnce } = blocksOf(bytes.length, size, block)
  const result = chunkMemory.take(bytes.length)
  result.set(bytes.subarray(shuffledBytes), shuffledBytes)
  const lengths = [bytesAtOnce, bytesAtOnce, scratchBytes(bytesAtOnce, size)] as const
  byteKernels.use(lengths, (kernels, memory, planes, items, scratch) => {
    for (let at = 0; at < shuffledBytes; at += bytesAtOnce) {
      const length = Math.min(bytesAtOnce, shuffledBytes - at)
      memory.set(bytes.subarray(at, at + length), planes)
      for (let inside = 0; inside < length; inside += blockBytes) {
        const count = Math.min(blockBytes, length - inside) / size
        kernels.bitUnshuffle(planes + inside, count, size, scratch, items + inside)
      }
      result.set(memory.subarray(items, items + length), at)
    }
  })
  return result
}

function inflated(bytes: Uint8Array, size: number, compression: 'lz4' | 'zstd', limit: number): Uint8Array {
  const cursor = new Cursor(bytes, 'big')
  const total = cursor.u64()
  const blockLength = cursor.u32()
  if (total > limit) throw malformed(`a bitshuffle chunk says ${total} bytes, at most ${limit} are expected`)
  const block = Math.floor(blockLength / size)
  if (block === 0 || block % MULTIPLE !== 0 || total % size !== 0) {
    throw malformed(`a bitshuffle chunk of ${total} bytes says blocks of ${blockLength}, items are ${size} long`)
  }
  const { blockBytes, shuffledBytes, bytesAtOnce } = blocksOf(total, size, block)
  const result = chunkMemory.take(total)
  const planesBytes = Math.min(blockBytes, bytesAtOnce)
  const lengths = [bytes.length, planesBytes, bytesAtOnce, scratchBytes(bytesAtOnce, size)] as const
  byteKernels.use(lengths, (kernels, memory, source, planes, items, scratch) => {
    for (let at = 0; at < shuffledBytes; at += bytesAtOnce) {
      const end = items + Math.min(bytesAtOnce, shuffledBytes - at)
      for (let target = items; target < end; target += blockBytes) {
        const length = Math.min(blockBytes, end - target)
        const stored = cursor.take(cursor.u32())
        if (compression === 'zstd') inflateInto(stored, memory.subarray(planes, planes + length))
        else {
          memory.set(stored, source)
          const regions = { source, sourceEnd: source + stored.length, target: planes, targetEnd: planes + length }
          requireLength(lz4Within(kernels, regions), length)
        }
        kernels.bitUnshuffle(planes, length / size, size, scratch, target)
      }
      result.set(memory.subarray(items, end), at)
    }
  })
  result.set(cursor.take(total - shuffledBytes), shuffledBytes)
  return result
}

function inflateInto(stored: Uint8Array, target: Uint8Array): void {
  const content = inflateZstd(stored, target.length)
  requireLength(content.length, target.length)
  target.set(content)
}

function requireLength(length: number, expected: number): void {
  if (length !== expected) throw malformed(`a bitshuffle block holds ${length} bytes, expected ${expected}`)
}
