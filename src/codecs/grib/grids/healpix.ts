// HEALPix: 12 faces of nside x nside points, on rings (Górski et al. 2005, ApJ 622:759, section 5).

import { type GridDefinition, numberOf } from './grid.ts'
import type { PlaceAt } from './places.ts'

const DEGREES = 180 / Math.PI
/** Longitude of the middle of the first face, where a grid is not turned. */
const FIRST_FACE = 45
const POINTS_AT_CENTRES = 4
const NESTED = 1
const MOST_SIDE = 2 ** 20
/** Of each face: its ring, and its place around the globe. */
const FACE_RINGS = [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]
const FACE_TURNS = [1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7]

/** A point by its ring, counted from the north, and its place on it. */
interface OnRing {
  readonly ring: number
  readonly place: number
}

/** Places of points in the order of the file; undefined where that is neither by rings nor by faces. */
export function healpixPlaces(grid: GridDefinition): PlaceAt | undefined {
  const side = numberOf(grid, 'Nside')
  const isNested = numberOf(grid, 'ordering') === NESTED
  if (side < 1 || side > MOST_SIDE || 12 * side * side !== grid.points) return undefined
  if (numberOf(grid, 'gridPointPosition') !== POINTS_AT_CENTRES) return undefined
  if (isNested && !Number.isInteger(Math.log2(side))) return undefined
  const turned = numberOf(grid, 'longitudeOfFirstGridPointInDegrees') - FIRST_FACE
  return (index) => {
    const { ring, place } = isNested ? ofFace(index, side) : ofRing(index, side)
    const [latitude, longitude] = placeOnRing(ring, place, side)
    return [latitude, (longitude + turned + 360) % 360]
  }
}

/** Rings near the poles grow by 4 points each, those between have 4 nside. */
function ofRing(index: number, side: number): OnRing {
  const cap = 2 * side * (side - 1)
  const points = 12 * side * side
  if (index < cap) return inCap(index)
  if (index < points - cap) {
    return { ring: Math.floor((index - cap) / (4 * side)) + side, place: (index - cap) % (4 * side) }
  }
  const { ring, place } = inCap(points - 1 - index)
  return { ring: 4 * side - ring, place: 4 * ring - 1 - place }
}

function inCap(index: number): OnRing {
  const ring = Math.floor((1 + Math.sqrt(1 + 2 * index)) / 2)
  return { ring, place: index - 2 * ring * (ring - 1) }
}

/** Bits of a place in a face are taken in turns for its two directions. */
function ofFace(index: number, side: number): OnRing {
  const face = Math.floor(index / (side * side))
  const [east, west] = bitsApart(index % (side * side))
  const ring = (FACE_RINGS[face] ?? 0) * side - east - west - 1
  const { quarter, shift } = ringOf(ring, side)
  const place = ((FACE_TURNS[face] ?? 0) * quarter + east - west + 1 + shift) / 2
  const length = 4 * quarter
  return { ring, place: (Math.floor(place) - 1 + length) % length }
}

function bitsApart(number: number): readonly [even: number, odd: number] {
  const pair = [0, 0] as [number, number]
  for (let rest = number, weight = 1; rest > 0; rest = Math.floor(rest / 4), weight *= 2) {
    if (rest % 2 === 1) pair[0] += weight
    if (Math.floor(rest / 2) % 2 === 1) pair[1] += weight
  }
  return pair
}

/** Points of a quarter of a ring, and whether it begins half a step later than its neighbours. */
function ringOf(ring: number, side: number): { readonly quarter: number; readonly shift: number } {
  if (ring < side) return { quarter: ring, shift: 0 }
  if (ring > 3 * side) return { quarter: 4 * side - ring, shift: 0 }
  return { quarter: side, shift: (ring - side) % 2 }
}

function placeOnRing(ring: number, place: number, side: number): readonly [latitude: number, longitude: number] {
  const { quarter, shift } = ringOf(ring, side)
  const isCap = ring < side || ring > 3 * side
  const cap = 1 - (quarter * quarter) / (3 * side * side)
  const height = isCap ? (ring < side ? cap : -cap) : ((2 * side - ring) * 2) / (3 * side)
  return [Math.asin(height) * DEGREES, ((place + (1 - shift) / 2) * 90) / quarter]
}
