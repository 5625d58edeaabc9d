import { numbersOf } from '../../src/codecs/numbers.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { pythonJob } from '../interop/python.ts'

/** A GeoTIFF that the reference reader writes before it reads. */
export interface WrittenRaster {
  readonly name: string
  readonly dtype: string
  /** Rows of columns, or bands of them. */
  readonly values: readonly unknown[]
  readonly nodata?: number | string
  /** Rows of columns, not zero where the image is valid. */
  readonly mask?: readonly (readonly number[])[]
  readonly transform?: readonly number[]
  readonly scales?: readonly number[]
  readonly offsets?: readonly number[]
  readonly options?: Readonly<Record<string, unknown>>
}

/** What rasterio reads of a file, or why it reads nothing. */
export type ReferenceRaster = { readonly error: string } | RasterContent

export interface RasterContent {
  readonly error?: undefined
  readonly width: number
  readonly height: number
  readonly transform: readonly number[] | undefined
  readonly crs: number | string | undefined
  readonly bands: readonly RasterBand[]
}

export interface RasterBand {
  readonly dtype: string
  readonly values: readonly (number | bigint)[]
  /** As Python prints it. */
  readonly nodata: string | undefined
  readonly scale: number
  readonly offset: number
  readonly units: string | undefined
  readonly description: string | undefined
  /** 1 where the band is valid. */
  readonly mask: readonly number[]
  /** Where the reference's mask comes from: `nodata`, `per_dataset`, `alpha`, `all_valid`. */
  readonly flags: readonly string[]
}

interface ToldBand extends Omit<RasterBand, 'values' | 'mask'> {
  readonly bytes: string
  readonly mask: string
}

/** Writes rasters, and reads files of a folder, in one process of the reference reader. */
export async function readReference(
  folder: string,
  names: readonly string[],
  write: readonly WrittenRaster[] = [],
): Promise<{ readonly version: string; readonly rasters: readonly ReferenceRaster[] }> {
  const { version, rasters } = await pythonJob<{
    version: string
    rasters: readonly ({ error: string } | (Omit<RasterContent, 'bands'> & { bands: ToldBand[] }))[]
  }>('read_rasters.py', { folder, names, write })
  return {
    version,
    rasters: rasters.map((raster): ReferenceRaster => {
      if (raster.error !== undefined) return { error: raster.error }
      const { width, height, transform, crs, bands } = raster as Omit<RasterContent, 'bands'> & { bands: ToldBand[] }
      return { width, height, transform: transform ?? undefined, crs: crs ?? undefined, bands: bands.map(bandOf) }
    }),
  }
}

function bandOf({ bytes, mask, nodata, units, description, ...band }: ToldBand): RasterBand {
  return {
    ...band,
    nodata: nodata ?? undefined,
    units: units ?? undefined,
    description: description ?? undefined,
    values: rasterValues(Buffer.from(bytes, 'base64'), band.dtype),
    mask: [...Buffer.from(mask, 'base64')],
  }
}

/** Numbers of little-endian bytes; complex ones as pairs. */
export function rasterValues(bytes: Uint8Array, dtype: string): (number | bigint)[] {
  const [, kind = '', bits = ''] = /^(u?int|float|complex)(\d+)$/.exec(dtype) ?? []
  const size = Number(bits)
  const type = kind === 'complex' ? { kind: 'float', bits: size / 2 } : { kind, bits: size }
  return [...(numbersOf(new Uint8Array(bytes), type as DataType) as Iterable<number | bigint>)]
}
