// WMO-306 I.2, section 3 of edition 2: templates 3.x. Octets are counted as there, from 1.

import { Cursor } from '../../../bytes/cursor.ts'
import { signMagnitude } from '../scaling.ts'
import { earthOf } from './earth.ts'
import { type CodedUnits, type GridDefinition, scanningOf } from './grid.ts'

/** What lies before the content of a section: its length and number. */
const HEADER_OCTETS = 5
const MICRO = 1e6
const MISSING = 0xffff_ffff
const HEALPIX = 'healpix'
/** Microdegrees and millimetres. */
const UNITS: CodedUnits = { degrees: 1 / MICRO, metres: 1 / 1000 }

type Numbers = Map<string, number>
/** Reads a number of so many bytes at an octet. */
type At = (octet: number, size?: number) => number

interface Layout {
  readonly type: string
  /** Of the flags of scanning and of resolution and components. */
  readonly scanning?: number
  readonly flags?: number
  readonly read?: (at: At, degrees: At, numbers: Numbers) => void
}

const latLon = (at: At, degrees: At, numbers: Numbers): void => {
  numbers.set('latitudeOfFirstGridPointInDegrees', degrees(47))
  numbers.set('longitudeOfFirstGridPointInDegrees', degrees(51))
  numbers.set('latitudeOfLastGridPointInDegrees', degrees(56))
  numbers.set('longitudeOfLastGridPointInDegrees', degrees(60))
  const given = at(55, 1)
  if ((given & 32) !== 0 && at(64) !== MISSING) numbers.set('iDirectionIncrementInDegrees', degrees(64))
  if ((given & 16) !== 0 && at(68) !== MISSING) numbers.set('jDirectionIncrementInDegrees', degrees(68))
}

const gaussian = (at: At, degrees: At, numbers: Numbers): void => {
  latLon(at, degrees, numbers)
  numbers.delete('jDirectionIncrementInDegrees')
  numbers.set('N', at(68))
}

const rotation = (at: At, _degrees: At, numbers: Numbers): void => {
  numbers.set('latitudeOfSouthernPoleInDegrees', signMagnitude(at(73), 32) / MICRO)
  numbers.set('longitudeOfSouthernPoleInDegrees', signMagnitude(at(77), 32) / MICRO)
  const word = new DataView(new ArrayBuffer(4))
  word.setUint32(0, at(81))
  numbers.set('angleOfRotationInDegrees', word.getFloat32(0))
}

const firstPoint = (at: At, numbers: Numbers): void => {
  numbers.set('latitudeOfFirstGridPointInDegrees', signMagnitude(at(39), 32) / MICRO)
  numbers.set('longitudeOfFirstGridPointInDegrees', signMagnitude(at(43), 32) / MICRO)
}

const conic = (at: At, _degrees: At, numbers: Numbers): void => {
  polar(at, _degrees, numbers)
  numbers.set('Latin1InDegrees', signMagnitude(at(66), 32) / MICRO)
  numbers.set('Latin2InDegrees', signMagnitude(at(70), 32) / MICRO)
  if (at(74) !== MISSING) numbers.set('latitudeOfSouthernPoleInDegrees', signMagnitude(at(74), 32) / MICRO)
  if (at(78) !== MISSING) numbers.set('longitudeOfSouthernPoleInDegrees', signMagnitude(at(78), 32) / MICRO)
}

function polar(at: At, _degrees: At, numbers: Numbers): void {
  firstPoint(at, numbers)
  numbers.set('LaDInDegrees', signMagnitude(at(48), 32) / MICRO)
  numbers.set('LoVInDegrees', signMagnitude(at(52), 32) / MICRO)
  numbers.set('DxInMetres', at(56) / 1000)
  numbers.set('DyInMetres', at(60) / 1000)
  numbers.set('projectionCentreFlag', at(64, 1))
}

