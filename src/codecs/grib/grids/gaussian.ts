/** Most parallels of a hemisphere: the finest models have 8,000. */
export const MOST_PARALLELS = 8192
const DEGREES = 180 / Math.PI
const TURNS = 20

/** Latitudes of a Gaussian grid, from north to south: the zeros of the Legendre polynomial of degree 2N. */
export function gaussianLatitudes(parallels: number): Float64Array {
  const degree = 2 * parallels
  const latitudes = new Float64Array(degree)
  for (let i = 0; i < parallels; i++) {
    latitudes[i] = northernLatitude(degree, i)
    latitudes[degree - 1 - i] = -(latitudes[i] ?? 0)
  }
  return latitudes
}

/** The two parallels next to the north pole. */
export function polarLatitudes(parallels: number): readonly [first: number, second: number] {
  const first = northernLatitude(2 * parallels, 0)
  return [first, parallels > 1 ? northernLatitude(2 * parallels, 1) : -first]
}

/** The parallel next to a latitude, counted from the north; the others are not worked out. */
export function nearestParallel(
  parallels: number,
  latitude: number,
): { readonly index: number; readonly latitude: number } {
  const degree = 2 * parallels
  const at = (index: number) => {
    const north = northernLatitude(degree, Math.min(index, degree - 1 - index))
    return { index, latitude: index < parallels ? north : -north }
  }
  const guess = Math.round(((90 - latitude) / 180) * (degree + 0.5) - 0.75)
  const [first, ...others] = [-1, 0, 1].map((step) => at(Math.max(0, Math.min(degree - 1, guess + step))))
  const apart = (parallel: { readonly latitude: number }) => Math.abs(parallel.latitude - latitude)
  return others.reduce((best, other) => (apart(other) < apart(best) ? other : best), first ?? at(0))
}

function northernLatitude(degree: number, i: number): number {
  let x = Math.cos((Math.PI * (i + 0.75)) / (degree + 0.5))
  for (let turn = 0; turn < TURNS; turn++) {
    const { value, slope } = legendre(degree, x)
    const step = value / slope
    x -= step
    if (Math.abs(step) < 1e-15) break
  }
  return Math.asin(x) * DEGREES
}

function legendre(degree: number, x: number): { readonly value: number; readonly slope: number } {
  let before = 1
  let value = x
  for (let n = 2; n <= degree; n++) {
    const next = ((2 * n - 1) * x * value - (n - 1) * before) / n
    before = value
    value = next
  }
  return { value, slope: (degree * (x * value - before)) / (x * x - 1) }
}
