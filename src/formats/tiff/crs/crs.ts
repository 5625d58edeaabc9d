// OGC GeoTIFF 1.1 section 7.5: coordinate reference systems.

import { epsgPart, epsgWkt } from '../../georeference/crs/epsg.ts'
import { type Crs, described, isGeographic } from '../../georeference/crs/reference-system.ts'
import { childOf, nameOf, node, parseWkt, type Wkt, wktText } from '../../georeference/crs/wkt.ts'
import type { Reading } from '../reading.ts'
import { plainCitation } from './geo-citations.ts'
import { GEO_KEY, type GeoKeys, keyCode, keyShort, keyText, mistypedKeys } from './geo-keys.ts'
import { linearUnits } from './geo-units.ts'
import { geodeticCrs, geographicCrs } from './geographic-crs.ts'
import { projectedCrs } from './projected-crs.ts'
import { verticalCrs } from './vertical-crs.ts'

/** What the keys of a file say of its system, and what there is to remark on that. */
export interface CrsReading {
  readonly crs: Crs | undefined
  readonly remarks: readonly string[]
}

/** Keys that say how a system is projected. */
const PROJECTING = [GEO_KEY.projectedCrs, GEO_KEY.projection, GEO_KEY.method]

const MODELS = { projected: 1, geographic: 2, geocentric: 3 }

/**
 * The system that the keys name or define, as GDAL reads them; none, and remarks, where they can't be understood, or GDAL would
 * read another one. Vertical systems count from GeoTIFF 1.1 on (`heights`): before, writers gave them for what is no height, and GDAL
 * does not report them.
 */
export function crsOf(keys: GeoKeys, heights: boolean): CrsReading {
  const reading: Reading = {
    keys,
    remarks: mistypedKeys(keys).map((key) => `key ${key} is of another type than the standard's, and left out`),
  }
  const found = horizontalCrs(reading)
  if (found === undefined) {
    if (tells(keys)) reading.remarks.push('no coordinate reference system is served')
    return { crs: undefined, remarks: reading.remarks }
  }
  const vertical = heights && found.wkt.includes('CS[') ? verticalCrs(reading) : undefined
  if (vertical === undefined) return { crs: found, remarks: reading.remarks }
  const names = [found.wkt, vertical].map((wkt) => /"([^"]*)"/.exec(wkt)?.[1] ?? 'unknown')
  const name = plainCitation(keys, GEO_KEY.citation) ?? names.join(' + ')
  return {
    crs: { ...found, wkt: `COMPD_CS["${name.replaceAll('"', "'")}",${found.wkt},${vertical}]` },
    remarks: reading.remarks,
  }
}

/** Whether keys say anything of a system: that pixels are areas is nothing. */
function tells(keys: GeoKeys): boolean {
  return [...keys.keys()].some((key) => key !== GEO_KEY.rasterType && key <= GEO_KEY.verticalUnits)
}

function horizontalCrs(reading: Reading): Crs | undefined {
  const { keys } = reading
  const model = modelOf(keys)
  if (model === MODELS.projected) {
    const cited = PROJECTING.some((key) => keyCode(keys, key) !== undefined) ? undefined : citedCrs(reading)
    const found = cited ?? projectedCrs(reading)
    return found === undefined || 'kind' in found ? found : described(found.wkt, found.code)
  }
  if (model === MODELS.geographic) {
    const code = keyCode(keys, GEO_KEY.geodeticCrs)
    const text = code === undefined ? undefined : epsgWkt(code)
    if (text?.startsWith('GEOGCRS') === true) return described(text, code)
    const found = geographicCrs(reading)
    return found && described(wktText(found.wkt), found.code)
  }
  if (model === MODELS.geocentric) return geocentricCrs(reading)
  return citedCrs(reading) ?? localCrs(reading)
}

/** Coordinates from the middle of the Earth, which is no map, but a system. */
function geocentricCrs(reading: Reading): Crs | undefined {
  const code = keyCode(reading.keys, GEO_KEY.geodeticCrs)
  const text = code === undefined ? undefined : epsgWkt(code)
  if (text?.startsWith('GEOCCS') === true) return described(text, code)
  const geodetic = geodeticCrs(reading)?.wkt
  const parts = ['DATUM', 'PRIMEM']
    .map((keyword) => geodetic && childOf(geodetic, keyword))
    .filter((part) => part !== undefined)
  const unit = linearUnits(reading)?.axes
  if (geodetic === undefined || unit === undefined) return undefined
  const axes = ['X', 'Y', 'Z'].map((axis) => node('AXIS', `Geocentric ${axis}`, node(axis === 'Z' ? 'NORTH' : 'OTHER')))
  return described(wktText(node('GEOCCS', nameOf(geodetic), ...parts, unit, ...axes)), undefined)
}

/** GTModelTypeGeoKey, or the kind of system that ProjectedCRSGeoKey names. */
function modelOf(keys: GeoKeys): number | undefined {
  const model = keyShort(keys, GEO_KEY.modelType)
  const isOpen = model === undefined || model === 32_767
  return isOpen && keyCode(keys, GEO_KEY.projectedCrs) !== undefined ? MODELS.projected : model
}

const ESRI_WKT = /^ESRI PE String = /

/** ArcGIS and GDAL write a system in the words of ArcGIS where there are no keys for it. */
function citedCrs({ keys, remarks }: Reading): Crs | undefined {
  const from = [GEO_KEY.projectedCitation, GEO_KEY.citation]
  const text = from.map((key) => keyText(keys, key)).find((cited) => cited !== undefined && ESRI_WKT.test(cited))
  if (text === undefined) return undefined
  const wkt = parseWkt(text.replace(ESRI_WKT, ''))
  const isWhole = wkt !== undefined && (isGeographic(wkt) || isProjected(wkt))
  if (isWhole) return described(wktText(wkt), undefined)
  remarks.push('the ESRI PE String in PCSCitationGeoKey is no well-known text of a geographic or projected system')
  return undefined
}

/** A plane that lies nowhere on Earth: it has a name and a unit. */
function localCrs(reading: Reading): Crs | undefined {
  const { keys, remarks } = reading
  const lies = [GEO_KEY.geodeticCrs, GEO_KEY.projectedCrs, GEO_KEY.projection].filter((key) => keys.has(key))
  const name = plainCitation(keys, GEO_KEY.citation)
  if (lies.length > 0 || name === undefined) {
    if (lies.length > 0)
      remarks.push(
        `GTModelTypeGeoKey ${keyShort(keys, GEO_KEY.modelType) ?? 'is missing'}: keys ${lies.join(', ')} don't count`,
      )
    return undefined
  }
  const unit = linearUnits(reading)?.axes ?? epsgPart('length', 9001) ?? node('UNIT', 'metre', 1)
  const axes = [node('AXIS', 'Easting', node('EAST')), node('AXIS', 'Northing', node('NORTH'))]
  return described(wktText(node('LOCAL_CS', name, unit, ...axes)), undefined)
}

function isProjected(wkt: Wkt): boolean {
  return ['PROJECTION', 'CONVERSION'].some((keyword) => childOf(wkt, keyword) !== undefined)
}
