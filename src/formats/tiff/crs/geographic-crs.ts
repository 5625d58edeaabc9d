import { datumCode, epsgPart, epsgWkt, isDynamic } from '../../georeference/crs/epsg.ts'
import { DEGREE, isSame } from '../../georeference/crs/units.ts'
import { childOf, nameOf, node, numberOf, parseWkt, type Wkt, wktText } from '../../georeference/crs/wkt.ts'
import type { Reading } from '../reading.ts'
import { type Citation, citationOf, plainCitation } from './geo-citations.ts'
import { GEO_KEY, type GeoKeys, keyCode, keyDouble, keyDoubles, keyShort } from './geo-keys.ts'
import { angularUnit } from './geo-units.ts'

const AXES = [node('AXIS', 'Latitude', node('NORTH')), node('AXIS', 'Longitude', node('EAST'))]

/** A geodetic system that the keys say; `code` when it is just what the register has. */
export interface GeodeticCrs {
  readonly wkt: Wkt
  readonly code: number | undefined
}

/**
 * The geodetic system of the keys, which override the registered one that they name (`implied`, when GeodeticCRSGeoKey is absent).
 */
export function geodeticCrs(reading: Reading, implied?: number): GeodeticCrs | undefined {
  const { keys, remarks } = reading
  const code = keyShort(keys, GEO_KEY.geodeticCrs) === undefined ? implied : keyCode(keys, GEO_KEY.geodeticCrs)
  const known = code === undefined ? undefined : registeredGeodetic(code)
  if (code !== undefined && known === undefined) {
    remarks.push(`GeodeticCRSGeoKey (GeographicTypeGeoKey) ${code} is the code of no geographic system`)
    return undefined
  }
  const citation: Citation = known === undefined ? citationOf(keys, GEO_KEY.geodeticCitation) : new Map()
  const unit = angularUnit(reading, known && childOf(known, 'UNIT'))
  const datum = datumOf(reading, known && childOf(known, 'DATUM'), citation)
  const meridian = unit && meridianOf(reading, known && childOf(known, 'PRIMEM'), citation, unit)
  if (unit === undefined || datum === undefined || meridian === undefined) return undefined
  const parts = [datum, meridian, unit]
  if (known !== undefined && parts.every((part) => known.members.includes(part))) return { wkt: known, code }
  const name = known === undefined ? citedName(reading, citation, datum) : nameOf(known)
  return { wkt: node('GEOGCS', name, ...parts, ...AXES), code: undefined }
}

/** As `geodeticCrs`, for coordinates in it: systems whose datum moves are taken from the register whatever else the keys say. */
export function geographicCrs(reading: Reading): GeodeticCrs | undefined {
  const { keys, remarks } = reading
  const code = keyCode(keys, GEO_KEY.geodeticCrs)
  if (code === undefined || !isDynamic(code)) return geodeticCrs(reading)
  const known = registeredGeodetic(code)
  if (known === undefined) return geodeticCrs(reading)
  const found = geodeticCrs({ keys, remarks: [] })
  if (found?.code === undefined) remarks.push(`other keys differ from EPSG:${code}, which counts, as in GDAL`)
  return { wkt: known, code }
}

function registeredGeodetic(code: number): Wkt | undefined {
  const wkt = parseWkt(epsgWkt(code) ?? '')
  return wkt?.keyword === 'GEOGCS' ? wkt : undefined
}

function citedName({ keys }: Reading, citation: Citation, datum: Wkt): string {
  return citation.get('GCS Name') ?? plainCitation(keys, GEO_KEY.geodeticCitation) ?? nameOf(datum)
}

/** The datum with its ellipsoid: the register's own node where the keys say nothing else. */
function datumOf(reading: Reading, known: Wkt | undefined, citation: Citation): Wkt | undefined {
  const { keys, remarks } = reading
  const code = keyCode(keys, GEO_KEY.geodeticDatum)
  const named = code === undefined ? namedDatum(citation) : epsgPart('datum', code)
  if (code !== undefined && named?.keyword !== 'DATUM') {
    remarks.push(`GeodeticDatumGeoKey ${code} is the code of no datum`)
    return undefined
  }
  if (code === undefined && named !== undefined && !keys.has(GEO_KEY.semiMajorAxis) && !keys.has(GEO_KEY.ellipsoid)) {
    remarks.push(`${nameOf(named)} without an ellipsoid in GeogCitationGeoKey: GDAL takes that of WGS 84`)
    return undefined
  }
  const isOwn = keyShort(keys, GEO_KEY.geodeticDatum) !== undefined && code === undefined
  const start = sameNode(named, known) ?? named ?? (isOwn ? undefined : known)
  const registered = start && childOf(start, 'SPHEROID')
  const ellipsoid = ellipsoidOf(reading, registered, citation.get('Ellipsoid'))
  if (ellipsoid === undefined || (start !== undefined && ellipsoid === registered)) return ellipsoid && start
  const name = start === undefined ? (citation.get('Datum') ?? 'unknown') : nameOf(start)
  const shift = start === undefined ? toWgs84(reading) : []
  return node('DATUM', name, ellipsoid, ...shift)
}

