/** Numerical Recipes' generator: the same numbers, of 32 bits, on every run. */
export function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield state
  }
}

/** A seed of its own for each of many rounds: numbers of seeds that follow each other are much alike (MurmurHash3's finalizer). */
export function seedOf(seed: number, round: number): number {
  let mixed = (seed + Math.imul(round, 0x9e3779b1)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
