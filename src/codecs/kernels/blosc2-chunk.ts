import { malformed, unsupported } from '../../errors.ts'
import { decodeBlosc } from './blosc.ts'
import type { BloscCompressor } from './blosc-frame.ts'
import { type Blosc2Blocks, readBlosc2Blocks } from './blosc2-blocks.ts'
import { chunkMemory } from './chunk-memory.ts'

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

/** Content that is there, or blocks that it is to be decoded from. */
export type Blosc2Chunk =
  | { readonly kind: 'content'; readonly content: Uint8Array }
  | { readonly kind: 'blocks'; readonly blocks: Blosc2Blocks }

/** The content of one Blosc2 chunk, at most `limit` bytes; what comes behind the chunk is ignored. */
export function decodeBlosc2Chunk(bytes: Uint8Array, limit: number): Uint8Array {
  return blosc2Content(parseBlosc2Chunk(bytes, limit))
}

export function blosc2Content(chunk: Blosc2Chunk): Uint8Array {
  if (chunk.kind === 'content') return chunk.content
  const { blocks } = chunk
  const result = chunkMemory.take(blocks.decodedLength)
  readBlosc2Blocks(blocks, (block, number) => result.set(block, number * blocks.blockLength))
  return result
}

/** Reads the header of a chunk of at most `limit` bytes. */
export function parseBlosc2Chunk(bytes: Uint8Array, limit: number): Blosc2Chunk {
  if (bytes.length < SHORT_HEADER) throw malformed(`${bytes.length} bytes hold no Blosc2 chunk`)
  if ((bytes[0] ?? 0) < FIRST_VERSION) return { kind: 'content', content: decodeBlosc(bytes, limit) }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const flags = view.getUint8(2)
  const itemSize = view.getUint8(3)
  const decodedLength = view.getUint32(4, true)
  const length = view.getUint32(12, true)
  const isLong = (flags & EXTENDED) === EXTENDED
  const start = isLong ? LONG_HEADER : SHORT_HEADER
  if (length > bytes.length || length < start) {
    throw malformed(`a Blosc2 chunk says it is ${length} bytes long, ${bytes.length} are there`)
  }
  if (decodedLength > limit)
    throw malformed(`a Blosc2 chunk says ${decodedLength} bytes, at most ${limit} are expected`)
  const body = bytes.subarray(start, length)
  const flags2 = isLong ? view.getUint8(LONG_HEADER - 1) : 0
  const special = (flags2 >> 4) & 7
  if (special !== 0) return { kind: 'content', content: specialContent(special, decodedLength, itemSize, body) }
  if ((flags2 & DICTIONARY) !== 0)
    throw unsupported('Blosc2 dictionaries', 'a Blosc2 chunk is compressed with a dictionary')
  if ((flags & MEMCPY) !== 0) return { kind: 'content', content: storedContent(body, decodedLength) }
  if (decodedLength === 0) return { kind: 'content', content: new Uint8Array(0) }
  const blocks = {
    bytes: bytes.subarray(0, length),
    start,
    compressor: COMPRESSORS[flags >> 5],
    isSplit: (flags & UNSPLIT) === 0,
    itemSize,
    decodedLength,
    blockLength: view.getUint32(8, true),
    filters: filtersOf(bytes, flags, isLong),
  }
  return { kind: 'blocks', blocks }
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

function storedContent(body: Uint8Array, decodedLength: number): Uint8Array {
  if (body.length < decodedLength) throw malformed(`a stored Blosc2 chunk is shorter than its ${decodedLength} bytes`)
  return body.subarray(0, decodedLength)
}
