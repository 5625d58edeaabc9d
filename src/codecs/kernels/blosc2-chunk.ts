import { malformed, unsupported } from '../../errors.ts'
import { decodeBlosc } from './blosc.ts'
import type { BloscCompressor } from './blosc-frame.ts'
import { decodeBloscStream, type FrameWorld } from './blosc-streams.ts'
import { undoFilter } from './blosc2-filters.ts'
import { scratchBytes } from './shuffle.ts'
import { byteKernels } from './wasm/bytes.ts'

// c-blosc2, README_CHUNK_FORMAT.rst.
const SHORT_HEADER = 16
const LONG_HEADER = 32
const FILTERS = 6
const FIRST_VERSION = 3

const MEMCPY = 2
const UNSPLIT = 16
/** Byte shuffle and bit shuffle at once: the header is a long one. */
const EXTENDED = 1 | 4
const DICTIONARY = 1

const COMPRESSORS: readonly (BloscCompressor | undefined)[] = ['blosclz', 'lz4', undefined, 'zlib', 'zstd']

interface Chunk {
  readonly bytes: Uint8Array
  readonly compressor: BloscCompressor | undefined
  readonly isSplit: boolean
  readonly itemSize: number
  readonly decodedLength: number
  readonly blockLength: number
  /** Codes, and what goes with each, in the order of writing. */
  readonly filters: readonly (readonly [code: number, meta: number])[]
  readonly start: number
}

/** The content of one Blosc2 chunk, at most `limit` bytes; what comes behind the chunk is ignored. */
export function decodeBlosc2Chunk(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length < SHORT_HEADER) throw malformed(`${bytes.length} bytes hold no Blosc2 chunk`)
  if ((bytes[0] ?? 0) < FIRST_VERSION) return decodeBlosc(bytes, limit)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const flags = view.getUint8(2)
  const decodedLength = view.getUint32(4, true)
  const length = view.getUint32(12, true)
  const isLong = (flags & EXTENDED) === EXTENDED
  const start = isLong ? LONG_HEADER : SHORT_HEADER
  if (length > bytes.length || length < start) {
    throw malformed(`a Blosc2 chunk says it is ${length} bytes long, ${bytes.length} are there`)
  }
  if (decodedLength > limit)
    throw malformed(`a Blosc2 chunk says ${decodedLength} bytes, at most ${limit} are expected`)
  const chunk: Chunk = {
    bytes: bytes.subarray(0, length),
    compressor: COMPRESSORS[flags >> 5],
    isSplit: (flags & UNSPLIT) === 0,
    itemSize: view.getUint8(3),
    decodedLength,
    blockLength: view.getUint32(8, true),
    filters: filtersOf(bytes, flags, isLong),
    start,
  }
  const flags2 = isLong ? view.getUint8(LONG_HEADER - 1) : 0
  const special = (flags2 >> 4) & 7
  if (special !== 0) return specialContent(special, decodedLength, chunk.itemSize, chunk.bytes.subarray(start))
  if ((flags2 & DICTIONARY) !== 0)
    throw unsupported('Blosc2 dictionaries', 'a Blosc2 chunk is compressed with a dictionary')
  return (flags & MEMCPY) !== 0 ? storedContent(chunk) : blocksContent(chunk)
}

function filtersOf(bytes: Uint8Array, flags: number, isLong: boolean): [number, number][] {
  if (isLong) {
    return Array.from({ length: FILTERS }, (_, i) => [bytes[SHORT_HEADER + i] ?? 0, bytes[SHORT_HEADER + 8 + i] ?? 0])
  }
  const code = (flags & 1) !== 0 ? 1 : (flags & 4) !== 0 ? 2 : 0
  return (flags & 8) !== 0
    ? [
        [3, 0],
        [code, 0],
      ]
    : [[code, 0]]
}

/** A chunk of one value: zeros (also for "never set"), NaN, or the value that is given. */
export function specialContent(kind: number, length: number, itemSize: number, value: Uint8Array): Uint8Array {
  const result = new Uint8Array(length)
  if (kind === 1 || kind === 4) return result
  let item: Uint8Array
  if (kind === 2 && itemSize === 4) item = Uint8Array.of(0, 0, 0xc0, 0x7f)
  else if (kind === 2 && itemSize === 8) item = Uint8Array.of(0, 0, 0, 0, 0, 0, 0xf8, 0x7f)
  else if (kind === 3 && value.length >= itemSize && itemSize > 0) item = value.subarray(0, itemSize)
  else throw malformed(`a Blosc2 chunk of special kind ${kind} with items of ${itemSize} bytes`)
  if (length % itemSize !== 0) throw malformed(`a Blosc2 chunk of ${length} bytes with items of ${itemSize}`)
  for (let at = 0; at < length; at += itemSize) result.set(item, at)
  return result
}

function storedContent({ bytes, start, decodedLength }: Chunk): Uint8Array {
  if (bytes.length - start < decodedLength) {
    throw malformed(`a stored Blosc2 chunk is shorter than its ${decodedLength} bytes`)
  }
  return bytes.subarray(start, start + decodedLength)
}

function blocksContent(chunk: Chunk): Uint8Array {
  const { bytes, start, decodedLength, blockLength, itemSize } = chunk
  if (decodedLength === 0) return new Uint8Array(0)
  if (blockLength === 0 || blockLength > decodedLength || itemSize === 0) {
    throw malformed(`a Blosc2 chunk of ${decodedLength} bytes says blocks of ${blockLength}, items of ${itemSize}`)
  }
  const count = Math.ceil(decodedLength / blockLength)
  if (start + 4 * count > bytes.length) throw malformed(`a Blosc2 chunk has no room for ${count} blocks`)
  const lengths = [bytes.length, blockLength, blockLength, scratchBytes(blockLength, itemSize)] as const
  const result = new Uint8Array(decodedLength)
  byteKernels.use(lengths, (kernels, memory, source, planes, items, scratch) => {
    memory.set(bytes, source)
    const world = { kernels, memory, source, planes, items, scratch }
    for (let block = 0; block < count; block++) {
      const target = result.subarray(block * blockLength, (block + 1) * blockLength)
      readBlock(chunk, world, block, target.length)
      const first = block === 0 ? undefined : result.subarray(0, blockLength)
      const at = unfiltered(chunk, world, target.length, first)
      target.set(memory.subarray(at, at + target.length))
    }
  })
  return result
}

/** Reads the streams of a block, one after the other, into `planes`. */
function readBlock(chunk: Chunk, world: FrameWorld, block: number, length: number): void {
  const streams = chunk.isSplit && length === chunk.blockLength ? chunk.itemSize : 1
  if (length % streams !== 0) throw malformed(`a Blosc2 block of ${length} bytes is split into ${streams} streams`)
  const { memory, source, planes } = world
  const view = new DataView(memory.buffer, source, chunk.bytes.length)
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
function readStream({ bytes, compressor }: Chunk, world: FrameWorld, { size, at, target, targetEnd }: Stream): number {
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
  const source = world.source + at
  decodeBloscStream(compressor, world, { source, sourceEnd: source + size, target, targetEnd })
  return at + size
}

/** Undoes the filters of a block, the last one first; returns where in the memory it is then. */
function unfiltered(
  { filters, itemSize }: Chunk,
  world: FrameWorld,
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
