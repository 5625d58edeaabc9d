import { constants, gunzipSync, inflateSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { malformed } from '../../errors.ts'
import { framesOf, mostZstdContent } from './zstd-frames.ts'

type Inflate = (bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Uint8Array

/** The content of a zlib stream, at most `limit` bytes of it. Where `enough` is there the stream may lack its end. */
export function inflateZlib(bytes: Uint8Array, limit: number, enough?: number): Uint8Array {
  try {
    return bounded('zlib', inflateSync, bytes, limit, mostDeflated(bytes))
  } catch (error) {
    if (enough === undefined || !isCutOff(error)) throw error
    const content = bounded('zlib', inflateUnfinished, bytes, limit, mostDeflated(bytes))
    if (content.length < enough) throw error
    return content
  }
}

const inflateUnfinished: Inflate = (bytes, options) =>
  inflateSync(bytes, { ...options, finishFlush: constants.Z_SYNC_FLUSH })

function isCutOff(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === 'Z_BUF_ERROR'
  )
}

/** The content of a gzip file, at most `limit` bytes of it. */
export function inflateGzip(bytes: Uint8Array, limit: number): Uint8Array {
  return bounded('gzip', gunzipSync, bytes, limit, mostDeflated(bytes))
}

/** The content of zstd frames, at most `limit` bytes of it. Node inflates the first frame only, and is silent about others. */
export function inflateZstd(bytes: Uint8Array, limit: number): Uint8Array {
  const frames = framesOf(bytes)
  if (frames.length < 2) return inflateFrame(frames[0] ?? bytes, limit)
  const contents: Uint8Array[] = []
  let length = 0
  for (const frame of frames) {
    const content = inflateFrame(frame, limit - length)
    contents.push(content)
    length += content.length
  }
  return Buffer.concat(contents, length)
}

function inflateFrame(bytes: Uint8Array, limit: number): Uint8Array {
  return bounded('zstd', zstdDecompressSync, bytes, limit, mostZstdContent(bytes))
}

/** One zstd frame that states its content size; the same input always gives the same bytes. */
export function zstdFrame(bytes: Uint8Array, level: number, checksum: boolean): Uint8Array {
  return zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: checksum ? 1 : 0,
      [constants.ZSTD_c_contentSizeFlag]: 1,
    },
  })
}

/** RFC 1951: two bits stand for 258 bytes at the most. */
function mostDeflated(bytes: Uint8Array): number {
  return bytes.length * 1032
}

/** `possible` is the most that the stream itself can hold, whatever is allowed: memory is taken for no more. */
function bounded(what: string, inflate: Inflate, bytes: Uint8Array, limit: number, possible: number): Uint8Array {
  const most = Math.max(limit, 1)
  try {
    return inflate(bytes, { maxOutputLength: most, chunkSize: pieceBytes(bytes.length, Math.min(most, possible)) })
  } catch (cause) {
    const message = cause instanceof RangeError ? `inflates to more than ${limit} bytes` : `is damaged: ${text(cause)}`
    throw malformed(`a ${what} stream of ${bytes.length} bytes ${message}`, {}, cause)
  }
}

/**
 * What is long comes in one piece, and so does what is likely to fill it: pieces would be held a second time while they are
 * joined, and zstd decodes straight into a piece that has room for all.
 */
function pieceBytes(stored: number, most: number): number {
  return most > LONG_BYTES || most <= stored * LIKELY_GROWTH ? most + 1024 : Math.min(Math.max(most, 1024), 2 ** 18)
}

const LONG_BYTES = 2 ** 22
const LIKELY_GROWTH = 16

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
