// T.800 D.3: which context a bit is decoded in, by what is known around its coefficient.
import { FIRST_SIGN_CONTEXT } from './mq-decoder.ts'

/** What a band was filtered by: across, then down. */
export type Orientation = 'LL' | 'HL' | 'LH' | 'HH'

// Which of the nine coefficients in and around a place are significant, row by row: bit 4 is the place itself.
const NORTH_WEST = 1
const NORTH = 2
const NORTH_EAST = 4
const WEST = 8
const EAST = 32
const SOUTH_WEST = 64
const SOUTH = 128
const SOUTH_EAST = 256
const PATTERNS = 512

/** Contexts of significance (table D.1), by the pattern around a place. */
export const SIGNIFICANCE: Readonly<Record<Orientation, Uint8Array>> = {
  LL: byPattern(smooth),
  LH: byPattern(smooth),
  HL: byPattern((across, down, diagonal) => smooth(down, across, diagonal)),
  HH: byPattern((across, down, diagonal) => diagonally(across + down, diagonal)),
}

function byPattern(contextOf: (across: number, down: number, diagonal: number) => number): Uint8Array {
  const count = (pattern: number, ...places: readonly number[]) =>
    places.filter((place) => (pattern & place) > 0).length
  return Uint8Array.from({ length: PATTERNS }, (_, pattern) =>
    contextOf(
      count(pattern, WEST, EAST),
      count(pattern, NORTH, SOUTH),
      count(pattern, NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST),
    ),
  )
}

function smooth(across: number, down: number, diagonal: number): number {
  if (across === 2) return 8
  if (across === 1) return down > 0 ? 7 : diagonal > 0 ? 6 : 5
  return down > 0 ? 2 + down : Math.min(diagonal, 2)
}

function diagonally(beside: number, diagonal: number): number {
  if (diagonal >= 3) return 8
  if (diagonal === 2) return beside > 0 ? 7 : 6
  return (diagonal === 1 ? 3 : 0) + Math.min(beside, 2)
}

/**
 * Contexts of signs (tables D.2 and D.3), twice, and whether the bit is turned. The number of an entry has a bit for each neighbour that is
 * significant, where patterns have it (north, west, east, south: 1, 3, 5, 7), and whether it is negative: west, east, north, south: 0, 2, 4, 6.
 */
export const SIGNS: Uint8Array = Uint8Array.from({ length: 256 }, (_, entry) => {
  const sign = (isThere: number, isNegative: number) => ((entry >> isThere) & 1) * (1 - 2 * ((entry >> isNegative) & 1))
  const across = Math.sign(sign(3, 0) + sign(5, 2))
  const down = Math.sign(sign(1, 4) + sign(7, 6))
  const turned = across < 0 || (across === 0 && down < 0) ? 1 : 0
  const context = across === 0 ? Math.abs(down) : 3 + (turned === 1 ? -down : down)
  return 2 * (FIRST_SIGN_CONTEXT + context) + turned
})
