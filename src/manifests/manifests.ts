import type { CountOutcome, Lease, ManifestPlace, PlaceOutcome } from './place.ts'
import { nameOf, sealed, unsealed } from './seal.ts'

/** What was asked of the places, for metrics. */
export interface ManifestStatistics {
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<PlaceOutcome, Counted>>
}

/** How often, and how many bytes were read or written. */
export interface Counted {
  readonly times: number
  readonly bytes: number
}

/** Counts outcomes by place. */
export class Outcomes {
  readonly #counts = new Map<string, Map<PlaceOutcome, Counted>>()

  get all(): ManifestStatistics['outcomes'] {
    return this.#counts
  }

  readonly count: CountOutcome = (place, outcome, bytes = 0) => {
    const counts = this.#counts.get(place) ?? new Map<PlaceOutcome, Counted>()
    this.#counts.set(place, counts)
    const before = counts.get(outcome)
    counts.set(outcome, { times: (before?.times ?? 0) + 1, bytes: (before?.bytes ?? 0) + bytes })
  }
}

export interface ManifestStoreInput {
  readonly places: readonly ManifestPlace[]
  readonly revision: string
  readonly outcomes: Outcomes
  /** Told why a source is not kept. */
  readonly onSkipped?: ((reason: unknown) => void) | undefined
}

/** The same as a place, for documents by their URLs. */
export type DocumentPlace = Pick<ManifestPlace, 'get' | 'put'>

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

  /** Documents that clients gave, which are the same in every revision. */
  get documents(): DocumentPlace {
    const named = (url: string) => nameOf('document', url)
    return { get: (url) => this.get(named(url)), put: (url, bytes) => this.put(named(url), bytes) }
  }

  /** What is kept under a name, the nearest first: where that is the past, another place may know better. A damaged entry counts as none. */
  async *entries(name: string): AsyncGenerator<Uint8Array> {
    for (const [at, place] of this.#places.entries()) {
      const bytes = await place.get(name)
      if (bytes === undefined) continue
      const content = await unsealed(name, bytes)
      this.#outcomes.count(place.kind, content === undefined ? 'damaged' : 'hit', bytes.length)
      if (content === undefined) continue
      for (const nearer of this.#places.slice(0, at)) void nearer.put(name, bytes)
      yield content
    }
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    for await (const content of this.entries(name)) return content
    return undefined
  }

  /** Whether any place has it now. */
  async put(name: string, content: Uint8Array): Promise<boolean> {
    const bytes = await sealed(name, content)
    return (await Promise.all(this.#places.map((place) => place.put(name, bytes)))).some(Boolean)
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
