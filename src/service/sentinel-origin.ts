import { scalarInWords } from '../fill-value/in-words.ts'
import { isSameScalar } from '../fill-value/numbers.ts'
import type { VirtualArray } from '../model/virtual-store.ts'

/** A value that marks missing points, in words, and what says so in the source. */
export type SentinelInspection = { readonly value: string; readonly from: string }

/** Where formats have their markers that don't keep them in attributes. */
const ORIGINS: Readonly<Record<string, string>> = {
  tiff: 'the nodata value of GDAL',
  vrt: 'NoDataValue of the document',
  stac: 'the nodata value of the asset',
  fits: 'keyword BLANK',
  grib: 'points that the bitmap of the field leaves out',
}

/** The values that mark missing points of an array, each with its origin. */
export function sentinelsInWords(
  { sentinels, fillValue, fillOrigin }: Pick<VirtualArray, 'sentinels' | 'fillValue' | 'fillOrigin'>,
  format: string,
): readonly SentinelInspection[] {
  const { fillValue: own, missingValue, declared } = sentinels
  const found: SentinelInspection[] = []
  if (own !== undefined) {
    const isTheFill = isSameScalar(own, fillValue) && /fill_value of|keyword|_FillValue/.test(fillOrigin)
    const from = isTheFill ? fillOrigin : (ORIGINS[format] ?? 'attribute _FillValue')
    found.push({ value: scalarInWords(own), from })
  }
  if (missingValue !== undefined)
    found.push({ value: scalarInWords(missingValue), from: ORIGINS[format] ?? 'attribute missing_value' })
  if (declared !== undefined) found.push({ value: scalarInWords(declared), from: 'the Zarr convention missing_value' })
  return found
}