const mercator = (at: At, _degrees: At, numbers: Numbers): void => {
  firstPoint(at, numbers)
  numbers.set('LaDInDegrees', signMagnitude(at(48), 32) / MICRO)
  numbers.set('latitudeOfLastGridPointInDegrees', signMagnitude(at(52), 32) / MICRO)
  numbers.set('longitudeOfLastGridPointInDegrees', signMagnitude(at(56), 32) / MICRO)
  numbers.set('orientationOfTheGridInDegrees', at(61) / MICRO)
  numbers.set('DiInMetres', at(65) / 1000)
  numbers.set('DjInMetres', at(69) / 1000)
}

const azimuthal = (at: At, _degrees: At, numbers: Numbers): void => {
  firstPoint(at, numbers)
  numbers.set('standardParallelInDegrees', signMagnitude(at(47), 32) / MICRO)
  numbers.set('centralLongitudeInDegrees', signMagnitude(at(51), 32) / MICRO)
  numbers.set('DxInMetres', at(56) / 1000)
  numbers.set('DyInMetres', at(60) / 1000)
}

const spaceView = (at: At, _degrees: At, numbers: Numbers): void => {
  numbers.set('latitudeOfSubSatellitePointInDegrees', signMagnitude(at(39), 32) / MICRO)
  numbers.set('longitudeOfSubSatellitePointInDegrees', signMagnitude(at(43), 32) / MICRO)
  numbers.set('dx', at(48))
  numbers.set('dy', at(52))
  numbers.set('XpInGridLengths', at(56) / 1000)
  numbers.set('YpInGridLengths', at(60) / 1000)
  numbers.set('orientationOfTheGridInDegrees', at(65) / MICRO)
  numbers.set('NrInRadiusOfEarth', at(69) / MICRO)
  numbers.set('Xo', at(73))
  numbers.set('Yo', at(77))
}

const LAYOUTS: ReadonlyMap<number, Layout> = new Map<number, Layout>([
  [0, { type: 'regular_ll', scanning: 72, flags: 55, read: latLon }],
  [1, { type: 'rotated_ll', scanning: 72, flags: 55, read: both(latLon, rotation) }],
  [2, { type: 'stretched_ll', scanning: 72, flags: 55, read: latLon }],
  [3, { type: 'stretched_rotated_ll', scanning: 72, flags: 55, read: latLon }],
  [10, { type: 'mercator', scanning: 60, flags: 47, read: mercator }],
  [12, { type: 'transverse_mercator', scanning: 60, flags: 47 }],
  [13, { type: 'mercator_lam', scanning: 60, flags: 47, read: mercator }],
  [20, { type: 'polar_stereographic', scanning: 65, flags: 47, read: polar }],
  [23, { type: 'polar_stereographic_lam', scanning: 65, flags: 47, read: polar }],
  [30, { type: 'lambert', scanning: 65, flags: 47, read: conic }],
  [33, { type: 'lambert_lam', scanning: 65, flags: 47, read: conic }],
  [31, { type: 'albers', scanning: 65, flags: 47, read: conic }],
  [40, { type: 'regular_gg', scanning: 72, flags: 55, read: gaussian }],
  [41, { type: 'rotated_gg', scanning: 72, flags: 55, read: both(gaussian, rotation) }],
  [42, { type: 'stretched_gg', scanning: 72, flags: 55, read: gaussian }],
  [90, { type: 'space_view', scanning: 64, flags: 47, read: spaceView }],
  [140, { type: 'lambert_azimuthal_equal_area', scanning: 64, flags: 55, read: azimuthal }],
])
/** Templates of spherical harmonics: three truncations and nothing of a grid. */
const SPECTRAL: ReadonlyMap<number, string> = new Map([
  [50, 'sh'],
  [51, 'rotated_sh'],
  [52, 'stretched_sh'],
  [53, 'stretched_rotated_sh'],
])
/** Grids of points that follow no rows. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [4, 'varres_ll'],
  [5, 'varres_rotated_ll'],
  [61, 'mercator_bf'],
  [62, 'polar_stereographic_bf'],
  [63, 'lambert_bf'],
  [100, 'triangular_grid'],
  [101, 'unstructured_grid'],
  [110, 'equatorial_azimuthal_equidistant'],
  [120, 'azimuth_range'],
  [130, 'irregular_latlon'],
  [150, HEALPIX],
  [1000, 'cross_section'],
  [1100, 'Hovmoller'],
  [1200, 'time_section'],
])

/** The grid of a section 3. */
export function gridOfEdition2(bytes: Uint8Array): GridDefinition {
  const cursor = new Cursor(bytes, 'big', { format: 'grib' })
  const at: At = (octet, size = 4) => {
    cursor.seek(octet - 1 - HEADER_OCTETS)
    return cursor.uint(size)
  }
  const points = at(7)
  const template = at(13, 2)
  const none = { columns: undefined, rows: undefined, scanning: scanningOf(0), uvRelativeToGrid: undefined }
  const empty = {
    points,
    ...none,
    numbers: new Map<string, number>(),
    rowLengths: undefined,
    earth: earthOf(at),
    units: UNITS,
  }
  const spectral = SPECTRAL.get(template)
  if (spectral !== undefined) {
    const [j, k, m] = [at(15), at(19), at(23)]
    const numbers = new Map([
      ['J', j],
      ['K', k],
      ['M', m],
    ])
    return { ...empty, type: spectral, points: (j + 1) * (j + 2), numbers }
  }
  const layout = LAYOUTS.get(template)
  if (layout !== undefined) return ofLayout(layout, empty, at, bytes)
  const type = OTHERS.get(template) ?? 'unknown'
  if (type !== HEALPIX) return { ...empty, type }
  return { ...empty, type, uvRelativeToGrid: (at(31, 1) >> 3) & 1, numbers: healpixNumbers(at) }
}

