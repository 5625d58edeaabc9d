import { deflateSync, gzipSync } from 'node:zlib'
import type { JsonObject } from '../../json/json.ts'
import type { ByteCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { inflateGzip, inflateZlib, inflateZstd, zstdFrame } from '../kernels/inflate.ts'
import { withoutTrailing } from '../kernels/zstd-frames.ts'

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
