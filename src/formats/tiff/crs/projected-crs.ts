// OGC GeoTIFF 1.1 section 7.5.4: projected systems, registered, or defined by a file, as WKT 1 in the words of GDAL.

import { epsgConversion, epsgWkt, successorOf } from '../../georeference/crs/epsg.ts'
import { DEGREE, isSame } from '../../georeference/crs/units.ts'
import { childOf, nameOf, node, numberOf, parseWkt, unitSize, type Wkt, wktText } from '../../georeference/crs/wkt.ts'
import type { Reading } from '../reading.ts'
import { citationOf, isStatePlane, plainCitation } from './geo-citations.ts'
import { GEO_KEY, type GeoKeys, keyCode, keyShort } from './geo-keys.ts'
import { type LinearUnits, linearUnits } from './geo-units.ts'
import { geodeticCrs } from './geographic-crs.ts'
import { axesOf, isKeyed, keyedProjection, parameterKind } from './projection-methods.ts'

/** A projected system as WKT; `code` when it is just what the register has. */
export interface ProjectedCrs {
  readonly wkt: string
  readonly code: number | undefined
}

/** `PROJECTION` and its parameters with what their numbers are in: metres of lengths, radians of angles and of azimuths. */
interface Projection {
  readonly parts: readonly Wkt[]
  readonly metres: number
  readonly radians: number
  readonly azimuths: number
}

/** Any of these makes a registered system one that the file defines: without them it is taken as it is. */
const OVERRIDES = [GEO_KEY.projection, GEO_KEY.method, GEO_KEY.geodeticCrs, GEO_KEY.geodeticDatum, GEO_KEY.ellipsoid]

/** The projected system under the keys; undefined, with remarks, when they don't say enough, or what is not known. */
export function projectedCrs(reading: Reading): ProjectedCrs | undefined {
  const { keys, remarks } = reading
  const named = keyCode(keys, GEO_KEY.projectedCrs)
  const code = named !== undefined && isPlain(keys) ? currentCode(named, remarks) : named
  const text = code === undefined ? undefined : epsgWkt(code)
  const known = text?.startsWith('PROJ') === true ? parseWkt(text) : undefined
  if (text === undefined || known === undefined) {
    if (code !== undefined)
      remarks.push(`ProjectedCRSGeoKey (ProjectedCSTypeGeoKey) ${code} is the code of no projected system`)
    return ownCrs(reading)
  }
  const changed = known.keyword === 'PROJCS' ? registeredCrs(reading, known) : inWkt2(reading, known)
  return changed === known ? { wkt: text, code } : changed && { wkt: wktText(changed), code: undefined }
}

function isPlain(keys: GeoKeys): boolean {
  return !OVERRIDES.some((key) => keyShort(keys, key) !== undefined)
}

/** The code, or that of the system that replaced it. */
function currentCode(code: number, remarks: string[]): number {
  const successor = successorOf(code)
  if (successor !== undefined) remarks.push(`EPSG:${code} is deprecated: EPSG:${successor} takes its place, as in GDAL`)
  return successor ?? code
}

/** What WKT 1 can't say can't be changed either. */
function inWkt2(reading: Reading, known: Wkt): Wkt | undefined {
  const unit = node('UNIT', 'unknown', unitSize(known))
  const units = linearUnits(reading, unit)
  if (isPlain(reading.keys) && units !== undefined && isSame(numberOf(units.axes) ?? 1, unitSize(known))) return known
  reading.remarks.push(`other keys than ProjectedCRSGeoKey change ${nameOf(known)}, which WKT 1 can't say`)
  return undefined
}

/** A registered system with what the keys change; itself when they change nothing. */
function registeredCrs(reading: Reading, known: Wkt): Wkt | undefined {
  const { keys, remarks } = reading
  const unit = childOf(known, 'UNIT')
  const units = linearUnits(reading, unit)
  const plain = isPlain(keys)
  const base = childOf(known, 'GEOGCS') ?? node('GEOGCS')
  const geodetic = plain ? base : baseCrs(reading, base)
  if (units === undefined || geodetic === undefined) return undefined
  const own = {
    parts: conversionOf(known),
    metres: numberOf(unit) ?? 1,
    radians: angleOf(base),
    azimuths: angleOf(base),
  }
  const method = keyShort(keys, GEO_KEY.method)
  const keyed = plain || method === undefined ? own : fromKeys(reading, method, units, geodetic)
  if (keyed === undefined) return undefined
  const parts = inUnits(keyed, units, geodetic)
  const isSameUnit = isSame(numberOf(units.axes) ?? 1, numberOf(unit) ?? 1)
  if (geodetic === base && isSameUnit && isSameProjection(parts, own.parts)) return known
  remarks.push(`other keys change EPSG:${codeOf(known) ?? 'unknown'} (ProjectedCRSGeoKey)`)
  const axes =
    keyed === own
      ? known.members.filter((part) => typeof part === 'object' && part.keyword === 'AXIS')
      : axesOf(methodName(parts))
  return node('PROJCS', nameOf(known), geodetic, ...parts, units.axes, ...axes)
}

