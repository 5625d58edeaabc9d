import { gdalValues } from '../../codecs/own/gdal-source.ts'
import { renumber } from '../../codecs/own/renumber.ts'
import { malformed, unsupported } from '../../errors.ts'
import type { Scalar } from '../../model/data-type.ts'
import type { Overlay, VirtualArray } from '../../model/virtual-store.ts'
import { changed, withNewAxis } from '../change.ts'
import { isSameScalar } from '../differences.ts'
import { hasAllChunks } from '../fit.ts'
import type { Laid } from '../mosaic/placed-array.ts'
import { numberScalar } from '../packing.ts'
import { commonType, isInteger, isSameType, typeName } from '../types.ts'
import { windowOf } from '../window.ts'
import type { VrtBand, VrtSource } from './document.ts'
import type { VrtImage } from './image.ts'
import {
  isSingle,
  maskArray,
  nodataParameter,
  numberOf,
  type SourceValidity,
  validityArray,
  validityOf,
} from './source-validity.ts'

/** What a source of a band is laid into. */
export interface Target extends Pick<VrtBand, 'dataType'> {
  readonly fillValue: Scalar
  /** Whether bands are an axis of their own. */
  readonly hasBands: boolean
  /** Whether it is the source of another document, which may make other values of its own. */
  readonly isNested: boolean
}

/** A source of a band as it lies in the array: its window, in the type of the band, and what shows through it. */
export function laidSource(source: VrtSource, image: VrtImage, target: Target): Laid {
  if (source.band > image.bands)
    throw malformed(`band ${source.band} is a source of the VRT, and ${image.url} has ${image.bands}`)
  const band = image.band(source.band - 1)
  const array = source.isMask ? maskArray(band, image) : band
  const { from = { column: 0, row: 0 }, size = [image.width, image.height] } = source
  const box = { origin: [from.row, from.column], shape: [size[1], size[0]] }
  if (from.column < 0 || from.row < 0 || from.column + size[0] > image.width || from.row + size[1] > image.height) {
    throw malformed(
      `SrcRect of the VRT is ${size[0]} x ${size[1]} at (${from.column}, ${from.row}), and ${image.url} has ${image.width} x ${image.height} pixels`,
    )
  }
  const validity = validityOf(source, band, image, array)
  const { maskedBy: _mask, ...values } = inBandType(array, source, validity, image.url, target)
  const cut = windowOf(values, box)
  const { invalid, mask } = overlayOf(array, source, validity, target)
  const over: Overlay = { invalid, mask: mask === undefined ? undefined : windowOf(mask, box) }
  return {
    array: target.hasBands ? withNewAxis(cut, 'band') : cut,
    over,
    isFillAlike: isSameScalar(values.fillValue, target.fillValue, target.dataType) || hasAllChunks(array),
    isInvalidAlike: isInvalidAlike(source, validity, target),
  }
}

/** Whether what is not valid has the value of what no source covers. */
function isInvalidAlike(
  { scaling }: VrtSource,
  { nodata, mask }: SourceValidity,
  { fillValue, dataType }: Target,
): boolean {
  if (nodata === undefined) return mask === undefined
  if (scaling !== undefined) return false
  const fill = numberOf(fillValue)
  const held = dataType.kind === 'float' && dataType.bits === 32 ? Math.fround(nodata) : nodata
  return fill !== undefined && (fill === held || (Number.isNaN(fill) && Number.isNaN(held)))
}

/** Integers of less than this are nodata where they are equal, and GDAL's tolerance takes no others for it. */
const MAX_EXACT_NODATA = 2 ** 20

function overlayOf(
  array: VirtualArray,
  { scaling }: VrtSource,
  { nodata, mask }: SourceValidity,
  { dataType, isNested }: Target,
): Pick<Overlay, 'invalid' | 'mask'> {
  if (nodata === undefined) return { invalid: [], mask }
  const isKept = scaling === undefined && isContained(array, dataType)
  const isExact = isInteger(array.dataType)
    ? Number.isInteger(nodata) && Math.abs(nodata) < MAX_EXACT_NODATA
    : nodata === 0 || Number.isNaN(nodata)
  // Others may make of these values what they like, but not of a mask.
  if (isKept && isExact && !isNested) return { invalid: [numberScalar(nodata, dataType)], mask: undefined }
  const single = isSingle(array.dataType) && isSingle(dataType)
  return { invalid: [], mask: validityArray(array, nodata, single) }
}

/** Whether the type of the band holds every value of the source. */
function isContained({ dataType: own }: VirtualArray, dataType: Target['dataType']): boolean {
  const common = commonType(own, dataType)
  return common !== undefined && isSameType(common, dataType)
}

/** The values in the type of the band, scaled where the source says so. What GDAL would round or cut off is refused. */
function inBandType(
  array: VirtualArray,
  { scaling, usesMask }: VrtSource,
  { nodata }: SourceValidity,
  url: string,
  { dataType }: Target,
): VirtualArray {
  if (scaling === undefined && isSameType(array.dataType, dataType)) return array
  const isPlain = array.dataType.kind !== 'complex' && dataType.kind !== 'complex'
  const isFloat = dataType.kind === 'float'
  if (!isPlain || (!isFloat && !isInteger(array.dataType)) || (isFloat && !isHeld(array, scaling, dataType))) {
    const what = `${typeName(array.dataType)} of ${url} in a band of ${typeName(dataType)}`
    throw unsupported('VRT: values that are rounded', `${what} of the VRT would be rounded by GDAL`)
  }
  const type = typeName(array.dataType)
  const own = numberIn(array.fillValue)
  const isLong = isInteger(array.dataType) && array.dataType.bits === 64
  if (scaling === undefined && (isLong || isContained(array, dataType)))
    return changed(array, {
      codec: renumber.stored({ type }),
      dataType,
      fillValue: numberScalar(own, dataType),
      invalid: [],
    })
  const { ratio, offset } = scaling ?? { ratio: 1, offset: 0 }
  const single = isSingle(array.dataType) && isSingle(dataType)
  const parameter = nodata === undefined ? {} : { nodata: nodataParameter(nodata) }
  const constant = ratio === 0 && nodata === undefined && !usesMask ? ({ isConstant: true } as const) : {}
  const codec = gdalValues.stored({ type, ratio, offset, isSingle: single, ...parameter, ...constant })
  const filled = Number(own) * ratio + offset
  const value = isInteger(dataType) ? Math.round(filled) : filled
  return changed(array, { codec, dataType, fillValue: numberScalar(value, dataType), invalid: [] })
}

/** Without a scaling, which computes new values anyway, floats have to be as they were. */
function isHeld(array: VirtualArray, scaling: VrtSource['scaling'], dataType: Target['dataType']): boolean {
  return scaling !== undefined || isContained(array, dataType)
}

function numberIn(scalar: Scalar): number | bigint {
  return scalar.kind === 'number' || scalar.kind === 'bigint' ? scalar.value : 0
}
