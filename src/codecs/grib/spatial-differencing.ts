/**
 * Undoes differences of order 1, 2 or 3, in place: the first values are given, to the others `least` is added. Missing values
 * are passed over.
 */
export function undoDifferences(values: Float64Array, order: number, first: readonly number[], least: number): void {
  // The last value and its differences, the highest one last.
  let value = 0
  let slope = 0
  let curve = 0
  for (let i = 0, seen = 0; i < values.length; i++) {
    const stored = values[i] ?? 0
    if (Number.isNaN(stored)) continue
    if (seen < order) {
      const given = first[seen] ?? 0
      const step = given - value
      curve = seen > 1 ? step - slope : 0
      slope = seen > 0 ? step : 0
      value = given
      seen++
    } else if (order === 1) value += stored + least
    else if (order === 2) {
      slope += stored + least
      value += slope
    } else {
      curve += stored + least
      slope += curve
      value += slope
    }
    values[i] = value
  }
}
