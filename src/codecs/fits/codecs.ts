import type { Codec } from '../codec.ts'
import { fitsAscii, fitsLogical, fitsText } from './columns.ts'
import { fitsGzip } from './gzip.ts'
import { fitsHcompress } from './hcompress.ts'
import { fitsHeap } from './heap.ts'
import { fitsPlio } from './plio.ts'
import { fitsQuantized } from './quantized.ts'
import { fitsRice } from './rice.ts'

/** How FITS stores table columns and compressed tiles. */
export const FITS_CODECS: readonly Codec[] = [
  fitsLogical,
  fitsText,
  fitsAscii,
  fitsHeap,
  fitsGzip,
  fitsRice,
  fitsPlio,
  fitsHcompress,
  fitsQuantized,
]
