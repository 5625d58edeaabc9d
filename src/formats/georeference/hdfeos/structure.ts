// HDF-EOS Library User's Guide for the EOSDIS Evolution and Development Contract, volume 1: grids and swaths. HDF-EOS5 writes the same,
// with another prefix of its names and a group for fields that are profiles.
import { groupIn, listIn, numberIn, type OdlGroup, textIn } from './odl.ts'

/** What lies in a structure under a name, along which dimensions. */
export interface EosField {
  readonly name: string
  readonly dimensions: readonly string[]
}

export interface EosGrid {
  readonly name: string
  readonly columns: number
  readonly rows: number
  /** Metres, or degrees in packed form; undefined: the whole globe. */
  readonly upperLeft: readonly [number, number] | undefined
  readonly lowerRight: readonly [number, number] | undefined
  /** `GCTP_SNSOID`. */
  readonly projection: string
  readonly parameters: readonly number[]
  readonly zone: number | undefined
  readonly sphere: number | undefined
  /** Where the first point lies: `HDFE_GD_UL`. */
  readonly origin: string
  /** Points are registered in the middle of their pixels: `HDFE_CENTER`. */
  readonly registration: string
  readonly fields: readonly EosField[]
}

/** Element `offset + increment * n` of the data dimension lies at element n of the geolocation dimension. */
interface DimensionMap {
  readonly geolocation: string
  readonly data: string
  readonly offset: number
  readonly increment: number
}

export interface EosSwath {
  readonly name: string
  readonly geolocation: readonly EosField[]
  readonly data: readonly EosField[]
  readonly maps: readonly DimensionMap[]
}

export interface EosStructure {
  readonly grids: readonly EosGrid[]
  readonly swaths: readonly EosSwath[]
}

/** Of one file. */
const MOST_STRUCTURES = 1000
const MOST_RANK = 32

export function structureOf(root: OdlGroup): EosStructure {
  return {
    grids: groupIn(root, 'GridStructure').groups.slice(0, MOST_STRUCTURES).map(gridOf),
    swaths: groupIn(root, 'SwathStructure').groups.slice(0, MOST_STRUCTURES).map(swathOf),
  }
}

function gridOf(group: OdlGroup): EosGrid {
  return {
    name: textIn(group, 'GridName') ?? '',
    columns: numberIn(group, 'XDim') ?? 0,
    rows: numberIn(group, 'YDim') ?? 0,
    upperLeft: pointIn(group, 'UpperLeftPointMtrs'),
    lowerRight: pointIn(group, 'LowerRightMtrs'),
    projection: wordIn(group, 'Projection') ?? '',
    parameters: listIn(group, 'ProjParams').map(Number),
    zone: numberIn(group, 'ZoneCode'),
    sphere: numberIn(group, 'SphereCode'),
    origin: wordIn(group, 'GridOrigin') ?? 'HDFE_GD_UL',
    registration: wordIn(group, 'PixelRegistration') ?? 'HDFE_CENTER',
    fields: fieldsOf(groupIn(group, 'DataField'), 'DataFieldName'),
  }
}

function swathOf(group: OdlGroup): EosSwath {
  return {
    name: textIn(group, 'SwathName') ?? '',
    geolocation: fieldsOf(groupIn(group, 'GeoField'), 'GeoFieldName'),
    data: [
      ...fieldsOf(groupIn(group, 'DataField'), 'DataFieldName'),
      ...fieldsOf(groupIn(group, 'ProfileField'), 'ProfileFieldName'),
    ],
    maps: groupIn(group, 'DimensionMap').groups.flatMap((map) => {
      const geolocation = textIn(map, 'GeoDimension')
      const data = textIn(map, 'DataDimension')
      const [offset, increment] = [numberIn(map, 'Offset'), numberIn(map, 'Increment')]
      const isWhole = geolocation !== undefined && data !== undefined && offset !== undefined && increment !== undefined
      return isWhole ? [{ geolocation, data, offset, increment }] : []
    }),
  }
}

/** One of the library's own names: `HE5_GCTP_GEO` of HDF-EOS5 is `GCTP_GEO`. */
function wordIn(group: OdlGroup, name: string): string | undefined {
  return textIn(group, name)?.replace(/^HE5_/, '')
}

function fieldsOf(group: OdlGroup, nameOf: string): EosField[] {
  return group.groups.flatMap((field) => {
    const name = textIn(field, nameOf)
    return name === undefined ? [] : [{ name, dimensions: listIn(field, 'DimList').slice(0, MOST_RANK) }]
  })
}

function pointIn(group: OdlGroup, name: string): readonly [number, number] | undefined {
  const [x, y] = listIn(group, name).map(Number)
  return x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y) ? undefined : [x, y]
}