function healpixNumbers(at: At): Numbers {
  return new Map([
    ['Nside', at(32)],
    ['longitudeOfFirstGridPointInDegrees', at(36) / MICRO],
    ['gridPointPosition', at(40, 1)],
    ['ordering', at(41, 1)],
  ])
}

function ofLayout(layout: Layout, empty: Omit<GridDefinition, 'type'>, at: At, bytes: Uint8Array): GridDefinition {
  const unit = angleUnit(at, layout)
  const numbers: Numbers = new Map()
  layout.read?.(at, (octet) => (signMagnitude(at(octet), 32) * unit.factor) / unit.divisor, numbers)
  const [columns, rows] = [at(31), at(35)]
  const uvRelativeToGrid = (at(layout.flags ?? 47, 1) >> 3) & 1
  const scanning = scanningOf(at(layout.scanning ?? 72, 1))
  const units = { ...UNITS, degrees: unit.factor / unit.divisor }
  const known = { ...empty, numbers, scanning, uvRelativeToGrid, rows, units }
  if (columns === MISSING) {
    const rowLengths = listOfRows(bytes, at(11, 1), rows)
    return { ...known, type: layout.type.replace(/^(regular_)?/, 'reduced_'), columns: undefined, rowLengths }
  }
  return { ...known, type: layout.type, columns }
}

/** Angles of latitude and longitude grids may have a unit of their own. */
function angleUnit(at: At, { read }: Layout) {
  if (read === undefined || (read !== latLon && read !== gaussian && !ROTATED.has(read)))
    return { factor: 1, divisor: MICRO }
  const [basic, parts] = [at(39), at(43)]
  if (basic === 0 || basic === MISSING || parts === 0 || parts === MISSING) return { factor: 1, divisor: MICRO }
  return { factor: basic, divisor: parts }
}

const ROTATED = new Set<Layout['read']>([LAYOUTS.get(1)?.read, LAYOUTS.get(41)?.read])

function both(one: NonNullable<Layout['read']>, other: NonNullable<Layout['read']>): NonNullable<Layout['read']> {
  return (at, degrees, numbers) => {
    one(at, degrees, numbers)
    other(at, degrees, numbers)
  }
}

/** The list at the end of the section. */
function listOfRows(bytes: Uint8Array, size: number, rows: number): number[] {
  const cursor = new Cursor(bytes, 'big', { format: 'grib' })
  if (size < 1 || size > 4) throw cursor.fail(`a list of rows in numbers of ${size} bytes`)
  cursor.seek(bytes.length - rows * size)
  return Array.from({ length: rows }, () => cursor.uint(size))
}
