import type { Json } from '../json/json.ts'
import { elementCount } from '../model/shape.ts'
import type { Box } from '../service/values/array-box.ts'
import type { ArrayReading } from '../service/values/read-array.ts'

/** The members of one axis that are shown, as runs; between two runs some are left out. */
type Runs = readonly { readonly at: number; readonly length: number }[]

/** The values at the edges of an array, the last axis running fastest. */
export interface Edges {
  readonly values: readonly Json[]
  /** How many members of each axis that is. */
  readonly shape: readonly number[]
  /** By axis, how many members stand before those that are left out; undefined where none are. */
  readonly gaps: readonly (number | undefined)[]
}

/** Reads both ends of each axis, each corner of the array at once, and nothing between them. */
export async function readEdges(reading: ArrayReading, most: number): Promise<Edges> {
  const lengths = reading.axes.map((axis) => reading.box.extent[axis] ?? 0)
  const runs = runsOf(lengths, most)
  const shape = runs.map((parts) => parts.reduce((sum, { length }) => sum + length, 0))
  const values = new Array<Json>(elementCount(shape)).fill(null)
  for (const corner of cornersOf(runs)) {
    const read = await reading.values(cornerBox(reading, corner))
    const extent = corner.map(({ run }) => run.length)
    for (const [i, value] of read.entries()) values[positionOf(i, extent, corner, shape)] = value
  }
  const gaps = runs.map((parts, at) => {
    const isCut = (shape[at] ?? 0) < (lengths[at] ?? 0)
    return isCut ? parts[0]?.length : undefined
  })
  return { values, shape, gaps }
}

/** Three members at either end as numpy has it, fewer where that would be too many in all; the last axes come first. */
function runsOf(lengths: readonly number[], most: number): Runs[] {
  const runs: Runs[] = []
  let count = 1
  for (const length of lengths.toReversed()) {
    const edge = [3, 1].find((members) => count * Math.min(length, 2 * members) <= most)
    if (edge === undefined) runs.unshift([{ at: 0, length: Math.min(1, length) }])
    else if (length <= 2 * edge) runs.unshift([{ at: 0, length }])
    else
      runs.unshift([
        { at: 0, length: edge },
        { at: length - edge, length: edge },
      ])
    count *= edge === undefined ? 1 : Math.min(length, 2 * edge)
  }
  return runs
}

/** One run of each axis, and where it stands among what is shown. */
type Corner = readonly { readonly run: Runs[number]; readonly to: number }[]

function* cornersOf(runs: readonly Runs[]): Generator<Corner> {
  const [first, ...rest] = runs
  if (first === undefined) {
    yield []
    return
  }
  let to = 0
  for (const run of first) {
    for (const corner of cornersOf(rest)) yield [{ run, to }, ...corner]
    to += run.length
  }
}

function cornerBox({ box, axes }: ArrayReading, corner: Corner): Box {
  const from = [...box.from]
  const extent = [...box.extent]
  for (const [at, { run }] of corner.entries()) {
    const axis = axes[at] ?? 0
    from[axis] = (from[axis] ?? 0) + run.at
    extent[axis] = run.length
  }
  return { from, extent }
}

/** Where a value of a corner stands among all that are shown. */
function positionOf(index: number, extent: readonly number[], corner: Corner, shape: readonly number[]): number {
  let rest = index
  let position = 0
  let stride = 1
  for (let axis = extent.length - 1; axis >= 0; axis--) {
    const length = extent[axis] ?? 1
    position += ((corner[axis]?.to ?? 0) + (rest % length)) * stride
    rest = Math.floor(rest / length)
    stride *= shape[axis] ?? 1
  }
  return position
}
