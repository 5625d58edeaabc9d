import type { Codec } from './codec.ts'
import { FITS_CODECS } from './fits/codecs.ts'
import { gribField } from './grib/codec.ts'
import { gribMessage } from './grib/message.ts'
import { HDF4_CODECS } from './hdf4/codecs.ts'
import { hdf5AnyText } from './hdf5/any-text.ts'
import { bitshuffle } from './hdf5/bitshuffle.ts'
import { blosc2 } from './hdf5/blosc2.ts'
import { deflateRaw } from './hdf5/deflate-raw.ts'
import { jpegLs } from './hdf5/jpegls.ts'
import { lz4Hdf5 } from './hdf5/lz4-blocks.ts'
import { lzf } from './hdf5/lzf.ts'
import { lzo } from './hdf5/lzo.ts'
import { nbit } from './hdf5/nbit.ts'
import { scaleOffsetHdf5 } from './hdf5/scale-offset.ts'
import { hdf5Sequences } from './hdf5/sequences.ts'
import { szip } from './hdf5/szip.ts'
import { hdf5VlenText } from './hdf5/vlen-text.ts'
import { zfp } from './hdf5/zfp.ts'
import { numcodecsBz2 } from './numcodecs/bz2.ts'
import { categorize } from './numcodecs/categorize.ts'
import { IMAGECODECS_BYTES } from './numcodecs/imagecodecs-bytes.ts'
import { IMAGECODECS_PICTURES } from './numcodecs/imagecodecs-pictures.ts'
import { numcodecsLz4 } from './numcodecs/lz4.ts'
import { numcodecsLzma } from './numcodecs/lzma.ts'
import { asType, bitRound, delta, fixedScaleOffset, quantize } from './numcodecs/number-filters.ts'
import { packBits } from './numcodecs/packbits.ts'
import { numcodecsZfpy } from './numcodecs/zfpy.ts'
import { bitField } from './own/bit-field.ts'
import { recordField } from './own/field.ts'
import { fixedText } from './own/fixed-text.ts'
import { gdalMask, gdalValues } from './own/gdal-source.ts'
import { plane } from './own/plane.ts'
import { renumber } from './own/renumber.ts'
import { repack } from './own/repack.ts'
import { squeeze } from './own/squeeze.ts'
import { view } from './own/view.ts'
import { TIFF_CODECS } from './tiff/codecs.ts'
import { blosc, numcodecsBlosc } from './zarr/blosc.ts'
import { bytesCodec } from './zarr/bytes.ts'
import { castValue } from './zarr/cast-value.ts'
import { crc32cCodec, numcodecsChecksums } from './zarr/checksum.ts'
import { gzip, numcodecsGzip, numcodecsZlib, numcodecsZstd, zstd } from './zarr/gzip-zstd.ts'
import { scaleOffset } from './zarr/scale-offset.ts'
import { sharding } from './zarr/sharding.ts'
import { shuffleCodec } from './zarr/shuffle.ts'
import { transpose } from './zarr/transpose.ts'
import { vlenBytes, vlenUtf8 } from './zarr/vlen.ts'

const CODECS: readonly Codec[] = [
  transpose,
  squeeze,
  plane,
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
  gdalMask,
  gdalValues,
  renumber,
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
  numcodecsZfpy,
  ...numcodecsChecksums,
  ...TIFF_CODECS,
  ...IMAGECODECS_BYTES,
  ...IMAGECODECS_PICTURES,
  ...FITS_CODECS,
  gribField,
  gribMessage,
  ...HDF4_CODECS,
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
