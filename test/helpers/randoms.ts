/** Numerical Recipes' generator: the same numbers, of 32 bits, on every run. */
export function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield state
  }
}
