import { malformed } from '../../errors.ts'
import { BLOSC_HEADER_LENGTH, type BloscCompressor, type BloscHeader, parseBloscHeader } from './blosc-frame.ts'
import { decodeBloscLz } from './blosclz.ts'
import { inflateZlib, inflateZstd } from './inflate.ts'
import { decodeLz4Block } from './lz4.ts'
import { bitUnshuffle, unshuffle } from './shuffle.ts'
import { decodeSnappy } from './snappy.ts'

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
  const frame = bytes.subarray(0, frameLength)
  const result = new Uint8Array(decodedLength)
  for (let block = 0; block < count; block++) decodeBlock(frame, header, block, result)
  return result
}

function storedContent(bytes: Uint8Array, header: BloscHeader): Uint8Array {
  const end = BLOSC_HEADER_LENGTH + header.decodedLength
  if (end > header.frameLength)
    throw malformed(`a stored Blosc frame is shorter than its ${header.decodedLength} bytes`)
  return bytes.subarray(BLOSC_HEADER_LENGTH, end)
}

function decodeBlock(frame: Uint8Array, header: BloscHeader, block: number, result: Uint8Array): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const target = result.subarray(block * header.blockLength, (block + 1) * header.blockLength)
  const splits = splitsOf(header, target.length)
  const length = target.length / splits
  const content = header.shuffle === 'none' ? target : new Uint8Array(target.length)
  let at = view.getUint32(BLOSC_HEADER_LENGTH + 4 * block, true)
  for (let part = 0; part < splits; part++) {
    const size = at + 4 <= frame.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY
    if (size > frame.length - at - 4)
      throw malformed(`block ${block} of a Blosc frame runs past its end`, { offset: at })
    const stream = frame.subarray(at + 4, at + 4 + size)
    decodeBloscStream(header.compressor, stream, content.subarray(part * length, (part + 1) * length))
    at += 4 + size
  }
  if (content !== target) target.set(unshuffled(content, header))
}

function splitsOf(header: BloscHeader, blockLength: number): number {
  const { itemSize } = header
  if (header.unsplit || blockLength !== header.blockLength || itemSize > MOST_SPLITS) return 1
  return Math.floor(blockLength / itemSize) >= LEAST_SPLIT && blockLength % itemSize === 0 ? itemSize : 1
}

/** One compressed stream of a block, which fills its target. */
export function decodeBloscStream(compressor: BloscCompressor, stream: Uint8Array, target: Uint8Array): void {
  const written = stream.length === target.length ? copied(stream, target) : inflated(compressor, stream, target)
  if (written !== target.length) {
    throw malformed(`a ${compressor} stream in a Blosc frame holds ${written} bytes, expected ${target.length}`)
  }
}

function copied(stream: Uint8Array, target: Uint8Array): number {
  target.set(stream)
  return stream.length
}

function inflated(compressor: BloscCompressor, stream: Uint8Array, target: Uint8Array): number {
  switch (compressor) {
    case 'blosclz':
      return decodeBloscLz(stream, target)
    case 'lz4':
      return decodeLz4Block(stream, target)
    case 'snappy':
      return decodeSnappy(stream, target)
    case 'zlib':
      return copied(inflateZlib(stream, target.length), target)
    case 'zstd':
      return copied(inflateZstd(stream, target.length), target)
  }
}

function unshuffled(content: Uint8Array, header: BloscHeader): Uint8Array {
  if (header.shuffle === 'byte') return unshuffle(content, header.itemSize)
  return content.length >= header.itemSize ? bitUnshuffle(content, header.itemSize) : content
}
