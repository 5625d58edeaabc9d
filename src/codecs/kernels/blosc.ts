import { malformed } from '../../errors.ts'
import { BLOSC_HEADER_LENGTH, type BloscHeader, parseBloscHeader } from './blosc-frame.ts'
import { type BlockWorld, decodeBloscStream } from './blosc-streams.ts'
import { chunkMemory } from './chunk-memory.ts'
import { bitUnshuffleWithin, scratchBytes, unshuffleWithin } from './shuffle.ts'
import { byteKernels } from './wasm/bytes.ts'

// c-blosc, blosc.c: a block is split into one stream per byte of an item up to this item size, down to this many items.
const MOST_SPLITS = 16
const LEAST_SPLIT = 128

/** The content of a Blosc-1 frame, which may be at most `limit` bytes. */
export function decodeBlosc(bytes: Uint8Array, limit: number): Uint8Array {
  const header = parseBloscHeader(bytes)
  if (header === undefined) throw malformed(`${bytes.length} bytes do not begin with a Blosc header of version 2`)
  const { decodedLength, blockLength, frameLength } = header
  if (frameLength > bytes.length || frameLength < BLOSC_HEADER_LENGTH) {
    throw malformed(`a Blosc frame says it is ${frameLength} bytes long, ${bytes.length} are there`)
  }
  if (decodedLength > limit) throw malformed(`a Blosc frame says ${decodedLength} bytes, at most ${limit} are expected`)
  if (header.memcpy) return storedContent(bytes, header)
  if (decodedLength === 0) return new Uint8Array(0)
  if (blockLength === 0 || blockLength > decodedLength || header.itemSize === 0) {
    throw malformed(
      `a Blosc frame of ${decodedLength} bytes says blocks of ${blockLength}, items of ${header.itemSize}`,
    )
  }
  const count = Math.ceil(decodedLength / blockLength)
  if (BLOSC_HEADER_LENGTH + 4 * count > frameLength) throw malformed(`a Blosc frame has no room for ${count} blocks`)
  const result = chunkMemory.take(decodedLength)
  const lengths = [frameLength, blockLength, blockLength, scratchBytes(blockLength, header.itemSize)] as const
  byteKernels.use(lengths, (kernels, memory, source, planes, items, scratch) => {
    const world = { kernels, memory, source, planes, items, scratch }
    for (let block = 0; block < count; block++) {
      const target = result.subarray(block * blockLength, (block + 1) * blockLength)
      readBlock(world, bytes, header, block, target.length)
      const at = unshuffled(world, header, target.length)
      target.set(memory.subarray(at, at + target.length))
    }
  })
  return result
}

function storedContent(bytes: Uint8Array, header: BloscHeader): Uint8Array {
  const end = BLOSC_HEADER_LENGTH + header.decodedLength
  if (end > header.frameLength)
    throw malformed(`a stored Blosc frame is shorter than its ${header.decodedLength} bytes`)
  return bytes.subarray(BLOSC_HEADER_LENGTH, end)
}

/** Reads the streams of a block, one after the other, into `planes`. */
function readBlock(
  world: BlockWorld,
  bytes: Uint8Array,
  header: BloscHeader,
  block: number,
  blockLength: number,
): void {
  const { planes } = world
  const view = new DataView(bytes.buffer, bytes.byteOffset, header.frameLength)
  const length = blockLength / splitsOf(header, blockLength)
  let at = view.getUint32(BLOSC_HEADER_LENGTH + 4 * block, true)
  for (let target = planes; target < planes + blockLength; target += length) {
    const size = at + 4 <= view.byteLength ? view.getUint32(at, true) : Number.POSITIVE_INFINITY
    if (size > view.byteLength - at - 4)
      throw malformed(`block ${block} of a Blosc frame runs past its end`, { offset: at })
    const stream = bytes.subarray(at + 4, at + 4 + size)
    decodeBloscStream(header.compressor, stream, world, target, target + length)
    at += 4 + size
  }
}

/** Returns where in the memory the items of a block are. */
function unshuffled(world: BlockWorld, { shuffle, itemSize }: BloscHeader, length: number): number {
  const { kernels, memory, planes, items, scratch } = world
  const region = { planes, scratch, items, length, size: itemSize }
  if (shuffle === 'byte' && itemSize > 1) unshuffleWithin(kernels, memory, region)
  else if (shuffle === 'bit' && Math.floor(length / itemSize) % 8 === 0) bitUnshuffleWithin(kernels, memory, region)
  else return planes
  return items
}

function splitsOf(header: BloscHeader, blockLength: number): number {
  const { itemSize } = header
  if (header.unsplit || blockLength !== header.blockLength || itemSize > MOST_SPLITS) return 1
  return Math.floor(blockLength / itemSize) >= LEAST_SPLIT && blockLength % itemSize === 0 ? itemSize : 1
}
