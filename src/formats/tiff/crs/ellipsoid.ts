// OGC GeoTIFF 1.1 section 7.5.3: ellipsoids by code, or by their axes.

import type { Reading } from '../reading.ts'
import { epsgPart } from './epsg.ts'
import { GEO_KEY, type GeoKeys, keyCode, keyDouble, keyShort } from './geo-keys.ts'
import { isSame } from './geo-units.ts'
import { node, type Wkt } from './wkt.ts'

const WGS_84 = 7030

/** The ellipsoid of the keys, which override the datum's own (`known`): that very node where they say nothing else. */
export function ellipsoidOf(reading: Reading, known: Wkt | undefined, name: string | undefined): Wkt | undefined {
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
