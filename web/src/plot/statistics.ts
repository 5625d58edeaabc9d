/** What is known of the values that are shown. */
export interface Statistics {
  readonly count: number
  readonly missing: number
  readonly least: number
  readonly most: number
  readonly mean: number
  /** From the second to the ninety-eighth of a hundred: what colours span, so that single points don't. */
  readonly usual: readonly [number, number]
  /** How many values lie in each of equal steps from the least to the most. */
  readonly bins: readonly number[]
}

const BINS = 48
/** Values that are sorted for percentiles; of more, some are taken. */
const MOST_SORTED = 60_000

export function statisticsOf(values: Float64Array): Statistics {
  let [count, sum, least, most] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    count++
    sum += value
    if (value < least) least = value
    if (value > most) most = value
  }
  if (count === 0)
    return { count, missing: values.length, least: 0, most: 0, mean: Number.NaN, usual: [0, 0], bins: [] }
  const bins = binned(values, least, most)
  return { count, missing: values.length - count, least, most, mean: sum / count, usual: usualOf(values), bins }
}

function binned(values: Float64Array, least: number, most: number): readonly number[] {
  const bins = new Array<number>(BINS).fill(0)
  const scale = most > least ? BINS / (most - least) : 0
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    const bin = Math.min(BINS - 1, Math.floor((value - least) * scale))
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  return bins
}

function usualOf(values: Float64Array): readonly [number, number] {
  const step = Math.max(1, Math.floor(values.length / MOST_SORTED))
  const taken = values.filter((value, at) => at % step === 0 && Number.isFinite(value)).sort()
  const some = taken.length > 0 ? taken : values.filter((value) => Number.isFinite(value)).sort()
  const at = (part: number) => some[Math.round(part * (some.length - 1))] ?? 0
  return [at(0.02), at(0.98)]
}
