/** A run of bytes: both members are non-negative safe integers. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** The first position after the range. */
export function endOf(range: ByteRange): number {
  return range.offset + range.length
}

/** Ranges that are read together. */
export interface RangeRun extends ByteRange {
  /** Which of the ranges, in the order of their offsets. */
  readonly places: readonly number[]
}

/** What may be read together: reading a gap costs less than another request. */
export interface RunLimits {
  readonly mostGap: number
  readonly mostBytes: number
}

/** Neighbours joined, in the order of their offsets; empty ranges belong to no run. */
export function runsOfRanges(ranges: readonly ByteRange[], { mostGap, mostBytes }: RunLimits): readonly RangeRun[] {
  const sorted = [...ranges.entries()]
    .filter(([, { length }]) => length > 0)
    .sort(([, one], [, other]) => one.offset - other.offset)
  const runs: { readonly offset: number; length: number; readonly places: number[] }[] = []
  for (const [place, range] of sorted) {
    const run = runs.at(-1)
    const length = run === undefined ? 0 : Math.max(run.length, endOf(range) - run.offset)
    if (run !== undefined && range.offset - endOf(run) <= mostGap && length <= mostBytes) {
      run.length = length
      run.places.push(place)
    } else runs.push({ ...range, places: [place] })
  }
  return runs
}
