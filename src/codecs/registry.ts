import { blosc, numcodecsBlosc } from './blosc.ts'
import { bytesCodec } from './bytes.ts'
import { numcodecsBz2 } from './bzip2.ts'
import { castValue } from './cast-value.ts'
import { categorize } from './categorize.ts'
import { crc32cCodec, numcodecsChecksums } from './checksum.ts'
import type { Codec } from './codec.ts'
import { deflateRaw } from './deflate-raw.ts'
import { recordField } from './field.ts'
import { gzip, numcodecsGzip, numcodecsZlib, numcodecsZstd, zstd } from './inflate.ts'
import { numcodecsLz4 } from './lz4.ts'
import { numcodecsLzma } from './lzma.ts'
import { asType, bitRound, delta, fixedScaleOffset, quantize } from './number-filters.ts'
import { packBits } from './packbits.ts'
import { scaleOffset } from './scale-offset.ts'
import { sharding } from './sharding.ts'
import { shuffleCodec } from './shuffle.ts'
import { fixedText } from './text.ts'
import { transpose } from './transpose.ts'
import { vlenBytes, vlenUtf8 } from './vlen.ts'

const CODECS: readonly Codec[] = [
  transpose,
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
  bytesCodec,
  vlenUtf8,
  vlenBytes,
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
]

const BY_NAME: ReadonlyMap<string, Codec> = new Map(CODECS.map((codec) => [codec.name, codec]))

/** The codec of this name; undefined when this server has none. */
export function findCodec(name: string): Codec | undefined {
  return BY_NAME.get(name)
}
