import type { Codec } from '../codec.ts'
import { imagecodecsDelta, imagecodecsFloatpred } from '../numcodecs/imagecodecs-predictors.ts'
import { tiffCcitt } from './ccitt.ts'
import { tiffComplexInt } from './complex-int.ts'
import { tiffFillOrder } from './fill-order.ts'
import { tiffJpeg } from './jpeg.ts'
import { tiffJpeg2000 } from './jpeg2000.ts'
import { tiffJpegXl } from './jpegxl.ts'
import { tiffLerc } from './lerc.ts'
import { imagecodecsLzw } from './lzw.ts'
import { tiffNext, tiffThunderscan } from './next.ts'
import { tiffOldJpeg } from './old-jpeg.ts'
import { imagecodecsPackbits } from './packbits.ts'
import { tiffPng } from './png.ts'
import { tiffPredictor2, tiffPredictor3 } from './predictor.ts'
import { tiffRows } from './rows.ts'
import { tiffUnpack } from './unpack.ts'
import { tiffWebp } from './webp.ts'
import { tiffYcbcr } from './ycbcr.ts'

/** What TIFF compresses and packs its blocks with. */
export const TIFF_CODECS: readonly Codec[] = [
  imagecodecsDelta,
  imagecodecsFloatpred,
  imagecodecsLzw,
  imagecodecsPackbits,
  tiffFillOrder,
  tiffPredictor2,
  tiffPredictor3,
  tiffUnpack,
  tiffRows,
  tiffComplexInt,
  tiffCcitt,
  tiffJpeg,
  tiffOldJpeg,
  tiffJpeg2000,
  tiffJpegXl,
  tiffLerc,
  tiffPng,
  tiffWebp,
  tiffNext,
  tiffThunderscan,
  tiffYcbcr,
]
