import { randoms, seedOf } from './randoms.ts'

/** Random choices; the same seed makes the same ones. */
export class Choices {
  readonly #numbers: Iterator<number, never>

  constructor(seed: number, round = 0) {
    this.#numbers = randoms(seedOf(seed, round))
  }

  /** At least 0 and less than 1. */
  fraction(): number {
    return this.#numbers.next().value / 2 ** 32
  }

  /** At least 0 and less than `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end)
  }

  isTrue(probability: number): boolean {
    return this.fraction() < probability
  }

  one<T>(of: readonly [T, ...T[]]): T {
    return of[this.below(of.length)] ?? of[0]
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => [this.fraction(), item] as const)
      .sort(([one], [other]) => one - other)
      .map(([, item]) => item)
  }
}
