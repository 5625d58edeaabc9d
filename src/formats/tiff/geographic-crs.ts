// OGC GeoTIFF 1.1 section 7.5.3: geodetic systems that a file defines itself, as WKT 1 in the words of GDAL.
import { epsgWkt } from './epsg.ts'
import { GEO_KEY, type GeoKeys, keyNumber, keyText } from './geo-keys.ts'
import { node, type Wkt } from './wkt.ts'

const USER_DEFINED = 32_767

/** The EPSG code of a key; 0 is undefined and 32767 user-defined. */
export function registered(keys: GeoKeys, key: number): number | undefined {
  const code = keyNumber(keys, key)
  return code === undefined || code <= 0 || code === USER_DEFINED ? undefined : code
}

/** Angular units: EPSG code, name and radians. */
const ANGULAR_UNITS: ReadonlyMap<number, readonly [name: string, radians: number]> = new Map([
  [9101, ['radian', 1]],
  [9102, ['degree', 0.0174532925199433]],
  [9103, ['arc-minute', 0.000290888208665722]],
  [9104, ['arc-second', 4.84813681109536e-6]],
  [9105, ['grad', 0.015707963267949]],
  [9106, ['gon', 0.015707963267949]],
])

/** Ellipsoids that files name by number: name, semi-major axis, inverse flattening. */
const ELLIPSOIDS: ReadonlyMap<number, readonly [name: string, axis: number, inverse: number]> = new Map([
  [7001, ['Airy 1830', 6377563.396, 299.3249646]],
  [7004, ['Bessel 1841', 6377397.155, 299.1528128]],
  [7008, ['Clarke 1866', 6378206.4, 294.978698213898]],
  [7012, ['Clarke 1880 (RGS)', 6378249.145, 293.465]],
  [7019, ['GRS 1980', 6378137, 298.257222101]],
  [7022, ['International 1924', 6378388, 297]],
  [7024, ['Krassowsky 1940', 6378245, 298.3]],
  [7030, ['WGS 84', 6378137, 298.257223563]],
  [7043, ['WGS 72', 6378135, 298.26]],
])

/** The geodetic system under the keys; undefined when they don't say enough. */
export function geographicCrs(keys: GeoKeys): Wkt | undefined {
  const code = registered(keys, GEO_KEY.geodeticCrs)
  if (code !== undefined) {
    const text = epsgWkt(code)
    return text === undefined ? undefined : { text }
  }
  const ellipsoid = ellipsoidOf(keys)
  if (ellipsoid === undefined) return undefined
  const citation = citationOf(keys)
  const datum = node('DATUM', citation.datum, ellipsoid(citation.ellipsoid), ...toWgs84(keys))
  const meridian = node('PRIMEM', citation.meridian, keyNumber(keys, GEO_KEY.primeMeridianLongitude) ?? 0)
  return node('GEOGCS', citation.name, datum, meridian, angularUnit(keys))
}

interface Citation {
  readonly name: string
  readonly datum: string
  readonly ellipsoid: string
  readonly meridian: string
}

/** GDAL writes `GCS Name = …|Datum = …|Ellipsoid = …|Primem = …`, others just a name. */
function citationOf(keys: GeoKeys): Citation {
  const text = keyText(keys, GEO_KEY.geodeticCitation) ?? ''
  const parts = new Map(
    text.split('|').map((part) => {
      const equals = part.indexOf('=')
      return [part.slice(0, Math.max(equals, 0)).trim(), part.slice(equals + 1).trim()] as const
    }),
  )
  const plain = text.includes('=') ? undefined : text.trim()
  return {
    name: parts.get('GCS Name') || plain || 'unknown',
    datum: parts.get('Datum') || 'unknown',
    ellipsoid: parts.get('Ellipsoid') || 'unknown',
    meridian: parts.get('Primem') || 'Greenwich',
  }
}

function ellipsoidOf(keys: GeoKeys): ((name: string) => Wkt) | undefined {
  const known = ELLIPSOIDS.get(registered(keys, GEO_KEY.ellipsoid) ?? 0)
  if (known !== undefined) return () => node('SPHEROID', ...known)
  const axis = keyNumber(keys, GEO_KEY.semiMajorAxis)
  if (axis === undefined || !(axis > 0)) return undefined
  const minor = keyNumber(keys, GEO_KEY.semiMinorAxis)
  const fromMinor = minor === undefined || minor === axis ? 0 : axis / (axis - minor)
  const inverse = keyNumber(keys, GEO_KEY.inverseFlattening) ?? fromMinor
  return (name) => node('SPHEROID', name, axis, inverse)
}

function toWgs84(keys: GeoKeys): Wkt[] {
  const values = keys.get(GEO_KEY.toWgs84)
  if (!Array.isArray(values) || (values.length !== 3 && values.length !== 7)) return []
  const seven = Array.from({ length: 7 }, (_, i) => Number(values[i] ?? 0))
  return [node('TOWGS84', ...seven)]
}

function angularUnit(keys: GeoKeys): Wkt {
  const code = registered(keys, GEO_KEY.angularUnits)
  const known = ANGULAR_UNITS.get(code ?? 9102)
  const size = keyNumber(keys, GEO_KEY.angularUnitSize)
  if (code === undefined && size !== undefined) return node('UNIT', 'unknown', size)
  const [name, radians] = known ?? ['degree', 0.0174532925199433]
  // 9122 is the same degree; that is how GDAL spells it.
  const authority = known === undefined || code === 9102 ? 9122 : (code ?? 9122)
  return node('UNIT', name, radians, node('AUTHORITY', 'EPSG', String(authority)))
}
