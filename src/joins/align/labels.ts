import { malformed, overLimit } from '../../errors.ts'
import type { DataType } from '../../model/data-type.ts'
import { typeText } from '../differences.ts'

/** The values of a coordinate in one source. */
export interface Labels {
  readonly url: string
  readonly values: readonly (number | bigint)[]
}

/** Values of a coordinate that follow each other in a source and in all sources together. */
export interface Run {
  readonly from: number
  readonly to: number
  readonly length: number
}

/** Values of one coordinate in all sources together. */
const MOST_LABELS = 2 ** 22

/** All values of a coordinate that some source has, in the order that all of them have: throws where there is none. */
export function unionOf(path: string, all: readonly Labels[]): readonly (number | bigint)[] {
  const directed = all.map((labels) => ({ ...labels, direction: directionOf(path, labels) }))
  const up = directed.find(({ direction }) => direction > 0)
  const down = directed.find(({ direction }) => direction < 0)
  if (up !== undefined && down !== undefined) {
    throw malformed(`${path} ascends in ${up.url} and descends in ${down.url}: align needs one order`, { path })
  }
  const values = new Set<number | bigint>()
  for (const labels of all) {
    for (const value of labels.values) values.add(value)
    if (values.size > MOST_LABELS)
      throw overLimit(`${path} has more than ${MOST_LABELS} values in all sources together`)
  }
  const sign = down === undefined ? 1 : -1
  return [...values].sort((one, other) => sign * compare(one, other))
}

/** 1 where values ascend, -1 where they descend, 0 where there are too few to tell. */
function directionOf(path: string, { url, values }: Labels): number {
  const direction = compare(values.at(-1) ?? 0, values[0] ?? 0)
  for (const [place, value] of values.entries()) {
    const isOrdered = place === 0 || Math.sign(compare(value, values[place - 1] ?? 0)) === Math.sign(direction)
    if (Number.isNaN(value) || !isOrdered || (direction === 0 && values.length > 1)) {
      throw malformed(`the values of ${path} are in no order in ${url}, which align needs`, { path })
    }
  }
  return direction
}

function compare(one: number | bigint, other: number | bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Where the values of one source stand among all. */
export function runsOf(
  values: readonly (number | bigint)[],
  placeOf: ReadonlyMap<number | bigint, number>,
): readonly Run[] {
  const runs: { from: number; to: number; length: number }[] = []
  for (const [from, value] of values.entries()) {
    const to = placeOf.get(value) ?? 0
    const last = runs.at(-1)
    if (last !== undefined && last.to + last.length === to) last.length++
    else runs.push({ from, to, length: 1 })
  }
  return runs
}

/** Types whose values can be put in order. */
export function requireOrder(path: string, type: DataType): void {
  if (type.kind === 'int' || type.kind === 'uint' || type.kind === 'float') return
  throw malformed(`${path} is of ${typeText(type)}: align puts numbers in order, and nothing else`, { path })
}
