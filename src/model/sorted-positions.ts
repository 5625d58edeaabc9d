type Positions = Float64Array | Uint32Array | Uint16Array | Uint8Array

/** Where a grid position stands among ascending ones; undefined where it is not among them. */
export function indexOfPosition(positions: Positions, position: number): number | undefined {
  let low = 0
  let high = positions.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = positions[middle] ?? 0
    if (found === position) return middle
    if (found < position) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** Indexes by ascending grid position, one for each: of those of one position the last counts. */
export function orderByPosition(positions: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from(positions, (_, index) => index)
  if (isAscending(positions)) return order
  order.sort((one, other) => (positions[one] ?? 0) - (positions[other] ?? 0) || one - other)
  return order.filter((index, place) => positions[index] !== positions[order[place + 1] ?? -1])
}

function isAscending(positions: ArrayLike<number>): boolean {
  for (let index = 1; index < positions.length; index++) {
    if ((positions[index] ?? 0) <= (positions[index - 1] ?? 0)) return false
  }
  return true
}
