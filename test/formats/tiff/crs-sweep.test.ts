import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Crs } from '../../../src/formats/georeference/crs/reference-system.ts'
import { childOf, nameOf, parseWkt, type Wkt } from '../../../src/formats/georeference/crs/wkt.ts'
import { crsOf } from '../../../src/formats/tiff/crs/crs.ts'
import type { GeoKeyValue } from '../../../src/formats/tiff/crs/geo-keys.ts'

/** What GDAL reads in the keys of a case (test/fixtures/tiff/crs/make.py). */
interface Numbers {
  readonly ellipsoid: readonly number[]
  readonly datum: string
  readonly meridian: number
  readonly angle: number
  readonly shift?: readonly number[]
  readonly projection?: string
  readonly parameters?: Readonly<Record<string, number>>
  readonly unit?: number
  readonly height?: readonly [string, string, number]
}

/** A system that only WKT 2 can say. */
interface Kind {
  readonly kind: 'PROJCRS' | 'GEOGCRS'
}

interface Case {
  readonly name: string
  readonly keys: Readonly<Record<string, GeoKeyValue>>
  readonly minor: number
  readonly read: Numbers | Kind | null
}

const file = new URL('../../fixtures/tiff/crs/cases.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly Case[] }

/** Systems that GDAL reads and we don't serve, each with a diagnostic that says why. */
const REFUSED: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^method 7, (every|natural|false|centre)|^Mercator, latitude of origin and parallel/, 'two latitudes of Mercator'],
  [
    /^method 15, |^polar stereographic, (scale|parallel) /,
    'no latitude, or both a scale and a parallel: PROJ makes nothing of it',
  ],
  [/^method 8, no parameters|^Lambert, one of/, 'libgeotiff forgets the first parallel where the second is missing'],
  [/^azimuths in grads|^an angle of its own|^unit of angles 9111/, 'GDAL takes them for degrees'],
  [/^a meridian in grads/, 'GDAL multiplies its unit in more than once'],
  [/^axes in feet/, 'GDAL takes them for metres'],
  [
    /^unit of length 12345|^meridian 12345|^an unknown (datum|ellipsoid)|^a geographic code that is none/,
    'nobody has the code',
  ],
  [/^a datum by name without an ellipsoid/, 'GDAL puts it on another ellipsoid than its own'],
  [/^cited miles/, 'GDAL takes them for 1304 m'],
  [/^a state plane by name/, 'GDAL has a table of the names of ArcGIS'],
]
/** Systems that we serve and GDAL does not read. */
const OURS = [/^Krovak and its own base/, /^ArcGIS, projected model/]
/** Systems that GDAL says in another way: the interoperability tests compare points. */
const OTHERWISE: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^ESRI:102113, by GDAL 3.6|^a name of ArcGIS for web Mercator/, 'PROJ knows the name and makes a sphere of it'],
]

describe('GeoTIFF keys of two GDALs, and of none, give the numbers that GDAL reads', () => {
  for (const { name, keys, minor, read } of cases) {
    test(name, () => {
      const { crs, remarks } = crsOf(
        new Map(Object.entries(keys).map(([key, value]) => [Number(key), value])),
        minor > 0,
      )
      const isOnMap = crs !== undefined && crs.kind !== 'other'
      const isRefused = is(REFUSED, name)
      assert.equal(
        isOnMap,
        (read !== null && !isRefused) || OURS.some((pattern) => pattern.test(name)),
        remarks.join('; '),
      )
      if (crs === undefined && Object.keys(keys).join() !== '1025')
        assert.ok(remarks.length > 0, 'a diagnostic says why')
      if (crs !== undefined && isOnMap && read !== null && !is(OTHERWISE, name)) assertSame(crs, read)
    })
  }
})

function is(list: readonly (readonly [RegExp, string])[], name: string): boolean {
  return list.some(([pattern]) => pattern.test(name))
}

function assertSame(crs: Crs, read: Numbers | Kind): void {
  if ('kind' in read) {
    assert.equal(crs.kind, read.kind === 'GEOGCRS' ? 'geographic' : 'projected')
    return
  }
  assert.equal(crs.kind, read.unit === undefined ? 'geographic' : 'projected')
  assertClose([crs.unit], [read.unit ?? read.angle])
  const whole = parseWkt(crs.wkt)
  const [system, height] =
    whole?.keyword === 'COMPD_CS' ? whole.members.filter((part) => typeof part === 'object') : [whole]
  if (system?.keyword !== 'PROJCS' && system?.keyword !== 'GEOGCS') return
  assertGeographic(system.keyword === 'GEOGCS' ? system : (childOf(system, 'GEOGCS') ?? system), read)
  assert.deepEqual(
    height && [nameOf(height), nameOf(childOf(height, 'VERT_DATUM') ?? height), ...numbers(childOf(height, 'UNIT'))],
    read.height?.map((part) => (part === '' ? 'unknown' : part)),
  )
  // What ArcGIS says is in its own words: the interoperability tests compare points.
  const isOfArcGis = nameOf(childOf(childOf(system, 'GEOGCS') ?? system, 'DATUM') ?? system).startsWith('D_')
  if (read.projection === undefined || isOfArcGis) return
  assert.equal(nameOf(childOf(system, 'PROJECTION') ?? system), read.projection)
  const parameters = system.members
    .filter((part) => typeof part === 'object')
    .filter(({ keyword }) => keyword === 'PARAMETER')
  const ours = new Map(parameters.map((part) => [nameOf(part), numbers(part)[0] ?? Number.NaN]))
  const names = new Set([...ours.keys(), ...Object.keys(read.parameters ?? {})])
  for (const name of names) {
    const fallback = name === 'scale_factor' ? 1 : 0
    assertClose([ours.get(name) ?? fallback], [read.parameters?.[name] ?? fallback], name)
  }
}

function assertGeographic(system: Wkt, read: Numbers): void {
  const datum = childOf(system, 'DATUM') ?? system
  assertClose(numbers(childOf(datum, 'SPHEROID')), read.ellipsoid, 'ellipsoid')
  assertClose(numbers(childOf(system, 'PRIMEM')), [read.meridian], 'meridian')
  assertClose(numbers(childOf(system, 'UNIT')), [read.angle], 'angle')
  assertClose(numbers(childOf(datum, 'TOWGS84')), read.shift ?? [], 'shift')
}

function numbers(wkt: Wkt | undefined): readonly number[] {
  return wkt?.members.filter((member) => typeof member === 'number') ?? []
}

/** Equal but for what 15 digits leave of an inverse flattening. */
function assertClose(ours: readonly number[], read: readonly number[], what = 'unit'): void {
  const isClose =
    ours.length === read.length &&
    ours.every((number, i) => Math.abs(number - (read[i] ?? 0)) <= 1e-11 * Math.max(1e3, Math.abs(number)))
  assert.ok(isClose, `${what}: ${ours.join(', ')} instead of ${read.join(', ')}`)
}
