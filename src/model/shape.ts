/** Number of elements of a shape, or of chunks of a grid: one where there are no axes. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1)
}
