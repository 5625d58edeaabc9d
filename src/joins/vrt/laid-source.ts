import { renumber } from '../../codecs/own/renumber.ts'
import { malformed, unsupported } from '../../errors.ts'
import { scalarFromText } from '../../fill-value/from-text.ts'
import { gridShapeOf } from '../../model/chunk-index.ts'
import { MISSING } from '../../model/chunk-ref.ts'
import type { Scalar } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { NO_SENTINELS, type Overlay, type VirtualArray } from '../../model/virtual-store.ts'
import { changed, withNewAxis } from '../change.ts'
import { isSameScalar } from '../differences.ts'
import { hasAllChunks } from '../fit.ts'
import type { Laid } from '../mosaic/placed-array.ts'
import { numberScalar } from '../packing.ts'
import { commonType, isInteger, isSameType, typeName } from '../types.ts'
import { windowOf } from '../window.ts'
import type { VrtBand, VrtSource } from './document.ts'
import type { VrtImage } from './image.ts'

/** What a source of a band is laid into. */
export interface Target extends Pick<VrtBand, 'dataType'> {
  readonly fillValue: Scalar
  /** Whether bands are an axis of their own. */
  readonly hasBands: boolean
}

/** A source of a band as it lies in the array: its window, in the type of the band, and what shows through it. */
export function laidSource(source: VrtSource, image: VrtImage, target: Target): Laid {
  if (source.band > image.bands)
    throw malformed(`band ${source.band} is a source of the VRT, and ${image.url} has ${image.bands}`)
  const band = image.band(source.band - 1)
  const array = source.isMask ? maskArray(band, image.url) : band
  const { from = { column: 0, row: 0 }, size = [image.width, image.height] } = source
  const box = { origin: [from.row, from.column], shape: [size[1], size[0]] }
  if (from.column < 0 || from.row < 0 || from.column + size[0] > image.width || from.row + size[1] > image.height) {
    throw malformed(
      `SrcRect of the VRT is ${size[0]} x ${size[1]} at (${from.column}, ${from.row}), and ${image.url} has ${image.width} x ${image.height} pixels`,
    )
  }
  const { maskedBy: _mask, ...values } = inBandType(array, source, image.url, target)
  const cut = windowOf(values, box)
  const mask = source.usesMask ? maskOf(band, image) : undefined
  const over: Overlay = {
    invalid: [...invalidOf(source, array, target), ...(mask?.invalid ?? [])],
    mask: mask?.array === undefined ? undefined : windowOf(mask.array, box),
  }
  const isFillAlike = isSameScalar(values.fillValue, target.fillValue, target.dataType) || hasAllChunks(array)
  return { array: target.hasBands ? withNewAxis(cut, 'band') : cut, over, isFillAlike }
}

/** Values that leave what lies below. A number that the source's type has not is none of its values. */
function invalidOf({ nodata, scaling }: VrtSource, { dataType }: VirtualArray, target: Target): readonly Scalar[] {
  if (nodata === undefined) return []
  if (scaling !== undefined) return [{ kind: 'number', value: Number.NaN }]
  const scalar = scalarFromText(nodata, dataType)
  if (scalar.kind !== 'ok') return []
  const { value } = scalar
  return [value.kind === 'number' || value.kind === 'bigint' ? numberScalar(value.value, target.dataType) : value]
}

/** The values in the type of the band, scaled where the source says so. What GDAL would round or cut off is refused. */
function inBandType(array: VirtualArray, source: VrtSource, url: string, { dataType }: Target): VirtualArray {
  const { scaling, nodata } = source
  if (scaling === undefined && isSameType(array.dataType, dataType)) return array
  const isFloat = dataType.kind === 'float'
  const isPlain = array.dataType.kind !== 'complex' && dataType.kind !== 'complex'
  const isWhole = isInteger(array.dataType) && isInteger(dataType)
  const isRounded = !isFloat && (!isWhole || (scaling !== undefined && !isWholeScaling(scaling)))
  if (!isPlain || isRounded || (!isFloat && scaling !== undefined && nodata !== undefined)) {
    const what = `${typeName(array.dataType)} of ${url} in a band of ${typeName(dataType)}`
    throw unsupported('VRT: values that are rounded', `${what} of the VRT would be rounded by GDAL`)
  }
  const held = commonType(array.dataType, dataType)
  if (isFloat && scaling === undefined && (held === undefined || !isSameType(held, dataType)))
    throw unsupported(
      'VRT: values that are rounded',
      `${typeName(array.dataType)} of ${url} would be rounded to ${typeName(dataType)}`,
    )
  const sentinel = nodata === undefined || scaling === undefined ? undefined : numberOf(nodata, array)
  const codec = renumber.stored({
    type: typeName(array.dataType),
    ...(scaling === undefined ? {} : { multiply: scaling.ratio, add: scaling.offset }),
    ...(sentinel === undefined ? {} : { sentinels: [sentinel] }),
  })
  const own = numberIn(array.fillValue)
  const value = own === sentinel ? Number.NaN : scaled(own, scaling)
  return changed(array, { codec, dataType, fillValue: numberScalar(value, dataType), invalid: [] })
}

function isWholeScaling({ ratio, offset }: NonNullable<VrtSource['scaling']>): boolean {
  return Number.isSafeInteger(ratio) && Number.isSafeInteger(offset)
}

function scaled(value: number | bigint, scaling: VrtSource['scaling']): number | bigint {
  return scaling === undefined ? value : Number(value) * scaling.ratio + scaling.offset
}

function numberOf(text: string, { dataType }: VirtualArray): number | bigint | undefined {
  const scalar = scalarFromText(text, dataType)
  return scalar.kind === 'ok' && !Number.isNaN(numberIn(scalar.value)) ? numberIn(scalar.value) : undefined
}

function numberIn(scalar: Scalar): number | bigint {
  return scalar.kind === 'number' || scalar.kind === 'bigint' ? scalar.value : 0
}

const ALPHA = [1, 2]

/** What says where a band is valid, in GDAL's order: a mask, the nodata value, an alpha band. */
function maskOf(
  band: VirtualArray,
  image: VrtImage,
): { readonly array?: VirtualArray; readonly invalid?: readonly Scalar[] } {
  if (band.maskedBy !== undefined) return { array: maskArray(band, image.url) }
  const { fillValue } = band.sentinels
  if (fillValue !== undefined) return { invalid: [fillValue] }
  const extra = band.attributes.get('extra_samples')
  const last = Array.isArray(extra) ? extra.at(-1) : undefined
  return typeof last === 'number' && ALPHA.includes(last) ? { array: image.band(image.bands - 1) } : {}
}

/** The mask of a band, as values from 0 to 255. */
function maskArray(band: VirtualArray, url: string): VirtualArray {
  const { maskedBy } = band
  if (maskedBy?.kind === 'skipped')
    throw unsupported('VRT: masks', `the mask of ${url} is not served: ${maskedBy.reason}`)
  if (maskedBy !== undefined) return maskedBy
  if (band.sentinels.fillValue !== undefined)
    throw unsupported('VRT: masks of nodata values', `the mask of ${url} is computed from its nodata value`)
  const { shape, chunkShape } = band
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType: { kind: 'uint', bits: 8 },
    fillValue: { kind: 'number', value: 255 },
    fillOrigin: 'an image without a mask',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    encodings: [rawEncoding('little')],
    edges: 'padded',
    chunks: { gridShape: gridShapeOf(shape, chunkShape), at: () => MISSING, weight: () => 100 },
  }
}
