/**
 * Where the coefficients of a block of 4^n values belong, in the order in which they are coded: low frequencies first.
 * Found out by having zfp 1.0 write one coefficient after the other.
 */
export function zfpOrder(dimensions: number): Uint8Array {
  const cells = Array.from({ length: 4 ** dimensions }, (_, place) => ({ place, key: keyOf(place, dimensions) }))
  return Uint8Array.from(
    cells.sort((one, other) => compare(one.key, other.key)),
    ({ place }) => place,
  )
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, i) => part !== other[i])
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}

/** By the sum of the indices along the axes, their squares, then their places. */
function keyOf(place: number, dimensions: number): number[] {
  const at = Array.from({ length: dimensions }, (_, axis) => (place >> (2 * axis)) & 3)
  const sum = at.reduce((total, index) => total + index, 0)
  const squares = at.reduce((total, index) => total + index * index, 0)
  return [sum, squares, Math.min(...at), ...placesOf(at)]
}

/** Places of the higher two of two pairs, the first of them the lowest bit. */
const PAIRS = [0b0011, 0b1100, 0b0101, 0b1010, 0b1001, 0b0110]

/** The place of the highest index that there is once; then the same of the others, counted on from it in a circle. */
function placesOf(at: readonly number[]): number[] {
  const lone = Math.max(...at.filter((index) => at.filter((other) => other === index).length === 1))
  const place = at.indexOf(lone)
  if (place >= 0) return [place, ...placesOf([...at.slice(place + 1), ...at.slice(0, place)])]
  const highest = Math.max(...at)
  return at.length < 4 ? [] : [PAIRS.indexOf(at.reduce((bits, index, i) => bits | (Number(index === highest) << i), 0))]
}
