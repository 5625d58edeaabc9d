import {
  constants,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { ByteCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { withoutTrailing } from '../kernels/zstd-frames.ts'

type Inflate = (bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Uint8Array

/** RFC 1952, several members allowed; numcodecs' own is the same. */
export const gzip = deflated('gzip', 'portable')
export const numcodecsGzip = deflated('numcodecs.gzip', 'native')

/** RFC 1950: what most files mean by "deflate". */
export const numcodecsZlib: ByteCodec = {
  kind: 'bytes',
  name: 'numcodecs.zlib',
  reach: 'native',
  writes: true,
  prepare: (configuration) => ({
    decode: (bytes, context) => inflateZlib(bytes, context.limit, context.enough),
    encode: (bytes) => deflateSync(bytes, { level: levelOf(configuration, -1, 9, -1) }),
  }),
}

/** RFC 8878, several frames allowed. */
export const zstd = zstandard('zstd', 'portable')
export const numcodecsZstd = zstandard('numcodecs.zstd', 'native')

/** The content of a zlib stream, at most `limit` bytes of it. Where `enough` is there the stream may lack its end. */
export function inflateZlib(bytes: Uint8Array, limit: number, enough?: number): Uint8Array {
  try {
    return bounded('zlib', inflateSync, bytes, limit)
  } catch (error) {
    if (enough === undefined || !isCutOff(error)) throw error
    const content = bounded('zlib', inflateUnfinished, bytes, limit)
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
  return bounded('gzip', gunzipSync, bytes, limit)
}

/** The content of zstd frames, at most `limit` bytes of it. */
export function inflateZstd(bytes: Uint8Array, limit: number): Uint8Array {
  return bounded('zstd', zstdDecompressSync, bytes, limit)
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

function deflated(name: string, reach: 'portable' | 'native'): ByteCodec {
  return {
    kind: 'bytes',
    name,
    reach,
    writes: true,
    prepare: (configuration) => ({
      decode: (bytes, context) => inflateGzip(bytes, context.limit),
      encode: (bytes) => gzipSync(bytes, { level: levelOf(configuration, 0, 9, 5) }),
    }),
  }
}

function zstandard(name: string, reach: 'portable' | 'native'): ByteCodec {
  return {
    kind: 'bytes',
    name,
    reach,
    writes: true,
    prepare: (configuration) => ({
      decode: (bytes, { limit, enough }) => inflateZstd(enough === undefined ? bytes : withoutTrailing(bytes), limit),
      encode: (bytes) =>
        zstdFrame(bytes, levelOf(configuration, -(2 ** 17), 22, 0), configuration['checksum'] === true),
    }),
  }
}

/** Decoding doesn't depend on it: one that makes no sense is only refused where it is written with. */
function levelOf(configuration: JsonObject, least: number, most: number, fallback: number): number {
  return integerMember(configuration, 'level', { least, most, fallback })
}

function bounded(what: string, inflate: Inflate, bytes: Uint8Array, limit: number): Uint8Array {
  const most = Math.max(limit, 1)
  try {
    return inflate(bytes, { maxOutputLength: most, chunkSize: Math.min(Math.max(most, 1024), 2 ** 18) })
  } catch (cause) {
    const message = cause instanceof RangeError ? `inflates to more than ${limit} bytes` : `is damaged: ${text(cause)}`
    throw malformed(`a ${what} stream of ${bytes.length} bytes ${message}`, {}, cause)
  }
}

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
