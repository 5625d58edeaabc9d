// FITS Standard 4.0, sections 10.1.2 (keywords), 10.2 (quantization) and 10.4 (algorithms).
import { fitsGzip } from '../../codecs/fits/gzip.ts'
import { fitsHcompress } from '../../codecs/fits/hcompress.ts'
import { fitsPlio } from '../../codecs/fits/plio.ts'
import { fitsQuantized } from '../../codecs/fits/quantized.ts'
import { fitsRice } from '../../codecs/fits/rice.ts'
import { malformed, unsupported } from '../../errors.ts'
import { type Encoding, rawEncoding } from '../../model/encoding.ts'
import { countOf, type Header, integerOf, textOf } from './header.ts'

/** How floats were made integers. */
export interface Quantization {
  readonly dither: 'none' | 'subtractive-1' | 'subtractive-2'
  /** ZDITHER0: where the first tile begins in the series of random numbers. */
  readonly seed: number
}

const DITHERS: Readonly<Record<string, Quantization['dither']>> = {
  NO_DITHER: 'none',
  SUBTRACTIVE_DITHER_1: 'subtractive-1',
  SUBTRACTIVE_DITHER_2: 'subtractive-2',
}

/** Undefined for floats that were compressed as they are. */
export function quantizationOf(header: Header, hasScale: boolean): Quantization | undefined {
  const method = textOf(header, 'ZQUANTIZ')?.trim().toUpperCase() ?? 'NO_DITHER'
  if (method === 'NONE' || !hasScale) return undefined
  const dither = DITHERS[method]
  if (dither === undefined) throw unsupported(`ZQUANTIZ ${method}`, `the quantization ${method} is not decoded`)
  return { dither, seed: integerOf(header, 'ZDITHER0', 0) }
}

/** Of a tile in COMPRESSED_DATA, in GZIP_COMPRESSED_DATA, and in UNCOMPRESSED_DATA. */
export function tileEncodings(header: Header, bitpix: number, quantization: Quantization | undefined): Encoding[] {
  return [usualEncoding(header, bitpix, quantization), gzipEncoding(false), rawEncoding('big')]
}

function usualEncoding(header: Header, bitpix: number, quantization: Quantization | undefined): Encoding {
  const algorithm = textOf(header, 'ZCMPTYPE')?.trim().toUpperCase()
  if (quantization === undefined) {
    if (bitpix < 0 && algorithm !== undefined && !LOSSLESS.has(algorithm)) {
      throw malformed(`floats without ZSCALE are compressed by ${algorithm}, which only knows integers`, header.place)
    }
    return algorithmEncoding(header, algorithm)
  }
  return [fitsQuantized.stored({ dither: quantization.dither, encoding: algorithmEncoding(header, algorithm) })]
}

const LOSSLESS: ReadonlySet<string> = new Set(['GZIP_1', 'GZIP_2', 'NOCOMPRESS'])

function algorithmEncoding(header: Header, algorithm: string | undefined): Encoding {
  switch (algorithm) {
    case 'RICE_1':
    case 'RICE_ONE': {
      const blockLength = parameter(header, 'BLOCKSIZE') ?? 32
      const bytes = parameter(header, 'BYTEPIX') ?? 4
      return [fitsRice.stored({ blockLength, bytes })]
    }
    case 'GZIP_1':
      return gzipEncoding(false)
    case 'GZIP_2':
      return gzipEncoding(true)
    case 'PLIO_1':
      return [fitsPlio.stored({})]
    case 'HCOMPRESS_1':
      return [fitsHcompress.stored({ smooth: (parameter(header, 'SMOOTH') ?? 0) !== 0 })]
    case 'NOCOMPRESS':
      return rawEncoding('big')
  }
  throw unsupported(
    `ZCMPTYPE ${algorithm ?? 'missing'}`,
    `tiles compressed by ${algorithm ?? 'no algorithm'} are not decoded`,
  )
}

function gzipEncoding(shuffled: boolean): Encoding {
  return [fitsGzip.stored({ shuffled })]
}

/** Most parameters of an algorithm that are looked through. */
const MOST_PARAMETERS = 100

/** ZVALn of the parameter that ZNAMEn names. */
function parameter(header: Header, name: string): number | undefined {
  for (let n = 1; n <= MOST_PARAMETERS; n++) {
    const found = textOf(header, `ZNAME${n}`)
    if (found === undefined) return undefined
    if (found.trim().toUpperCase() === name) return countOf(header, `ZVAL${n}`)
  }
  return undefined
}
