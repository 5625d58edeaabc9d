import { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import type { ByteStep } from '../codec.ts'
import { requireInteger } from '../configuration.ts'
import { internalBytes } from '../internal.ts'
import { inflateZstd } from '../kernels/inflate.ts'
import { decodeLz4Block } from '../kernels/lz4.ts'
import { bitUnshuffle } from '../kernels/shuffle.ts'

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

/** How many items each block holds; those after the last multiple of 8 are left as they are. */
function* blocksOf(items: number, block: number): Generator<number> {
  for (let left = items; left >= MULTIPLE; left -= block) yield left >= block ? block : left - (left % MULTIPLE)
}

function unshuffled(bytes: Uint8Array, size: number, block: number): Uint8Array {
  const result = new Uint8Array(bytes.length)
  let at = 0
  for (const items of blocksOf(Math.floor(bytes.length / size), block)) {
    const end = at + items * size
    result.set(bitUnshuffle(bytes.subarray(at, end), size), at)
    at = end
  }
  result.set(bytes.subarray(at), at)
  return result
}

function inflated(bytes: Uint8Array, size: number, compression: 'lz4' | 'zstd', limit: number): Uint8Array {
  const cursor = new Cursor(bytes, 'big')
  const length = cursor.u64()
  const blockBytes = cursor.u32()
  if (length > limit) throw malformed(`a bitshuffle chunk says ${length} bytes, at most ${limit} are expected`)
  const block = Math.floor(blockBytes / size)
  if (block === 0 || block % MULTIPLE !== 0 || length % size !== 0) {
    throw malformed(`a bitshuffle chunk of ${length} bytes says blocks of ${blockBytes}, items are ${size} long`)
  }
  const result = new Uint8Array(length)
  const scratch = new Uint8Array(Math.min(block * size, length))
  let at = 0
  for (const items of blocksOf(length / size, block)) {
    const planes = scratch.subarray(0, items * size)
    inflateBlock(cursor.take(cursor.u32()), planes, compression)
    result.set(bitUnshuffle(planes, size), at)
    at += planes.length
  }
  result.set(cursor.take(length - at), at)
  return result
}

function inflateBlock(stored: Uint8Array, target: Uint8Array, compression: 'lz4' | 'zstd'): void {
  let written: number
  if (compression === 'lz4') written = decodeLz4Block(stored, target)
  else {
    const content = inflateZstd(stored, target.length)
    target.set(content)
    written = content.length
  }
  if (written !== target.length) throw malformed(`a bitshuffle block holds ${written} bytes, expected ${target.length}`)
}
