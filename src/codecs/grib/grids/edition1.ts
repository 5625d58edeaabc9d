// WMO-306 I.2, section 2 of edition 1. Octets are counted as there, from 1.

import { Cursor } from '../../../bytes/cursor.ts'
import { ibmFloat, signMagnitude } from '../scaling.ts'
import { ELLIPSOID_OF_EDITION_1, SPHERE_OF_EDITION_1 } from './earth.ts'
import { type CodedUnits, type GridDefinition, scanningOf } from './grid.ts'
import { reducedRows } from './reduced.ts'

const MILLI = 1000
const NOT_GIVEN = 65_535
const ELLIPSOID = 64
const INCREMENTS_GIVEN = 128
/** Millidegrees and metres. */
const UNITS: CodedUnits = { degrees: 1 / MILLI, metres: 1 }

/** Types by octet 6; those of spherical harmonics apart. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [0, 'regular_ll'],
  [1, 'mercator'],
  [3, 'lambert'],
  [4, 'regular_gg'],
  [5, 'polar_stereographic'],
  [8, 'albers'],
  [10, 'rotated_ll'],
  [14, 'rotated_gg'],
  [20, 'stretched_ll'],
  [24, 'stretched_gg'],
  [30, 'stretched_rotated_ll'],
  [34, 'stretched_rotated_gg'],
  [90, 'space_view'],
])
const SPECTRAL: ReadonlyMap<number, string> = new Map([
  [50, 'sh'],
  [60, 'rotated_sh'],
  [70, 'stretched_sh'],
  [80, 'stretched_rotated_sh'],
])

type At = (octet: number, size: number) => number
type Numbers = Map<string, number>

/** The grid of a section 2; how many values section 4 has, where that is known, decides which points of reduced rows there are. */
export function gridOfEdition1(bytes: Uint8Array, valueCount?: number): GridDefinition {
  const cursor = new Cursor(bytes, 'big', { format: 'grib' })
  const at: At = (octet, size) => {
    cursor.seek(octet - 1)
    return cursor.uint(size)
  }
  const kind = at(6, 1)
  const spectral = SPECTRAL.get(kind)
  if (spectral !== undefined) return spectralGrid(spectral, at)
  const type = TYPES.get(kind) ?? 'unknown'
  const [columns, rows] = [at(7, 2), at(9, 2)]
  const numbers: Numbers = new Map()
  readNumbers(type, at, numbers)
  const flags = at(17, 1)
  const shape = {
    rows,
    numbers,
    scanning: scanningOf(at(28, 1) & ~16),
    uvRelativeToGrid: (flags >> 3) & 1,
    earth: (flags & ELLIPSOID) === 0 ? SPHERE_OF_EDITION_1 : ELLIPSOID_OF_EDITION_1,
    units: UNITS,
  }
  if (columns !== NOT_GIVEN) return { ...shape, type, columns, points: columns * rows, rowLengths: undefined }
  cursor.seek(at(5, 1) - 1 + at(4, 1) * 4)
  const rowLengths = Array.from({ length: rows }, () => cursor.u16())
  const grid = { ...shape, type: type.replace(/^(regular_)?/, 'reduced_'), columns: undefined, points: 0, rowLengths }
  return { ...grid, points: reducedRows(grid, valueCount).points }
}

function spectralGrid(type: string, at: At): GridDefinition {
  const [j, k, m] = [at(7, 2), at(9, 2), at(11, 2)]
  const numbers = new Map([
    ['J', j],
    ['K', k],
    ['M', m],
  ])
  const none = { columns: undefined, rows: undefined, scanning: scanningOf(0), uvRelativeToGrid: undefined }
  const points = (j + 1) * (j + 2)
  return { ...none, type, numbers, points, rowLengths: undefined, earth: SPHERE_OF_EDITION_1, units: UNITS }
}

function readNumbers(type: string, at: At, numbers: Numbers): void {
  const degrees = (octet: number) => signMagnitude(at(octet, 3), 24) / MILLI
  if (type === 'space_view') return
  numbers.set('latitudeOfFirstGridPointInDegrees', degrees(11))
  numbers.set('longitudeOfFirstGridPointInDegrees', degrees(14))
  if (type === 'lambert' || type === 'polar_stereographic' || type === 'albers') {
    numbers.set('LoVInDegrees', degrees(18))
    numbers.set('DxInMetres', at(21, 3))
    numbers.set('DyInMetres', at(24, 3))
    numbers.set('projectionCentreFlag', at(27, 1))
    if (type === 'polar_stereographic') numbers.set('LaDInDegrees', (at(27, 1) & 128) !== 0 ? -60 : 60)
    else readConic(degrees, numbers)
    return
  }
  numbers.set('latitudeOfLastGridPointInDegrees', degrees(18))
  numbers.set('longitudeOfLastGridPointInDegrees', degrees(21))
  if (type === 'mercator') {
    numbers.set('LaDInDegrees', degrees(24))
    numbers.set('DiInMetres', at(29, 3))
    numbers.set('DjInMetres', at(32, 3))
    return
  }
  const given = (at(17, 1) & INCREMENTS_GIVEN) !== 0
  if (given && at(24, 2) !== NOT_GIVEN) numbers.set('iDirectionIncrementInDegrees', at(24, 2) / MILLI)
  if (type.endsWith('gg')) numbers.set('N', at(26, 2))
  else if (given && at(26, 2) !== NOT_GIVEN) numbers.set('jDirectionIncrementInDegrees', at(26, 2) / MILLI)
  if (type.includes('rotated')) {
    numbers.set('latitudeOfSouthernPoleInDegrees', degrees(33))
    numbers.set('longitudeOfSouthernPoleInDegrees', degrees(36))
    numbers.set('angleOfRotationInDegrees', ibmFloat(at(39, 4)))
  }
}

function readConic(degrees: (octet: number) => number, numbers: Numbers): void {
  numbers.set('Latin1InDegrees', degrees(29))
  numbers.set('Latin2InDegrees', degrees(32))
  numbers.set('LaDInDegrees', degrees(29))
  numbers.set('latitudeOfSouthernPoleInDegrees', degrees(35))
  numbers.set('longitudeOfSouthernPoleInDegrees', degrees(38))
}
