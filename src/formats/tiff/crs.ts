// OGC GeoTIFF 1.1 sections 7.4 and 7.5: coordinate reference systems.
import { GEO_KEY, type GeoKeys, keyNumber } from './geo-keys.ts'

/** A coordinate reference system as clients know it. */
export interface Crs {
  /** `EPSG:32633`; undefined for systems that no register has. */
  readonly code: string | undefined
  /** What goes into `crs_wkt`: WKT, or an authority's code where only that is known. */
  readonly text: string
  /** Its axes are degrees; undefined where that is not known. */
  readonly isGeographic: boolean
}

const USER_DEFINED = 32_767
const MODEL = { projected: 1, geodetic: 2, geocentric: 3 } as const

/** The system that the keys name; undefined when they name none. */
export function crsOf(keys: GeoKeys): Crs | undefined {
  const horizontal = horizontalCode(keys)
  if (horizontal === undefined) return undefined
  const vertical = registered(keys, GEO_KEY.verticalCrs)
  const code = `EPSG:${horizontal}`
  const isGeographic = registered(keys, GEO_KEY.projectedCrs) === undefined
  return { code, text: vertical === undefined ? code : `${code}+${vertical}`, isGeographic }
}

function horizontalCode(keys: GeoKeys): number | undefined {
  const projected = registered(keys, GEO_KEY.projectedCrs)
  const isProjected = keyNumber(keys, GEO_KEY.modelType) === MODEL.projected || keys.has(GEO_KEY.projectedCrs)
  return isProjected ? projected : registered(keys, GEO_KEY.geodeticCrs)
}

/** The EPSG code of a key; 0 is undefined and 32767 user-defined. */
function registered(keys: GeoKeys, key: number): number | undefined {
  const code = keyNumber(keys, key)
  return code === undefined || code <= 0 || code === USER_DEFINED ? undefined : code
}
