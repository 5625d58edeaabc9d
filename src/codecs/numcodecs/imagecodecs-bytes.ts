// The compressors of the Python package imagecodecs by the names that imagecodecs-numcodecs registers, and virtual-tiff publishes.
import { brotliDecompressSync } from 'node:zlib'
import { malformed } from '../../errors.ts'
import type { ByteCodec, ByteStep, DecodeContext } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { prepareBitshuffle } from '../hdf5/bitshuffle.ts'
import { inflateRaw } from '../hdf5/deflate-raw.ts'
import { decodeJpegLs } from '../hdf5/jpegls.ts'
import { decodeLz4Hdf5 } from '../hdf5/lz4-blocks.ts'
import { decodeLzf } from '../hdf5/lzf.ts'
import { decodeBlosc } from '../kernels/blosc.ts'
import { decodeBlosc2Chunk } from '../kernels/blosc2-chunk.ts'
import { inflateZlib } from '../kernels/inflate.ts'
import { decodeLz4, decodeLz4Block } from '../kernels/lz4.ts'
import { decodeSnappy, snappyLength } from '../kernels/snappy.ts'
import { reversedBits } from '../tiff/lzw.ts'
import { numcodecsZstd } from '../zarr/gzip-zstd.ts'
import { numcodecsBz2 } from './bz2.ts'
import { decodeAny } from './lzma.ts'

type Prepare = ByteCodec['prepare']

/** Decoders that exist under another name, and those of streams that only imagecodecs writes. */
export const IMAGECODECS_BYTES: readonly ByteCodec[] = [
  ...['zlib', 'zlibng', 'zopfli'].map((name) => decoding(name, inflatedZlib)),
  named('deflate', (configuration) => ({ decode: configuration['raw'] === true ? inflatedRaw : inflatedZlib })),
  named('zstd', () => numcodecsZstd.prepare({})),
  named('bz2', numcodecsBz2.prepare),
  decoding('lzma', decodeAny),
  decoding('blosc', (bytes, { limit }) => decodeBlosc(bytes, limit)),
  decoding('blosc2', (bytes, { limit }) => decodeBlosc2Chunk(bytes, limit)),
  decoding('brotli', inflatedBrotli),
  decoding('snappy', inflatedSnappy),
  named('lz4', (configuration) => ({
    decode: configuration['header'] === true ? (bytes, { limit }) => decodeLz4(bytes, limit) : inflatedLz4,
  })),
  decoding('lz4h5', (bytes, { limit }) => decodeLz4Hdf5(bytes, limit)),
  named('lzf', ({ header }) => ({
    // Four bytes of decoded length.
    decode: (bytes, { limit }) => decodeLzf(header === false ? bytes : bytes.subarray(4), limit),
  })),
  named('bitshuffle', (configuration) => {
    const elementsize = integerMember(configuration, 'itemsize', { least: 1, most: 2 ** 24, fallback: 1 })
    const blocksize = integerMember(configuration, 'blocksize', { least: 0, most: 2 ** 31, fallback: 0 })
    return prepareBitshuffle({ elementsize, blocksize, compression: 'none' })
  }),
  decoding('bitorder', reversedBits),
  decoding('jpegls', (bytes, { limit }) => decodeJpegLs(bytes, limit)),
  // Lossy when written, nothing when read.
  decoding('quantize', (bytes) => bytes),
]

function named(name: string, prepare: Prepare): ByteCodec {
  return { kind: 'bytes', name: `imagecodecs_${name}`, reach: 'native', prepare }
}

/** One whose configuration says nothing that its streams don't. */
function decoding(name: string, decode: ByteStep['decode']): ByteCodec {
  return named(name, () => ({ decode }))
}

function inflatedZlib(bytes: Uint8Array, { limit, enough }: DecodeContext): Uint8Array {
  return inflateZlib(bytes, limit, enough)
}

function inflatedRaw(bytes: Uint8Array, { limit }: DecodeContext): Uint8Array {
  return inflateRaw(bytes, limit)
}

function inflatedBrotli(bytes: Uint8Array, { limit }: DecodeContext): Uint8Array {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: limit })
  } catch (cause) {
    throw malformed(`a Brotli stream of ${bytes.length} bytes does not inflate to at most ${limit}`, {}, cause)
  }
}

function inflatedSnappy(bytes: Uint8Array, { limit }: DecodeContext): Uint8Array {
  const length = snappyLength(bytes)
  if (length > limit) throw malformed(`a Snappy stream says ${length} bytes, at most ${limit} are expected`)
  const result = new Uint8Array(length)
  const written = decodeSnappy(bytes, result)
  if (written !== length) throw malformed(`a Snappy stream holds ${written} bytes, its header says ${length}`)
  return result
}

/** A block without a header: it ends where its bytes do. */
function inflatedLz4(bytes: Uint8Array, { limit }: DecodeContext): Uint8Array {
  // No byte of a block makes more than 255 of its content.
  const room = new Uint8Array(Math.min(limit, bytes.length * 255))
  return room.subarray(0, decodeLz4Block(bytes, room))
}
