// The files that random virtual rasters are made of, and the types of bands that hold their values.
import type { WrittenRaster } from '../helpers/raster-reference.ts'

/** Pixels along each side of a source. */
export const SIZE = 32
const TILED = { options: { tiled: true, blockxsize: 16, blockysize: 16 } }

/** Rows of columns of numbers that occur often, so that each nodata value meets some. */
function pattern(values: readonly unknown[], step: number): unknown[][] {
  return Array.from({ length: SIZE }, (_row, row) =>
    Array.from(
      { length: SIZE },
      (_column, column) => values[(row * step + column * 3 + ((row * column) >> 3)) % values.length],
    ),
  )
}

const MASK = pattern([1, 1, 0, 1, 0], 2) as number[][]
const WHOLE = [0, 1, 2, 3, 4, 5, 6, 7]
const SIGNED = [-3, -1, 0, 1, 2, 3, 5, 7]
const FRACTIONS = [0, 1.25, 2, 3, 3.5, -1, 5, 'nan']
/** Of 3: within GDAL's tolerance, and beyond it. */
const NEAR = [0, 1, 2, 3, 3.0000005, 2.9999995, 3.00001, 7]

interface Raster extends WrittenRaster {
  /** Whether GDAL's tolerance matters. */
  readonly isNear?: boolean
}

const RASTERS: readonly Raster[] = [
  ...(['uint8', 'uint16', 'uint32', 'uint64'] as const).map((dtype, at) => ({
    name: `${dtype}.tif`,
    dtype,
    values: pattern(WHOLE, at + 1),
  })),
  ...(['int8', 'int16', 'int32', 'int64'] as const).map((dtype, at) => ({
    name: `${dtype}.tif`,
    dtype,
    values: pattern(SIGNED, at + 1),
  })),
  { name: 'float32.tif', dtype: 'float32', values: pattern(FRACTIONS, 2) },
  { name: 'float64.tif', dtype: 'float64', values: pattern(FRACTIONS, 3) },
  { name: 'near.tif', dtype: 'float32', values: pattern(NEAR, 1), isNear: true },
  { name: 'uint8_nodata.tif', dtype: 'uint8', values: pattern(WHOLE, 3), nodata: 2 },
  { name: 'uint8_mask.tif', dtype: 'uint8', values: pattern(WHOLE, 2), mask: MASK },
  { name: 'int16_both.tif', dtype: 'int16', values: pattern(SIGNED, 2), nodata: 5, mask: MASK },
  { name: 'float32_nan.tif', dtype: 'float32', values: pattern(FRACTIONS, 1), nodata: 'nan' },
  { name: 'float32_nodata.tif', dtype: 'float32', values: pattern(FRACTIONS, 4), nodata: -1 },
  {
    name: 'three.tif',
    dtype: 'uint8',
    values: [pattern(WHOLE, 1), pattern(WHOLE, 2), pattern(WHOLE, 3)],
    options: { ...TILED.options, interleave: 'pixel' },
  },
  {
    name: 'alpha.tif',
    dtype: 'uint8',
    values: [pattern(WHOLE, 1), pattern([0, 255, 128, 0, 255], 2)],
    options: { ...TILED.options, photometric: 'MINISBLACK', alpha: 'yes' },
  },
]

export const VRT_RASTERS: readonly WrittenRaster[] = RASTERS.map((raster) => ({ ...TILED, ...raster }))

/** Files of sources by the types of bands that hold their values, and how many bands they have. */
export interface Source {
  readonly name: string
  readonly dtype: string
  readonly bands: number
  readonly isNear: boolean
}

export const SOURCES: readonly Source[] = [
  ...RASTERS.map(({ name, dtype, isNear = false }) => ({
    name,
    dtype,
    isNear,
    bands: name === 'three.tif' ? 3 : name === 'alpha.tif' ? 2 : 1,
  })),
  { name: 'inner.vrt', dtype: 'uint8', bands: 1, isNear: false },
  { name: 'inner_masked.vrt', dtype: 'int16', bands: 1, isNear: false },
]

export const FLOATS: Source = { name: 'float32.tif', dtype: 'float32', bands: 1, isNear: false }

export const GDAL_TYPES: Readonly<Record<string, string>> = {
  uint8: 'Byte',
  int8: 'Int8',
  uint16: 'UInt16',
  int16: 'Int16',
  uint32: 'UInt32',
  int32: 'Int32',
  uint64: 'UInt64',
  int64: 'Int64',
  float16: 'Float16',
  float32: 'Float32',
  float64: 'Float64',
}

/** Types that hold all values of one. */
export const WIDER: Readonly<Record<string, readonly [string, ...string[]]>> = {
  uint8: ['uint8', 'uint8', 'uint16', 'int16', 'int32', 'uint32', 'float32', 'float64', 'int64', 'uint64'],
  int8: ['int8', 'int8', 'int8', 'int16', 'int32', 'float32', 'float64'],
  uint16: ['uint16', 'int32', 'float32'],
  int16: ['int16', 'int32', 'float32', 'float64'],
  uint32: ['uint32', 'float64', 'int64'],
  int32: ['int32', 'float64'],
  uint64: ['uint64'],
  int64: ['int64'],
  float32: ['float32', 'float32', 'float64'],
  float64: ['float64'],
}
