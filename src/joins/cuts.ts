/** Where the sources of a join begin along the joined dimension. */
export interface Cuts {
  readonly count: number
  /** The length of all together. */
  readonly total: number
  startOf(position: number): number
  /** The source that holds an index; those of length 0 hold none. */
  holding(index: number): number
}

/** Sources of one length: arithmetic, however many there are. */
export function evenCuts(count: number, length: number): Cuts {
  return {
    count,
    total: count * length,
    startOf: (position) => position * length,
    holding: (index) => Math.floor(index / length),
  }
}

/** Sources of the lengths that a list says. */
export function cutsOf(lengths: readonly number[]): Cuts {
  const [first = 0] = lengths
  if (lengths.every((length) => length === first)) return evenCuts(lengths.length, first)
  const starts = new Float64Array(lengths.length + 1)
  for (const [position, length] of lengths.entries()) starts[position + 1] = (starts[position] ?? 0) + length
  return {
    count: lengths.length,
    total: starts[lengths.length] ?? 0,
    startOf: (position) => starts[position] ?? 0,
    holding: (index) => lastAtMost(starts, index),
  }
}

/** The last place whose value is at most that: of equal ones the last, which is the one that has a length. */
function lastAtMost(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((sorted[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
