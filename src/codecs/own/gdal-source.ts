// What GDAL's virtual rasters make of the values of a source (VRTComplexSource).
import { malformed } from '../../errors.ts'
import { type DataType, integerRange, NUMBER_TYPES } from '../../model/data-type.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray } from '../internal.ts'
import { bytesOf, mapInto, numbersOf, zeroNumbers } from '../numbers.ts'

/** The value of a source that leaves what lies below; `NaN` as its name, since JSON has none. */
export interface GdalNodata {
  readonly nodata?: number | 'NaN' | 'Infinity' | '-Infinity'
  /** GDAL computes in floats of 32 bits where neither the source nor the band needs more. */
  readonly isSingle: boolean
}

export interface GdalMaskParameters extends GdalNodata {
  /** The type of the stored values. */
  readonly type: string
}

export interface GdalValuesParameters extends GdalMaskParameters {
  readonly ratio: number
  readonly offset: number
  /** GDAL doesn't read what it multiplies by 0 where no value of it is left out: NaN becomes the offset, too. */
  readonly isConstant?: true
}

/** 255 where a value is valid, else 0. */
export const gdalMask = internalArray<GdalMaskParameters>({
  name: 'vz.gdal-mask',
  prepare: ({ type, ...nodata }, { shape, dataType }) => {
    const isNodata = nodataTest(nodata)
    const stored = typeOf(type)
    return {
      encodedLayout: { shape, dataType: stored },
      decode: (elements) => {
        const source = numbersOf(fixedBytes(elements, 'vz.gdal-mask'), stored)
        const target = zeroNumbers(source.length, dataType)
        return { kind: 'fixed', bytes: bytesOf(mapInto(target, (i) => (isNodata(Number(source[i])) ? 0 : 255))) }
      },
    }
  },
})

/** Values scaled and in another type. What is not valid becomes 0; what an integer type can't hold is an error, where GDAL rounds or cuts off. */
export const gdalValues = internalArray<GdalValuesParameters>({
  name: 'vz.gdal-values',
  prepare: ({ type, ratio, offset, isConstant, ...nodata }, { shape, dataType }) => {
    const isNodata = nodataTest(nodata)
    const isScaled = ratio !== 1 || offset !== 0
    const scale = (value: number) => {
      const scaled = isConstant ? offset : isScaled ? value * ratio + offset : value
      return nodata.isSingle ? Math.fround(scaled) : scaled
    }
    const hold = holder(dataType)
    const stored = typeOf(type)
    return {
      encodedLayout: { shape, dataType: stored },
      decode: (elements) => {
        const source = numbersOf(fixedBytes(elements, 'vz.gdal-values'), stored)
        const target = zeroNumbers(source.length, dataType)
        const valueAt = (i: number) => {
          const value = Number(source[i])
          return isNodata(value) ? 0 : hold(scale(value), value)
        }
        return { kind: 'fixed', bytes: bytesOf(mapInto(target, valueAt)) }
      },
    }
  },
})

/** Both of GDAL's `ARE_REAL_EQUAL`, the one for doubles too, take numbers for equal that differ by so little of their sum. */
const TOLERANCE = 2 ** -23
const MAX_SINGLE = 3.4028234663852886e38

/** Whether a value is the nodata value, as GDAL compares them. */
export function nodataTest({ nodata, isSingle }: GdalNodata): (value: number) => boolean {
  if (nodata === undefined) return () => false
  const wanted = Number(nodata)
  if (Number.isNaN(wanted)) return Number.isNaN
  if (!isSingle)
    return (value) => value === wanted || Math.abs(value - wanted) < TOLERANCE * Math.abs(value + wanted) * 2
  if (Number.isFinite(wanted) && Math.abs(wanted) > MAX_SINGLE) return () => false
  const single = Math.fround(wanted)
  return (stored) => {
    const value = Math.fround(stored)
    if (value === single) return true
    const sum = Math.fround(TOLERANCE * Math.abs(Math.fround(value + single)))
    return Math.abs(Math.fround(value - single)) < Math.fround(sum * 2)
  }
}

/** Part of a number by which products of decimals miss a whole one. */
const ROUNDING_ERROR = 1e-9

function holder(type: DataType): (value: number, stored: number) => number {
  if (type.kind !== 'int' && type.kind !== 'uint') return (value) => value
  const [least, most] = integerRange(type).map(Number)
  return (value, stored) => {
    const rounded = Math.round(value)
    const isWhole = Math.abs(value - rounded) <= ROUNDING_ERROR * Math.max(1, Math.abs(rounded))
    if (isWhole && rounded >= (least ?? 0) && rounded <= (most ?? 0)) return rounded
    throw malformed(
      `a source's value ${stored} becomes ${value}, which is no value of ${type.kind}${type.bits}, the type of the band of the VRT; GDAL rounds it or cuts it off`,
    )
  }
}

function typeOf(name: string): DataType {
  const type = NUMBER_TYPES.get(name)
  if (type === undefined) throw malformed(`${name} is no number type`)
  return type
}
