// What of node:zlib this project uses, for browsers. Streams are checked as zlib checks them: by their checksums, and by their ends.

import { Buffer } from 'buffer/index.js'
import { deflate, gzip as gzipWhole, Inflate } from 'pako'
import { unsupported } from '../../errors.ts'
import { crc32 } from './crc32.ts'
import { unzstd, zstdStored } from './zstd.ts'

export { crc32 }

/** The bounds that callers set. */
interface InflateOptions {
  readonly dictionary?: Uint8Array
  readonly maxOutputLength?: number
  readonly finishFlush?: number
}

export const constants = {
  Z_SYNC_FLUSH: 2,
  BROTLI_PARAM_QUALITY: 1,
  BROTLI_PARAM_SIZE_HINT: 5,
  ZSTD_c_compressionLevel: 100,
  ZSTD_c_contentSizeFlag: 200,
  ZSTD_c_checksumFlag: 201,
} as const

/** So much is inflated before its length is looked at. */
const PIECE_BYTES = 65_536

/** As zlib names what it finds. */
class ZlibError extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

export function inflateSync(bytes: Uint8Array, options: InflateOptions = {}): Buffer {
  if (((bytes[0] ?? 0) & 15) !== 8) throw new ZlibError('incorrect header check', 'Z_DATA_ERROR')
  return inflated(bytes, false, options)
}

export function gunzipSync(bytes: Uint8Array, options: InflateOptions = {}): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new ZlibError('incorrect header check', 'Z_DATA_ERROR')
  return inflated(bytes, false, options)
}

export function inflateRawSync(bytes: Uint8Array, options: InflateOptions = {}): Buffer {
  return inflated(bytes, true, options)
}

export function inflateRaw(
  bytes: Uint8Array,
  options: InflateOptions,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  try {
    done(null, inflateRawSync(bytes, options))
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

function inflated(bytes: Uint8Array, raw: boolean, { maxOutputLength, finishFlush }: InflateOptions): Buffer {
  const most = maxOutputLength ?? 2 ** 31
  const inflater = new Inflate({ raw, chunkSize: Math.min(Math.max(most, 1024), PIECE_BYTES) })
  const parts: Uint8Array[] = []
  let length = 0
  inflater.onData = (part) => {
    length += part.length
    if (length > most) throw new RangeError(`Cannot create a Buffer larger than ${most} bytes`)
    parts.push(part)
  }
  let isOver = false
  inflater.onEnd = () => {
    isOver = true
  }
  inflater.push(bytes, constants.Z_SYNC_FLUSH)
  if (inflater.err < -1 && inflater.err !== -5) throw new ZlibError(inflater.msg || 'damaged data', 'Z_DATA_ERROR')
  const isWhole = isOver && inflater.err === 0
  if (!isWhole && finishFlush !== constants.Z_SYNC_FLUSH) throw new ZlibError('unexpected end of file', 'Z_BUF_ERROR')
  return Buffer.concat(parts, length)
}

/** Its dictionary alone would double what a page loads. */
export function brotliDecompressSync(): Buffer {
  throw unsupported('Brotli in a browser', 'Brotli is not decoded in a browser')
}

export function zstdDecompressSync(
  bytes: Uint8Array,
  { maxOutputLength = 2 ** 31, dictionary }: InflateOptions = {},
): Uint8Array {
  if (dictionary !== undefined)
    throw unsupported('zstd dictionaries in a browser', 'zstd has no dictionaries in a browser')
  return unzstd(bytes, maxOutputLength)
}

export function zstdDecompress(
  bytes: Uint8Array,
  options: InflateOptions,
  done: (error: Error | null, bytes?: Uint8Array) => void,
): void {
  try {
    done(null, zstdDecompressSync(bytes, options))
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

/** A frame of stored blocks: nothing that is made here leaves the page, and compressing it would only cost time. */
export function zstdCompressSync(bytes: Uint8Array): Uint8Array {
  return zstdStored(bytes)
}

export function deflateSync(bytes: Uint8Array, { level = 6 }: { readonly level?: number } = {}): Uint8Array {
  return deflate(bytes, { level })
}

export function gzipSync(bytes: Uint8Array, { level = 6 }: { readonly level?: number } = {}): Uint8Array {
  return gzipWhole(bytes, { level })
}

/** Documents are compressed for the wire, and there is none. */
function notHere(): never {
  throw new Error('documents are not compressed in a browser')
}

export const gzip = notHere
export const brotliCompress = notHere
export const zstdCompress = notHere