/** A register's node where another one says the same. */
function sameNode(one: Wkt | undefined, other: Wkt | undefined): Wkt | undefined {
  return one !== undefined && other !== undefined && wktText(one) === wktText(other) ? other : undefined
}

function namedDatum(citation: Citation): Wkt | undefined {
  const code = datumCode(citation.get('Datum') ?? '')
  return code === undefined ? undefined : epsgPart('datum', code)
}

/** The way to WGS 84: registered datums have theirs in the register, so that only those of unknown ones count, as in GDAL. */
function toWgs84({ keys }: Reading): Wkt[] {
  const values = keyDoubles(keys, GEO_KEY.toWgs84).slice(0, 7)
  return values.length === 0 ? [] : [node('TOWGS84', ...Array.from({ length: 7 }, (_, i) => values[i] ?? 0))]
}

function meridianOf(
  { keys, remarks }: Reading,
  known: Wkt | undefined,
  citation: Citation,
  unit: Wkt,
): Wkt | undefined {
  const code = keyCode(keys, GEO_KEY.primeMeridian)
  if (code !== undefined) {
    const meridian = epsgPart('meridian', code)
    if (meridian === undefined) remarks.push(`PrimeMeridianGeoKey ${code} is the code of no meridian`)
    return sameNode(meridian, known) ?? meridian
  }
  if (known !== undefined && keyShort(keys, GEO_KEY.primeMeridian) === undefined) return known
  const longitude = keyDouble(keys, GEO_KEY.primeMeridianLongitude) ?? 0
  if (longitude !== 0 && !isSame(numberOf(unit) ?? 0, DEGREE)) {
    remarks.push(`PrimeMeridianLongitudeGeoKey ${longitude} in ${nameOf(unit)}: GDAL reads it in other units`)
    return undefined
  }
  return node('PRIMEM', citation.get('Primem') ?? (longitude === 0 ? 'Greenwich' : 'unknown'), longitude)
}

// OGC GeoTIFF 1.1 section 7.5.3: ellipsoids by code, or by their axes.

const WGS_84 = 7030

/** The ellipsoid of the keys, which override the datum's own (`known`): that very node where they say nothing else. */
function ellipsoidOf(reading: Reading, known: Wkt | undefined, name: string | undefined): Wkt | undefined {
  const { keys, remarks } = reading
  const code = keyCode(keys, GEO_KEY.ellipsoid)
  const coded = code === undefined ? undefined : epsgPart('ellipsoid', code)
  if (code !== undefined && coded === undefined) {
    remarks.push(`EllipsoidGeoKey ${code} is the code of no ellipsoid`)
    return undefined
  }
  const isOwn = keyShort(keys, GEO_KEY.ellipsoid) !== undefined && code === undefined
  const start = isOwn ? undefined : (coded ?? known)
  const [startAxis, startInverse] = axesOf(start)
  const axis = keyDouble(keys, GEO_KEY.semiMajorAxis) ?? startAxis
  if (axis === undefined) {
    remarks.push('no key names a datum or an ellipsoid: WGS 84 is assumed, as GDAL does')
    return epsgPart('ellipsoid', WGS_84)
  }
  const inverse =
    inverseFlattening(keys, axis) ?? (start === undefined || axis === startAxis ? (startInverse ?? 0) : undefined)
  const isMetric = (keyCode(keys, GEO_KEY.geogLinearUnits) ?? 9001) === 9001 || !keys.has(GEO_KEY.semiMajorAxis)
  if (!isMetric || inverse === undefined || !(axis > 0) || !(inverse === 0 || Math.abs(inverse) > 1)) {
    remarks.push(`${axis}, 1/${inverse} (EllipsoidSemiMajorAxisGeoKey and its kin) are no ellipsoid in metres`)
    return undefined
  }
  if (sameAxes(known, axis, inverse)) return known
  return sameAxes(start, axis, inverse) ? start : node('SPHEROID', name ?? 'unknown', axis, inverse)
}

/** Writers compute flattenings: what is less than a hundredth of a millimetre at the poles is no difference. */
function sameAxes(spheroid: Wkt | undefined, axis: number, inverse: number): boolean {
  const [knownAxis, knownInverse = 0] = axesOf(spheroid)
  return knownAxis === axis && Math.abs(knownInverse - inverse) <= 1e-10 * Math.abs(inverse)
}

function axesOf(spheroid: Wkt | undefined): (number | undefined)[] {
  return spheroid?.members.filter((member) => typeof member === 'number') ?? []
}

/** Of the keys: given, or by the minor axis; 0 is a sphere. */
function inverseFlattening(keys: GeoKeys, axis: number): number | undefined {
  const given = keyDouble(keys, GEO_KEY.inverseFlattening)
  if (given !== undefined) return given
  const minor = keyDouble(keys, GEO_KEY.semiMinorAxis)
  if (minor === undefined) return undefined
  return isSame(minor, axis) ? 0 : axis / (axis - minor)
}
