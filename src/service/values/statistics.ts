import type { Canvas } from '../../codecs/elements.ts'
import { integerJson } from '../../fill-value/numbers.ts'
import { floatSpelling } from '../../fill-value/to-zarr.ts'
import type { Json } from '../../json/json.ts'
import { writeJson } from '../../json/write.ts'
import { elementCount } from '../../model/shape.ts'
import { type Box, chunksOf, overlap } from './array-box.ts'
import { numbersNamed, orderedNumbers } from './numbers.ts'
import type { OpenedReading } from './read-array.ts'
import { Tally } from './tally.ts'

/** What is in a part of an array, at a glance. */
export interface ValueStatistics {
  readonly count: number
  /** NaN, and what the array says of its missing points. */
  readonly missing: number
  /** Of what is not missing; null where that is nothing, or nothing that has an order. */
  readonly least: Json
  readonly greatest: Json
  readonly mean: Json
}

/** Chunks that are read at once: their requests wait for each other's answers no more than they must. */
const AT_ONCE = 4

/** Reads a part of an array chunk by chunk, holding no more than a few of them; `tell` hears how many were read. */
export async function readStatistics(
  reading: OpenedReading,
  tell: (read: number, of: number) => void,
): Promise<ValueStatistics> {
  const { box, chunkShape, meaning } = reading
  const tally = new Tally(meaning.type, numbersNamed(meaning.missing, meaning.type))
  const of = chunkCount(box, chunkShape)
  const parts = partsOf(box, chunkShape)
  let read = 0
  const readOn = async () => {
    // All take from one list.
    for (const part of parts) {
      addPart(await reading.elements(part), reading, tally)
      tell(++read, of)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return { count: elementCount(box.extent), missing: tally.missing, ...comparedValues(tally, reading) }
}

function addPart(elements: Canvas, { meaning }: OpenedReading, tally: Tally): void {
  if (elements.kind === 'fixed') {
    const numbers = orderedNumbers(elements.bytes, meaning.type)
    if (numbers !== undefined) tally.add(numbers)
  }
  if (elements.kind === 'text')
    for (const value of elements.values) if (meaning.missing.has(writeJson(value))) tally.missing++
}

/** What the least and the greatest number mean: the other way round where the scale is negative. */
function comparedValues(
  { least, greatest, mean }: Tally,
  { meaning: { type, shown, isDecreasing } }: OpenedReading,
): Pick<ValueStatistics, 'least' | 'greatest' | 'mean'> {
  const told = (value: number | bigint | undefined): Json => {
    if (value === undefined) return null
    if (typeof value === 'bigint') return shown(integerJson(value))
    if (type.kind === 'bool') return value !== 0
    return shown(type.kind === 'float' ? floatSpelling(value) : value)
  }
  const [first, last] = [told(least), told(greatest)]
  return {
    least: isDecreasing ? last : first,
    greatest: isDecreasing ? first : last,
    mean: mean === undefined ? null : shown(floatSpelling(mean)),
  }
}

function* partsOf(box: Box, chunkShape: readonly number[]): Generator<Box> {
  for (const coords of chunksOf(box, chunkShape)) {
    const { to, extent } = overlap(coords, chunkShape, box)
    yield { from: to.map((start, axis) => start + (box.from[axis] ?? 0)), extent }
  }
}

function chunkCount({ from, extent }: Box, chunkShape: readonly number[]): number {
  const along = (axis: number) => {
    const [start = 0, length = 0, step = 1] = [from[axis], extent[axis], chunkShape[axis]]
    return length === 0 ? 0 : Math.floor((start + length - 1) / step) - Math.floor(start / step) + 1
  }
  return chunkShape.reduce((count, _step, axis) => count * along(axis), 1)
}
