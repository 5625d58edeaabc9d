import { gdalMask, nodataTest } from '../../codecs/own/gdal-source.ts'
import { unsupported } from '../../errors.ts'
import { gridShapeOf } from '../../model/chunk-index.ts'
import { MISSING } from '../../model/chunk-ref.ts'
import { encodingsOf } from '../../model/composed-array.ts'
import { type DataType, integerRange, type Scalar } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { NO_SENTINELS, type VirtualArray } from '../../model/virtual-store.ts'
import { changed } from '../change.ts'
import { isInteger, typeName } from '../types.ts'
import type { VrtSource } from './document.ts'
import type { VrtImage } from './image.ts'

/** What of a source leaves what lies below: points of one value, or points that a mask has 0 at. */
export interface SourceValidity {
  readonly nodata: number | undefined
  readonly mask: VirtualArray | undefined
}

/**
 * GDAL's order: `UseMaskBand` makes the nodata value of the file that of the source, where the file has one and no mask; a nodata
 * value, whoever says it, leaves the mask out.
 */
export function validityOf(
  source: VrtSource,
  band: VirtualArray,
  image: VrtImage,
  values: VirtualArray,
): SourceValidity {
  if (values.dataType.kind === 'complex') return { nodata: undefined, mask: undefined }
  const own = source.isMask || band.maskedBy !== undefined ? undefined : numberOf(band.sentinels.fillValue)
  if (source.usesMask && own !== undefined) return { nodata: own, mask: undefined }
  if (source.nodata !== undefined) return { nodata: nodataWithin(source, values.dataType), mask: undefined }
  if (!source.usesMask) return { nodata: undefined, mask: undefined }
  return source.isMask ? { nodata: 0, mask: undefined } : { nodata: undefined, mask: fileMask(band, image) }
}

/** Types of which GDAL compares a nodata value alone as a number of the type, without its fraction. */
const COMPARED_AS_INTEGERS = ['uint8', 'uint16', 'int16']

function nodataWithin({ nodata, isNodataAlone }: VrtSource, type: DataType): number | undefined {
  if (nodata === undefined || !isInteger(type)) return nodata
  if (Number.isNaN(nodata)) return undefined
  const [least, most] = integerRange(type)
  if (nodata < Number(least) || nodata > Number(most)) return undefined
  return isNodataAlone && COMPARED_AS_INTEGERS.includes(typeName(type)) ? Math.trunc(nodata) : nodata
}

export function numberOf(scalar: Scalar | undefined): number | undefined {
  return scalar?.kind === 'number' || scalar?.kind === 'bigint' ? Number(scalar.value) : undefined
}

const ALPHA = [1, 2]

/** The mask of the file, or its alpha band; undefined where all points are valid. */
function fileMask(band: VirtualArray, image: VrtImage): VirtualArray | undefined {
  if (band.maskedBy !== undefined) return maskArray(band, image)
  return hasAlpha(band) ? image.band(image.bands - 1) : undefined
}

function hasAlpha({ attributes }: VirtualArray): boolean {
  const extra = attributes.get('extra_samples')
  const last = Array.isArray(extra) ? extra.at(-1) : undefined
  return typeof last === 'number' && ALPHA.includes(last)
}

/** The mask of a band as values of bytes, which 'mask' names as the source: of the file, of its nodata value, of an alpha band, or none. */
export function maskArray(band: VirtualArray, image: VrtImage): VirtualArray {
  const { maskedBy } = band
  if (maskedBy?.kind === 'skipped')
    throw unsupported('VRT: masks', `the mask of ${image.url} is not served: ${maskedBy.reason}`)
  if (maskedBy !== undefined) return isOfBits(maskedBy) ? validityArray(maskedBy, 0, false) : maskedBy
  const nodata = numberOf(band.sentinels.fillValue)
  if (nodata !== undefined) return validityArray(band, nodata, isSingle(band.dataType))
  const alpha = hasAlpha(band) ? image.band(image.bands - 1) : undefined
  if (alpha === undefined || alpha === band) return everywhereValid(band)
  if (typeName(alpha.dataType) === 'uint8') return alpha
  throw unsupported('VRT: masks', `the mask of ${image.url} is an alpha band of ${typeName(alpha.dataType)}`)
}

/** A mask of one bit, of which GDAL makes 0 and 255. */
function isOfBits(array: VirtualArray): boolean {
  return encodingsOf(array).some((codecs) =>
    codecs.some(({ name, configuration }) => name === 'vz.tiff-unpack' && configuration?.['bits'] === 1),
  )
}

/** Types whose numbers floats of 32 bits hold. */
export function isSingle(type: DataType): boolean {
  if (type.kind === 'float') return type.bits <= 32
  return isInteger(type) && type.bits <= 16
}

/** 255 where the values of an array are others than a nodata value, else 0. */
export function validityArray(array: VirtualArray, nodata: number, single: boolean): VirtualArray {
  const dataType: DataType = { kind: 'uint', bits: 8 }
  const isNodata = nodataTest({ nodata, isSingle: single })
  const value = isNodata(numberOf(array.fillValue) ?? 0) ? 0 : 255
  const { maskedBy: _mask, ...values } = array
  const codec = gdalMask.stored({ type: typeName(array.dataType), nodata: nodataParameter(nodata), isSingle: single })
  const mask = changed(values, { codec, dataType, fillValue: { kind: 'number', value }, invalid: [] })
  return {
    ...mask,
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    fillOrigin: 'where the source is not its nodata value',
  }
}

/** JSON has no such numbers. */
export function nodataParameter(nodata: number): number | 'NaN' | 'Infinity' | '-Infinity' {
  return Number.isFinite(nodata) ? nodata : (String(nodata) as 'NaN' | 'Infinity' | '-Infinity')
}

function everywhereValid({ shape, chunkShape }: VirtualArray): VirtualArray {
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
