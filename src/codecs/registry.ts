import { bitField } from './bit-field.ts'
import { bitshuffle } from './bitshuffle.ts'
import { blosc, numcodecsBlosc } from './blosc.ts'
import { blosc2 } from './blosc2.ts'
import { bytesCodec } from './bytes.ts'
import { numcodecsBz2 } from './bzip2.ts'
import { castValue } from './cast-value.ts'
import { categorize } from './categorize.ts'
import { crc32cCodec, numcodecsChecksums } from './checksum.ts'
import type { Codec } from './codec.ts'
import { deflateRaw } from './deflate-raw.ts'
import { recordField } from './field.ts'
import { FITS_CODECS } from './fits-codecs.ts'
import { hdf5AnyText } from './hdf5-any-text.ts'
import { hdf5Sequences } from './hdf5-sequences.ts'
import { hdf5VlenText } from './hdf5-vlen-text.ts'
import { IMAGECODECS_BYTES } from './imagecodecs-bytes.ts'
import { IMAGECODECS_PICTURES } from './imagecodecs-pictures.ts'
import { gzip, numcodecsGzip, numcodecsZlib, numcodecsZstd, zstd } from './inflate.ts'
import { jpegLs } from './jpegls.ts'
import { numcodecsLz4 } from './lz4.ts'
import { lz4Hdf5 } from './lz4-hdf5.ts'
import { lzf } from './lzf.ts'
import { numcodecsLzma } from './lzma.ts'
import { lzo } from './lzo.ts'
import { nbit } from './nbit.ts'
import { asType, bitRound, delta, fixedScaleOffset, quantize } from './number-filters.ts'
import { packBits } from './packbits.ts'
import { repack } from './repack.ts'
import { scaleOffset } from './scale-offset.ts'
import { scaleOffsetHdf5 } from './scaleoffset-hdf5.ts'
import { sharding } from './sharding.ts'
import { shuffleCodec } from './shuffle.ts'
import { squeeze } from './squeeze.ts'
import { szip } from './szip.ts'
import { fixedText } from './text.ts'
import { TIFF_CODECS } from './tiff-codecs.ts'
import { transpose } from './transpose.ts'
import { view } from './view.ts'
import { vlenBytes, vlenUtf8 } from './vlen.ts'
import { zfp } from './zfp.ts'

const CODECS: readonly Codec[] = [
  transpose,
  squeeze,
  scaleOffset,
  castValue,
  delta,
  fixedScaleOffset,
  quantize,
  bitRound,
  asType,
  packBits,
  categorize,
  fixedText,
  recordField,
  bitField,
  repack,
  view,
  bytesCodec,
  vlenUtf8,
  vlenBytes,
  hdf5VlenText,
  hdf5Sequences,
  hdf5AnyText,
  sharding,
  gzip,
  zstd,
  blosc,
  crc32cCodec,
  shuffleCodec,
  deflateRaw,
  numcodecsGzip,
  numcodecsZlib,
  numcodecsZstd,
  numcodecsBlosc,
  numcodecsLz4,
  numcodecsBz2,
  numcodecsLzma,
  ...numcodecsChecksums,
  ...TIFF_CODECS,
  ...IMAGECODECS_BYTES,
  ...IMAGECODECS_PICTURES,
  ...FITS_CODECS,
  lzf,
  szip,
  nbit,
  scaleOffsetHdf5,
  lz4Hdf5,
  jpegLs,
  lzo,
  bitshuffle,
  blosc2,
  zfp,
]

const BY_NAME: ReadonlyMap<string, Codec> = new Map(CODECS.map((codec) => [codec.name, codec]))

/** The codec of this name; undefined when this server has none. */
export function findCodec(name: string): Codec | undefined {
  return BY_NAME.get(name)
}
