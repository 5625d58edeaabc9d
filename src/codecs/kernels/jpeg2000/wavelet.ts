// T.800 annex F: coefficients of bands back to samples, one resolution after the other.
import type { ComponentLayout, Resolution } from './tile-layout.ts'

/** Coefficients of a component of a tile, row by row; whole numbers, or not. */
export type Plane = Int32Array | Float32Array | Float64Array

/** Rows or columns that are filtered side by side. */
const LANES = 16

const { fround } = Math

/** Four factors of lifting steps and one of scaling (table F.4), as floats of 32 bits. */
const ALPHA = fround(-1.586134342059924)
const BETA = fround(-0.052980118572961)
const GAMMA = fround(0.882911075530934)
const DELTA = fround(0.443506852043971)
const K = fround(1.230174104914001)
/** OpenJPEG's 13318 / 16384, where the standard has 1 / K (0.812893): readers of GRIB and GDAL see its values. */
const INVERSE_K = 13_318 / 16_384

/** Filters lines of a length, whose first place is odd or not, each of `LANES` side by side. */
type Filter<Lines> = (lines: Lines, length: number, parity: number) => void

/** Filters all resolutions, in place. */
export function synthesise(plane: Plane, { resolutions, style, box }: ComponentLayout): void {
  const stride = box.right - box.left
  const longest = Math.max(stride, box.bottom - box.top) * LANES
  if (!style.isReversible) synthesiseBy(plane, stride, resolutions, new Float32Array(longest), filter97)
  else if (plane instanceof Int32Array) synthesiseBy(plane, stride, resolutions, new Int32Array(longest), filter53)
  else synthesiseBy(plane, stride, resolutions, new Float64Array(longest), filterWide53)
}

function synthesiseBy<Lines extends Plane>(
  plane: Plane,
  stride: number,
  resolutions: readonly Resolution[],
  lines: Lines,
  filter: Filter<Lines>,
): void {
  for (const [at, { box }] of resolutions.entries()) {
    const before = resolutions[at - 1]?.box
    if (before === undefined) continue
    const [width, height] = [box.right - box.left, box.bottom - box.top]
    const rows = { length: width, low: before.right - before.left, parity: box.left & 1, step: 1 }
    for (let row = 0; row < height; row += LANES) {
      filterLines(
        plane,
        lines,
        { ...rows, start: row * stride, lanes: Math.min(LANES, height - row), apart: stride },
        filter,
      )
    }
    const columns = { length: height, low: before.bottom - before.top, parity: box.top & 1, step: stride }
    for (let column = 0; column < width; column += LANES) {
      filterLines(plane, lines, { ...columns, start: column, lanes: Math.min(LANES, width - column), apart: 1 }, filter)
    }
  }
}

interface LinesOf {
  readonly start: number
  readonly length: number
  /** Coefficients of the low band, which come first. */
  readonly low: number
  readonly parity: number
  readonly step: number
  readonly lanes: number
  readonly apart: number
}

function filterLines<Lines extends Plane>(plane: Plane, lines: Lines, of: LinesOf, filter: Filter<Lines>): void {
  const { start, length, low, parity, step, lanes, apart } = of
  for (let at = 0; at < length; at++) {
    const from = start + at * step
    const to = LANES * (at < low ? 2 * at + parity : 2 * (at - low) + 1 - parity)
    for (let lane = 0; lane < lanes; lane++) lines[to + lane] = plane[from + lane * apart] ?? 0
  }
  filter(lines, length, parity)
  for (let at = 0; at < length; at++) {
    const to = start + at * step
    for (let lane = 0; lane < lanes; lane++) plane[to + lane * apart] = lines[at * LANES + lane] ?? 0
  }
}

/** Calls a step for each second place with its neighbours; behind the ends are those in front of them. */
function eachSecond(first: number, length: number, step: (at: number, left: number, right: number) => void): void {
  for (let place = first; place < length; place += 2) {
    const left = place === 0 ? 1 : place - 1
    const right = place === length - 1 ? length - 2 : place + 1
    step(LANES * place, LANES * left, LANES * right)
  }
}

/** The reversible filter of 5 and 3 taps; a lone coefficient of the high band is twice the sample. */
function filter53(lines: Int32Array, length: number, parity: number): void {
  if (length === 1) {
    if (parity === 1) for (let lane = 0; lane < LANES; lane++) lines[lane] = Math.trunc((lines[lane] ?? 0) / 2)
    return
  }
  eachSecond(parity, length, (at, left, right) => {
    for (let lane = 0; lane < LANES; lane++) {
      lines[at + lane] = (lines[at + lane] ?? 0) - (((lines[left + lane] ?? 0) + (lines[right + lane] ?? 0) + 2) >> 2)
    }
  })
  eachSecond(1 - parity, length, (at, left, right) => {
    for (let lane = 0; lane < LANES; lane++) {
      lines[at + lane] = (lines[at + lane] ?? 0) + (((lines[left + lane] ?? 0) + (lines[right + lane] ?? 0)) >> 1)
    }
  })
}

/** The same for more bits than integers have. */
function filterWide53(lines: Float64Array, length: number, parity: number): void {
  if (length === 1) {
    if (parity === 1) for (let lane = 0; lane < LANES; lane++) lines[lane] = Math.trunc((lines[lane] ?? 0) / 2)
    return
  }
  eachSecond(parity, length, (at, left, right) => {
    for (let lane = 0; lane < LANES; lane++) {
      const sum = (lines[left + lane] ?? 0) + (lines[right + lane] ?? 0)
      lines[at + lane] = (lines[at + lane] ?? 0) - Math.floor((sum + 2) / 4)
    }
  })
  eachSecond(1 - parity, length, (at, left, right) => {
    for (let lane = 0; lane < LANES; lane++) {
      const sum = (lines[left + lane] ?? 0) + (lines[right + lane] ?? 0)
      lines[at + lane] = (lines[at + lane] ?? 0) + Math.floor(sum / 2)
    }
  })
}

/** The filter of 9 and 7 taps, in floats of 32 bits as OpenJPEG computes it. */
function filter97(lines: Float32Array, length: number, parity: number): void {
  if (length === 1) {
    if (parity === 1) for (let lane = 0; lane < LANES; lane++) lines[lane] = (lines[lane] ?? 0) / 2
    return
  }
  scale(lines, parity, length, K)
  scale(lines, 1 - parity, length, INVERSE_K)
  lift(lines, parity, length, DELTA)
  lift(lines, 1 - parity, length, GAMMA)
  lift(lines, parity, length, BETA)
  lift(lines, 1 - parity, length, ALPHA)
}

function scale(lines: Float32Array, first: number, length: number, factor: number): void {
  for (let place = first; place < length; place += 2)
    for (let at = LANES * place; at < LANES * (place + 1); at++) lines[at] = (lines[at] ?? 0) * factor
}

function lift(lines: Float32Array, first: number, length: number, factor: number): void {
  eachSecond(first, length, (at, left, right) => {
    for (let lane = 0; lane < LANES; lane++) {
      const sum = fround((lines[left + lane] ?? 0) + (lines[right + lane] ?? 0))
      lines[at + lane] = (lines[at + lane] ?? 0) - fround(factor * sum)
    }
  })
}
