const UNITS = ['kB', 'MB', 'GB', 'TB']

/** A number of bytes, short. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let [value, unit] = [bytes, 'B']
  for (const next of UNITS) {
    if (value < 1000) break
    value /= 1000
    unit = next
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}
