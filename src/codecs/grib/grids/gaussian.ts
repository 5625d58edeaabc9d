/** Most parallels of a hemisphere: the finest models have 8,000. */
export const MOST_PARALLELS = 8192
const DEGREES = 180 / Math.PI
const TURNS = 20

/** Latitudes of a Gaussian grid, from north to south: the zeros of the Legendre polynomial of degree 2N. */
export function gaussianLatitudes(parallels: number): Float64Array {
  const degree = 2 * parallels
  const latitudes = new Float64Array(degree)
  for (let i = 0; i < parallels; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (degree + 0.5))
    for (let turn = 0; turn < TURNS; turn++) {
      const { value, slope } = legendre(degree, x)
      const step = value / slope
      x -= step
      if (Math.abs(step) < 1e-15) break
    }
    latitudes[i] = Math.asin(x) * DEGREES
    latitudes[degree - 1 - i] = -(latitudes[i] ?? 0)
  }
  return latitudes
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
