/** How far the opening of a join is. */
export interface Progress {
  readonly read: number
  readonly of: number
}

/** Headers that are being read, by the key of the source whose opening reads them. */
export class OpeningProgress {
  readonly #openings = new Map<string, { read: number; of: number }>()

  /** What an opening is watched by; `done` once it is over. */
  begin(key: string): OpeningWatch {
    const counts = { read: 0, of: 0 }
    return {
      expect: (count) => {
        counts.of += count
        this.#openings.set(key, counts)
      },
      advance: () => {
        counts.read++
      },
      done: () => {
        if (this.#openings.get(key) === counts) this.#openings.delete(key)
        counts.read = 0
        counts.of = 0
      },
    }
  }

  /** Undefined where no join is being opened, or it is not known yet how many headers it reads. */
  of(key: string): Progress | undefined {
    return this.#openings.get(key)
  }
}

export interface OpeningWatch {
  /** So many headers more are to be read. */
  expect(count: number): void
  /** One of them was. */
  advance(): void
  done(): void
}
