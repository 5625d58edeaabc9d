import { malformed } from '../../errors.ts'

/**
 * The header of a Blosc-1 frame (c-blosc `README_HEADER.rst`): version, version of the inner codec, flags, item size,
 * then three little-endian 32-bit numbers: decoded length, block length, length of the whole frame.
 */
export interface BloscHeader {
  readonly compressor: BloscCompressor
  readonly shuffle: 'none' | 'byte' | 'bit'
  /** The content is stored as it is, right after the header. */
  readonly memcpy: boolean
  /** Blocks are one stream each; otherwise they may be one stream per byte of an item. */
  readonly unsplit: boolean
  readonly itemSize: number
  readonly decodedLength: number
  readonly blockLength: number
  readonly frameLength: number
}

export type BloscCompressor = 'blosclz' | 'lz4' | 'snappy' | 'zlib' | 'zstd'

export const BLOSC_HEADER_LENGTH = 16

/** c-blosc refuses longer blocks (BLOSC_MAX_BLOCKSIZE). */
export const BLOSC_MOST_BLOCK = 715_827_542

/** c-blosc refuses longer frames (BLOSC_MAX_BUFFERSIZE). */
export const BLOSC_MOST_CONTENT = 2 ** 31 - 1 - BLOSC_HEADER_LENGTH

const COMPRESSORS: readonly BloscCompressor[] = ['blosclz', 'lz4', 'snappy', 'zlib', 'zstd']

/** Undefined for what is no Blosc-1 header. */
export function parseBloscHeader(bytes: Uint8Array): BloscHeader | undefined {
  if (bytes.length < BLOSC_HEADER_LENGTH) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const flags = view.getUint8(2)
  const memcpy = (flags & 2) !== 0
  const compressor = COMPRESSORS[flags >> 5] ?? (memcpy ? 'blosclz' : undefined)
  if (view.getUint8(0) !== 2 || compressor === undefined) return undefined
  return {
    compressor,
    shuffle: (flags & 1) !== 0 ? 'byte' : (flags & 4) !== 0 ? 'bit' : 'none',
    memcpy,
    unsplit: (flags & 16) !== 0,
    itemSize: view.getUint8(3),
    decodedLength: view.getUint32(4, true),
    blockLength: view.getUint32(8, true),
    frameLength: view.getUint32(12, true),
  }
}

/** The 16 bytes of a header. */
export function bloscHeader(header: BloscHeader): Uint8Array {
  const bytes = new Uint8Array(BLOSC_HEADER_LENGTH)
  const view = new DataView(bytes.buffer)
  const shuffle = header.shuffle === 'byte' ? 1 : header.shuffle === 'bit' ? 4 : 0
  const flags = shuffle | (header.memcpy ? 2 : 0) | (header.unsplit ? 16 : 0)
  view.setUint8(0, 2)
  view.setUint8(1, 1)
  view.setUint8(2, flags | (COMPRESSORS.indexOf(header.compressor) << 5))
  view.setUint8(3, header.itemSize)
  view.setUint32(4, header.decodedLength, true)
  view.setUint32(8, header.blockLength, true)
  view.setUint32(12, header.frameLength, true)
  return bytes
}

/** What the Blosc header says about the foreign stream in it. */
export interface EnvelopeFrame {
  readonly stream: 'zlib' | 'zstd' | 'lz4' | 'raw'
  readonly itemSize: number
  readonly shuffled: boolean
  /** Length of the decoded chunk. */
  readonly decodedLength: number
}

/** What goes before and after the stored bytes. */
export interface Frame {
  readonly prefix: Uint8Array
  readonly suffix: Uint8Array
}

const NOTHING = new Uint8Array(0)

export const NO_FRAME: Frame = { prefix: NOTHING, suffix: NOTHING }

/** An empty skippable frame (RFC 8878, section 3.1.2): one more byte would not be zstd. */
const ZSTD_NOTHING = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0)

/**
 * A Blosc-1 frame of one block around a stored stream of this length; undefined when there is none, and the chunk must be
 * recoded. A stream exactly as long as its content is taken for the content itself by every decoder, so it is made longer:
 * zlib streams end where they end, zstd has skippable frames, an LZ4 block can't be made longer.
 */
export function envelopeFrame(frame: EnvelopeFrame, length: number): Frame | undefined {
  const { stream, decodedLength } = frame
  if (stream === 'raw') {
    if (length !== decodedLength) throw malformed(`a stored chunk is ${length} bytes long, expected ${decodedLength}`)
    return frame.shuffled ? blockFrame(frame, length, NOTHING) : storedFrame(frame)
  }
  if (length === 0) throw malformed(`a stored chunk is empty, expected a ${stream} stream`)
  if (length !== decodedLength) return blockFrame(frame, length, NOTHING)
  if (stream === 'lz4') return undefined
  return blockFrame(frame, length, stream === 'zlib' ? new Uint8Array(1) : ZSTD_NOTHING)
}

function storedFrame({ itemSize, decodedLength }: EnvelopeFrame): Frame {
  const prefix = bloscHeader({
    compressor: 'blosclz',
    shuffle: 'none',
    memcpy: true,
    unsplit: false,
    itemSize,
    decodedLength,
    blockLength: Math.min(decodedLength, BLOSC_MOST_BLOCK),
    frameLength: BLOSC_HEADER_LENGTH + decodedLength,
  })
  return { prefix, suffix: NOTHING }
}

/** Header, where the only block starts, and the length of its only stream. */
function blockFrame(frame: EnvelopeFrame, length: number, suffix: Uint8Array): Frame | undefined {
  const { stream, itemSize, shuffled, decodedLength } = frame
  const prefix = new Uint8Array(BLOSC_HEADER_LENGTH + 8)
  const frameLength = prefix.length + length + suffix.length
  if (frameLength > BLOSC_MOST_CONTENT) return undefined
  prefix.set(
    bloscHeader({
      compressor: stream === 'raw' ? 'lz4' : stream,
      shuffle: shuffled ? 'byte' : 'none',
      memcpy: false,
      unsplit: true,
      itemSize,
      decodedLength,
      blockLength: decodedLength,
      frameLength,
    }),
  )
  const view = new DataView(prefix.buffer)
  view.setUint32(BLOSC_HEADER_LENGTH, BLOSC_HEADER_LENGTH + 4, true)
  view.setUint32(BLOSC_HEADER_LENGTH + 4, length + suffix.length, true)
  return { prefix, suffix }
}
