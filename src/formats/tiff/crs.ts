// OGC GeoTIFF 1.1 section 7.5: coordinate reference systems.
import { epsgWkt } from './epsg.ts'
import { GEO_KEY, type GeoKeys, keyNumber, keyText } from './geo-keys.ts'
import { geographicCrs, registered } from './geographic-crs.ts'
import { linearUnit, projectedCrs } from './projected-crs.ts'
import { node, type Wkt } from './wkt.ts'

/** A coordinate reference system as clients know it. */
export interface Crs {
  /** `EPSG:32633`, without the heights of a compound system; undefined for systems that no register has. */
  readonly code: string | undefined
  /** WKT 1, or the code of a system that the register has and we don't: readers that know CRSs take both. */
  readonly wkt: string
  /** Its axes are degrees. */
  readonly isGeographic: boolean
}

const PROJECTED = 1
const GEODETIC = 2
const GEOCENTRIC = 3

/**
 * The system that the keys name or define; undefined when they do neither. Vertical systems count from GeoTIFF 1.1 on
 * (`heights`): before, writers gave them for what is no height, and GDAL does not report them.
 */
export function crsOf(keys: GeoKeys, heights: boolean): Crs | undefined {
  const model = keyNumber(keys, GEO_KEY.modelType)
  const isGeodetic = model === GEODETIC || model === GEOCENTRIC
  const isProjected = model === PROJECTED || (!isGeodetic && keys.has(GEO_KEY.projectedCrs))
  const code = registered(keys, isProjected ? GEO_KEY.projectedCrs : GEO_KEY.geodeticCrs)
  const registry = code === undefined ? undefined : `EPSG:${code}`
  const horizontal = code === undefined ? defined(keys, isProjected) : wktOfCode(code)
  if (horizontal === undefined) return undefined
  const isGeographic = !isProjected && horizontal.text.startsWith('GEOGCS[')
  const vertical = heights ? verticalCrs(keys) : undefined
  if (vertical === undefined) return { code: registry, wkt: horizontal.text, isGeographic }
  const name = keyText(keys, GEO_KEY.citation) || 'unknown'
  return { code: registry, wkt: node('COMPD_CS', name, horizontal, vertical).text, isGeographic }
}

function wktOfCode(code: number): Wkt {
  return { text: epsgWkt(code) ?? `EPSG:${code}` }
}

const ESRI_WKT = /^ESRI PE String = /

function defined(keys: GeoKeys, isProjected: boolean): Wkt | undefined {
  for (const key of [GEO_KEY.projectedCitation, GEO_KEY.citation]) {
    const text = keyText(keys, key)
    // ArcGIS says it in its own WKT where the keys can't.
    if (text !== undefined && ESRI_WKT.test(text)) return { text: text.replace(ESRI_WKT, '') }
  }
  return (isProjected ? projectedCrs(keys) : geographicCrs(keys)) ?? localCrs(keys)
}

/** A plane that lies nowhere on Earth: it has a name and a unit. */
function localCrs(keys: GeoKeys): Wkt | undefined {
  const name = keyText(keys, GEO_KEY.citation)
  const lies = [GEO_KEY.geodeticCrs, GEO_KEY.projectedCrs, GEO_KEY.projection].some((key) => keys.has(key))
  if (name === undefined || lies) return undefined
  const axes = ['AXIS["Easting",EAST]', 'AXIS["Northing",NORTH]'].map((text) => ({ text }))
  return node('LOCAL_CS', name.replaceAll(/\s+/g, ' ').trim(), linearUnit(keys, GEO_KEY.linearUnits), ...axes)
}

function verticalCrs(keys: GeoKeys): Wkt | undefined {
  const code = keyNumber(keys, GEO_KEY.verticalCrs)
  if (code === undefined || code === 0) return undefined
  const known = registered(keys, GEO_KEY.verticalCrs)
  const text = known === undefined ? undefined : epsgWkt(known)
  if (text?.startsWith('VERT_CS[') === true) return { text }
  // Ellipsoidal heights have codes of three-dimensional systems, which no vertical system can be.
  if (known !== undefined) return undefined
  const name = keyText(keys, GEO_KEY.verticalCitation) || 'unknown'
  const unit = linearUnit(keys, GEO_KEY.verticalUnits)
  return node('VERT_CS', name, node('VERT_DATUM', 'unknown', 2005), unit, { text: 'AXIS["Up",UP]' })
}
