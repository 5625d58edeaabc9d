// OGC GeoTIFF 1.1 section 7.5.2: units of lengths and of angles.

import { epsgPart } from '../../georeference/crs/epsg.ts'
import { DEGREE, isSame } from '../../georeference/crs/units.ts'
import { node, numberOf, type Wkt } from '../../georeference/crs/wkt.ts'
import type { Reading } from '../reading.ts'
import { citationOf, citedMetres } from './geo-citations.ts'
import { GEO_KEY, keyCode, keyDouble, keyShort } from './geo-keys.ts'

/** Units of length of a projected system. */
export interface LinearUnits {
  /** Of its coordinates. */
  readonly axes: Wkt
  /** Metres of the unit that the keys' own lengths are in. */
  readonly keyMetres: number
}

/** The units of the coordinates and of false origins; `known` is that of the registered system under the keys. */
export function linearUnits(reading: Reading, known?: Wkt): LinearUnits | undefined {
  const { keys, remarks } = reading
  const own = keys.has(GEO_KEY.linearUnits) || known === undefined ? lengthUnit(reading) : known
  if (own === undefined) return undefined
  const keyMetres = numberOf(own) ?? 1
  const isRegistered = keyCode(keys, GEO_KEY.projectedCrs) !== undefined
  const from = isRegistered ? [GEO_KEY.citation] : [GEO_KEY.citation, GEO_KEY.projectedCitation]
  const cited = from.map((key) => citationOf(keys, key).get('LUnits')).find((name) => name !== undefined)
  if (cited === undefined) return { axes: own, keyMetres }
  if (/^miles?$/i.test(cited)) {
    remarks.push(`LUnits = ${cited}: GDAL takes them for 1304.544 m`)
    return undefined
  }
  const metres = citedMetres(cited) ?? keyDouble(keys, GEO_KEY.linearUnitSize)
  if (metres === undefined || isSame(metres, keyMetres)) return { axes: own, keyMetres }
  return { axes: node('UNIT', cited, metres), keyMetres }
}

/** The unit that ProjLinearUnitsGeoKey names, else that of GeogLinearUnitsGeoKey, else metres. */
function lengthUnit({ keys, remarks }: Reading): Wkt | undefined {
  const key = keys.has(GEO_KEY.linearUnits) ? GEO_KEY.linearUnits : GEO_KEY.geogLinearUnits
  const code = keyCode(keys, key)
  if (code !== undefined) return unitOf('length', code, remarks)
  const size = keyDouble(keys, GEO_KEY.linearUnitSize) ?? 1
  if (size > 0) return size === 1 ? epsgPart('length', 9001) : node('UNIT', 'unknown', size)
  remarks.push(`ProjLinearUnitSizeGeoKey ${size} is no size of a unit`)
  return undefined
}

/** The unit of a key that holds the code of one; metres where it holds none. */
export function unitOf(kind: 'length' | 'angle', code: number | undefined, remarks: string[]): Wkt | undefined {
  const unit = epsgPart(kind, code ?? (kind === 'length' ? 9001 : 9102))
  if (unit === undefined) remarks.push(`${code} is the code of no unit of ${kind}`)
  return unit
}

/** The unit of angles; `known` is that of the registered system under the keys. */
export function angularUnit({ keys, remarks }: Reading, known: Wkt | undefined): Wkt | undefined {
  const code = keyCode(keys, GEO_KEY.angularUnits)
  if (code !== undefined) {
    const unit = unitOf('angle', code, remarks)
    return known !== undefined && isSame(numberOf(unit) ?? 0, numberOf(known) ?? 0) ? known : unit
  }
  if (known !== undefined && keyShort(keys, GEO_KEY.angularUnits) === undefined) return known
  const size = keyDouble(keys, GEO_KEY.angularUnitSize) ?? DEGREE
  if (isSame(size, DEGREE)) return unitOf('angle', undefined, remarks)
  const name = citationOf(keys, GEO_KEY.geodeticCitation).get('AUnits')
  if (name !== undefined && known === undefined && size > 0) return node('UNIT', name, size)
  remarks.push(
    `GeogAngularUnitSizeGeoKey ${size} without a name (AUnits) in GeogCitationGeoKey: GDAL takes such angles for degrees`,
  )
  return undefined
}
