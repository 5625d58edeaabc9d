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
