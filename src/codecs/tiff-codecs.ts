import type { Codec } from './codec.ts'
import { imagecodecsDelta, imagecodecsFloatpred } from './imagecodecs-predictors.ts'
import { tiffCcitt } from './tiff-ccitt.ts'
import { tiffComplexInt } from './tiff-complex-int.ts'
import { tiffFillOrder } from './tiff-fill-order.ts'
import { tiffJpeg } from './tiff-jpeg.ts'
import { tiffJpeg2000 } from './tiff-jpeg2000.ts'
import { tiffJpegXl } from './tiff-jpegxl.ts'
import { tiffLerc } from './tiff-lerc.ts'
import { imagecodecsLzw, tiffLzw } from './tiff-lzw.ts'
import { tiffNext, tiffThunderscan } from './tiff-next.ts'
import { tiffOldJpeg } from './tiff-old-jpeg.ts'
import { imagecodecsPackbits, tiffPackbits } from './tiff-packbits.ts'
import { tiffPng } from './tiff-png.ts'
import { tiffPredictor2, tiffPredictor3 } from './tiff-predictor.ts'
import { tiffRows } from './tiff-rows.ts'
import { tiffUnpack } from './tiff-unpack.ts'
import { tiffWebp } from './tiff-webp.ts'

/** What TIFF compresses and packs its blocks with. */
export const TIFF_CODECS: readonly Codec[] = [
  imagecodecsDelta,
  imagecodecsFloatpred,
  imagecodecsLzw,
  tiffLzw,
  imagecodecsPackbits,
  tiffPackbits,
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
]
