import type { Codec } from './codec.ts'
import { fitsAscii, fitsLogical, fitsText } from './fits-columns.ts'
import { fitsGzip } from './fits-gzip.ts'
import { fitsHcompress } from './fits-hcompress.ts'
import { fitsHeap } from './fits-heap.ts'
import { fitsPlio } from './fits-plio.ts'
import { fitsQuantized } from './fits-quantized.ts'
import { fitsRice } from './fits-rice.ts'

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
