import type { Lease, ManifestPlace, PlaceOutcome } from './place.ts'
import { nameOf, sealed, unsealed } from './seal.ts'

/** What was asked of the places, for metrics. */
export interface ManifestStatistics {
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<PlaceOutcome, number>>
}

/** Counts outcomes by place. */
export class Outcomes {
  readonly #counts = new Map<string, Map<PlaceOutcome, number>>()

  get all(): ManifestStatistics['outcomes'] {
    return this.#counts
  }

  readonly count = (place: string, outcome: PlaceOutcome): void => {
    const counts = this.#counts.get(place) ?? new Map<PlaceOutcome, number>()
    this.#counts.set(place, counts)
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
}

export interface ManifestStoreInput {
  readonly places: readonly ManifestPlace[]
  readonly revision: string
  readonly outcomes: Outcomes
  /** Told why a source is not kept. */
  readonly onSkipped?: ((reason: unknown) => void) | undefined
}

/**
 * Opened stores that outlive the process: sealed entries in one place or several, the nearest first. What is written here is
 * read by programs of the same revision only; nothing here throws, or costs an answer.
 */
export class ManifestStore {
  readonly #places: readonly ManifestPlace[]
  readonly #revision: string
  readonly #outcomes: Outcomes

  readonly #onSkipped: ManifestStoreInput['onSkipped']

  constructor({ places, revision, outcomes, onSkipped }: ManifestStoreInput) {
    this.#places = places
    this.#revision = revision
    this.#outcomes = outcomes
    this.#onSkipped = onSkipped
  }

  get outcomes(): ManifestStatistics['outcomes'] {
    return this.#outcomes.all
  }

  /** The name of what belongs to these words, in this revision. */
  nameOf(...words: readonly string[]): string {
    return nameOf(this.#revision, ...words)
  }

  /** What was kept under a name; a damaged entry counts as none. */
  async get(name: string): Promise<Uint8Array | undefined> {
    for (const [at, place] of this.#places.entries()) {
      const bytes = await place.get(name)
      if (bytes === undefined) continue
      const content = await unsealed(name, bytes)
      this.#outcomes.count(place.kind, content === undefined ? 'damaged' : 'hit')
      if (content === undefined) continue
      for (const nearer of this.#places.slice(0, at)) void nearer.put(name, bytes)
      return content
    }
    return undefined
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    const bytes = await sealed(name, content)
    await Promise.all(this.#places.map((place) => place.put(name, bytes)))
  }

  /** The lease of the furthest place that gives any: the more share it, the better. */
  async lease(name: string): Promise<Lease> {
    for (const place of this.#places.toReversed()) {
      const lease = await place.lease(name)
      if (lease.kind !== 'none') return lease
    }
    return { kind: 'none' }
  }

  /** Counts what can't be kept. */
  skipped(reason: unknown): void {
    this.#onSkipped?.(reason)
    for (const { kind } of this.#places) this.#outcomes.count(kind, 'skipped')
  }

  async close(): Promise<void> {
    await Promise.all(this.#places.map((place) => place.close()))
  }
}