/** The geodetic system under a projected one: the registered one's own node where the keys name the same. */
function baseCrs(reading: Reading, known?: Wkt): Wkt | undefined {
  const found = geodeticCrs(reading, known && codeOf(known))
  if (found === undefined) return undefined
  if (known !== undefined && found.code !== undefined && found.code === codeOf(known)) return known
  const parts = found.wkt.members.filter((part) => typeof part !== 'object' || part.keyword !== 'AXIS')
  return node(found.wkt.keyword, ...parts)
}

/** What GDAL calls the system that other programs know as EPSG:3857, when it has no code for it. */
const WEB_MERCATOR = ['Google Maps Global Mercator', 3857] as const

/** A system without a code that is known. */
function ownCrs(reading: Reading): ProjectedCrs | undefined {
  const { keys, remarks } = reading
  const name = nameIn(reading)
  if (name === WEB_MERCATOR[0]) return { wkt: epsgWkt(WEB_MERCATOR[1]) ?? '', code: WEB_MERCATOR[1] }
  if (isStatePlane(keys)) {
    remarks.push('a citation names a state plane, whatever the keys say')
    return undefined
  }
  const method = keyShort(keys, GEO_KEY.method)
  const units = linearUnits(reading)
  const geodetic = baseCrs(reading)
  if (units === undefined || geodetic === undefined) return undefined
  const projection = method === undefined ? fromRegister(reading) : fromKeys(reading, method, units, geodetic)
  if (projection === undefined) return undefined
  const parts = inUnits(projection, units, geodetic)
  const system = node('PROJCS', name, geodetic, ...parts, units.axes, ...axesOf(methodName(parts)))
  return { wkt: wktText(system), code: undefined }
}

function nameIn({ keys }: Reading): string {
  const from = [GEO_KEY.projectedCitation, GEO_KEY.citation]
  const names = from.map((key) => citationOf(keys, key).get('PCS Name') ?? plainCitation(keys, key))
  return names.find((name) => name !== undefined) ?? 'unknown'
}

/** The projection of ProjectionGeoKey, a code of the register. */
function fromRegister({ keys, remarks }: Reading): Projection | undefined {
  const code = keyCode(keys, GEO_KEY.projection)
  const parts = code === undefined ? undefined : epsgConversion(code)
  if (parts !== undefined && isKeyed(methodName(parts))) return { parts, metres: 1, radians: DEGREE, azimuths: DEGREE }
  remarks.push(
    code === undefined
      ? 'neither ProjMethodGeoKey (ProjCoordTransGeoKey) nor ProjectionGeoKey says how it is projected'
      : `ProjectionGeoKey ${code} is no projection that is known`,
  )
  return undefined
}

function fromKeys(
  { keys, remarks }: Reading,
  method: number,
  { keyMetres }: LinearUnits,
  base: Wkt,
): Projection | undefined {
  const parts = keyedProjection(keys, method, remarks)
  const radians = angleOf(base)
  if (parts !== undefined && !isSame(radians, DEGREE)) {
    remarks.push(
      'angles of the projection are taken in the unit of the geographic system: GDAL 3.0 to 3.9.0 wrote degrees',
    )
  }
  return parts && { parts, metres: keyMetres, radians, azimuths: DEGREE }
}

/** The projection's numbers in the units of the system: lengths in those of its axes, angles in those of its base. */
function inUnits({ parts, metres, radians, azimuths }: Projection, { axes }: LinearUnits, base: Wkt): readonly Wkt[] {
  const factors = {
    length: metres / (numberOf(axes) ?? 1),
    angle: radians / angleOf(base),
    azimuth: azimuths / angleOf(base),
    ratio: 1,
  }
  return parts.map((part) => {
    const factor = factors[parameterKind(nameOf(part))]
    return part.keyword !== 'PARAMETER' || isSame(factor, 1)
      ? part
      : node('PARAMETER', nameOf(part), rounded((numberOf(part) ?? 0) * factor))
  })
}

/** What a computation leaves behind its digits. */
function rounded(number: number): number {
  return Number(number.toPrecision(15))
}

function conversionOf(system: Wkt): readonly Wkt[] {
  const kinds = ['PROJECTION', 'PARAMETER']
  return system.members.filter((part) => typeof part === 'object').filter(({ keyword }) => kinds.includes(keyword))
}

function isSameProjection(one: readonly Wkt[], other: readonly Wkt[]): boolean {
  const differs = (part: Wkt) => {
    const twin = other.find((member) => member.keyword === part.keyword && nameOf(member) === nameOf(part))
    return twin === undefined || !isSame(numberOf(part) ?? 0, numberOf(twin) ?? 0)
  }
  return one.length === other.length && !one.some(differs)
}

function methodName(parts: readonly Wkt[]): string {
  return nameOf(parts[0] ?? node(''))
}

function angleOf(base: Wkt): number {
  return numberOf(childOf(base, 'UNIT')) ?? DEGREE
}

/** The code in a node's own AUTHORITY. */
function codeOf(system: Wkt): number | undefined {
  const code = childOf(system, 'AUTHORITY')?.members[1]
  return code === undefined ? undefined : Number(code)
}
