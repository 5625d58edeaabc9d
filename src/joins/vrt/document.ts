import type { Affine } from '../../formats/georeference/conventions.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'

/** GDAL's virtual raster, as far as it says values: https://gdal.org/en/stable/drivers/raster/vrt.html */
export interface VrtDocument {
  readonly width: number
  readonly height: number
  readonly transform: Affine | undefined
  readonly srs: string | undefined
  /** Items of the default domain. */
  readonly metadata: ReadonlyMap<string, string>
  readonly bands: readonly [VrtBand, ...VrtBand[]]
  /** Where all bands are valid. */
  readonly mask: VrtBand | undefined
}

export interface VrtBand {
  readonly dataType: DataType
  readonly nodata: VrtNodata | undefined
  readonly description: string | undefined
  readonly units: string | undefined
  readonly scale: number | undefined
  readonly offset: number | undefined
  readonly colour: string | undefined
  readonly metadata: ReadonlyMap<string, string>
  /** Later ones lie over earlier ones. */
  readonly sources: readonly VrtSource[]
}

/** The `NoDataValue` of a band. */
export interface VrtNodata {
  /** What no source covers reads as it: of the type, rounded and cut off where it has to be. */
  readonly fillValue: Scalar
  /** It marks missing points; undefined where it is hidden, or no value of the type. */
  readonly sentinel: Scalar | undefined
}

/** A window of one band of a file, and where it lies. */
export interface VrtSource {
  readonly file: VrtFile
  readonly band: number
  /** Not the band but what says where it is valid. */
  readonly isMask: boolean
  readonly from: Corner | undefined
  readonly to: Corner
  /** Undefined: as large as the file. */
  readonly size: readonly [width: number, height: number] | undefined
  /** The value that leaves what lies below. */
  readonly nodata: number | undefined
  /** Nothing else is asked for, not even a scaling by 1: GDAL compares small integers as such then. */
  readonly isNodataAlone: boolean
  readonly usesMask: boolean
  readonly scaling: { readonly ratio: number; readonly offset: number } | undefined
}

export interface Corner {
  readonly column: number
  readonly row: number
}

/** A file as a document names it. */
export interface VrtFile {
  readonly name: string
  readonly isRelative: boolean
}
