import { malformed, unsupported } from '../../errors.ts'
import type { BloscCompressor } from './blosc-frame.ts'
import { type BlockWorld, decodeBloscStream } from './blosc-streams.ts'
import { DELTA, undoFilter } from './blosc2-filters.ts'
import { scratchBytes } from './shuffle.ts'
import { byteKernels } from './wasm/bytes.ts'

/** A chunk in blocks, as its header says; how long it is was checked. */
export interface Blosc2Blocks {
  /** The whole chunk: where blocks begin is counted from its header on. */
  readonly bytes: Uint8Array
  /** Where the list of that begins. */
  readonly start: number
  readonly compressor: BloscCompressor | undefined
  readonly isSplit: boolean
  readonly itemSize: number
  readonly decodedLength: number
  readonly blockLength: number
  /** Codes, and what goes with each, in the order of writing. */
  readonly filters: readonly (readonly [code: number, meta: number])[]
}

/** Decodes one block after the other. `take` is given each with its number: what it is given is overwritten by the next one. */
export function readBlosc2Blocks(chunk: Blosc2Blocks, take: (block: Uint8Array, number: number) => void): void {
  const { bytes, start, decodedLength, blockLength, itemSize, filters } = chunk
  if (blockLength === 0 || blockLength > decodedLength || itemSize === 0) {
    throw malformed(`a Blosc2 chunk of ${decodedLength} bytes says blocks of ${blockLength}, items of ${itemSize}`)
  }
  const count = Math.ceil(decodedLength / blockLength)
  if (start + 4 * count > bytes.length) throw malformed(`a Blosc2 chunk has no room for ${count} blocks`)
  const isDelta = filters.some(([code]) => code === DELTA)
  const lengths = [bytes.length, blockLength, blockLength, scratchBytes(blockLength, itemSize)] as const
  byteKernels.use(lengths, (kernels, memory, source, planes, items, scratch) => {
    const world = { kernels, memory, source, planes, items, scratch }
    let first: Uint8Array | undefined
    for (let number = 0; number < count; number++) {
      const length = Math.min(blockLength, decodedLength - number * blockLength)
      readBlock(chunk, world, number, length)
      const at = unfiltered(chunk, world, length, first)
      const block = memory.subarray(at, at + length)
      if (isDelta && number === 0) first = block.slice()
      take(block, number)
    }
  })
}

/** Reads the streams of a block, one after the other, into `planes`. */
function readBlock(chunk: Blosc2Blocks, world: BlockWorld, block: number, length: number): void {
  const streams = chunk.isSplit && length === chunk.blockLength ? chunk.itemSize : 1
  if (length % streams !== 0) throw malformed(`a Blosc2 block of ${length} bytes is split into ${streams} streams`)
  const { planes } = world
  const view = new DataView(chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.byteLength)
  const part = length / streams
  let at = view.getUint32(chunk.start + 4 * block, true)
  for (let target = planes; target < planes + length; target += part) {
    if (at + 4 > view.byteLength) throw malformed('a block of a Blosc2 chunk runs past its end', { offset: at })
    at = readStream(chunk, world, { size: view.getInt32(at, true), at: at + 4, target, targetEnd: target + part })
  }
}

interface Stream {
  /** As it is stored: negative for a run. */
  readonly size: number
  readonly at: number
  readonly target: number
  readonly targetEnd: number
}

/** Returns where the next stream begins. */
function readStream(
  { bytes, compressor }: Blosc2Blocks,
  world: BlockWorld,
  { size, at, target, targetEnd }: Stream,
): number {
  if (size === 0) {
    world.memory.fill(0, target, targetEnd)
    return at
  }
  if (size < 0) {
    // A run of one byte, by its token.
    if (((bytes[at] ?? 0) & 1) === 0 || size < -255)
      throw malformed('a Blosc2 stream has an unknown token', { offset: at })
    world.memory.fill(-size, target, targetEnd)
    return at + 1
  }
  if (size > bytes.length - at) throw malformed('a stream of a Blosc2 chunk runs past its end', { offset: at })
  if (compressor === undefined) throw unsupported('Blosc2 plugin codecs', 'a Blosc2 chunk is compressed by a plugin')
  decodeBloscStream(compressor, bytes.subarray(at, at + size), world, target, targetEnd)
  return at + size
}

/** Undoes the filters of a block, the last one first; returns where in the memory it is then. */
function unfiltered(
  { filters, itemSize }: Blosc2Blocks,
  world: BlockWorld,
  length: number,
  first: Uint8Array | undefined,
): number {
  let { planes, items } = world
  for (const [code, meta] of filters.toReversed()) {
    const isMoved = undoFilter(code, world, { planes, items, length, itemSize, meta, first })
    if (isMoved) [planes, items] = [items, planes]
  }
  return planes
}
