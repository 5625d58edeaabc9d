// The compressors of the Python package imagecodecs by the names that imagecodecs-numcodecs registers, and virtual-tiff publishes.
import { brotliDecompressSync } from 'node:zlib'
import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { ByteCodec, DecodeContext } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { bitshuffle } from '../hdf5/bitshuffle.ts'
import { deflateRaw } from '../hdf5/deflate-raw.ts'
import { jpegLs } from '../hdf5/jpegls.ts'
import { lz4Hdf5 } from '../hdf5/lz4-blocks.ts'
import { lzf } from '../hdf5/lzf.ts'
import { decodeBlosc2Chunk } from '../kernels/blosc2-chunk.ts'
import { decodeSnappy, snappyLength } from '../kernels/snappy.ts'
import { tiffFillOrder } from '../tiff/fill-order.ts'
import { blosc } from '../zarr/blosc.ts'
import { numcodecsZlib, numcodecsZstd } from '../zarr/inflate.ts'
import { numcodecsBz2 } from './bz2.ts'
import { decodeLz4Block, numcodecsLz4 } from './lz4.ts'
import { numcodecsLzma } from './lzma.ts'

type Decode = ByteCodec['decode']

/** Decoders that exist under another name, and those of streams that only imagecodecs writes. */
export const IMAGECODECS_BYTES: readonly ByteCodec[] = [
  ...['zlib', 'zlibng', 'zopfli'].map((name) => named(name, numcodecsZlib.decode)),
  named('deflate', (bytes, configuration, context) =>
    (configuration['raw'] === true ? deflateRaw : numcodecsZlib).decode(bytes, {}, context),
  ),
  named('zstd', numcodecsZstd.decode),
  named('bz2', numcodecsBz2.decode),
  named('lzma', (bytes, _configuration, context) => numcodecsLzma.decode(bytes, { format: 0 }, context)),
  named('blosc', blosc.decode),
  named('blosc2', (bytes, _configuration, { limit }) => decodeBlosc2Chunk(bytes, limit)),
  named('brotli', (bytes, _configuration, context) => inflatedBrotli(bytes, context)),
  named('snappy', (bytes, _configuration, context) => inflatedSnappy(bytes, context)),
  named('lz4', (bytes, configuration, context) =>
    configuration['header'] === true ? numcodecsLz4.decode(bytes, {}, context) : inflatedLz4(bytes, context),
  ),
  named('lz4h5', lz4Hdf5.decode),
  // Four bytes of decoded length.
  named('lzf', (bytes, configuration, context) =>
    lzf.decode(configuration['header'] === false ? bytes : bytes.subarray(4), {}, context),
  ),
  {
    ...named('bitshuffle', (bytes, configuration, context) =>
      bitshuffle.decode(bytes, shuffling(configuration), context),
    ),
    check: shuffling,
  },
  named('bitorder', tiffFillOrder.decode),
  named('jpegls', jpegLs.decode),
  // Lossy when written, nothing when read.
  named('quantize', (bytes) => bytes),
]

function named(name: string, decode: Decode): ByteCodec {
  return { kind: 'bytes', name: `imagecodecs_${name}`, reach: 'native', decode }
}

function shuffling(configuration: JsonObject): JsonObject {
  const elementsize = integerMember(configuration, 'itemsize', { least: 1, most: 2 ** 24, fallback: 1 })
  const blocksize = integerMember(configuration, 'blocksize', { least: 0, most: 2 ** 31, fallback: 0 })
  return { elementsize, blocksize }
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
