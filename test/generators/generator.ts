/**
 * What a module of this folder exports: it writes random documents from a grammar, has each read by the reference reader and by the
 * service, and compares what both make of them. The same seed and count give the same documents.
 */
export interface GeneratorModule {
  readonly name: string
  generate(seed: number, count: number): Promise<GeneratorReport>
}

export interface GeneratorReport {
  /** How many documents were compared. */
  readonly documents: number
  /** How often each element of the grammar occurred; one that never did is listed with 0. */
  readonly counts: Readonly<Record<string, number>>
  /** Values, shapes or positions that differ although nothing announced it. None is acceptable. */
  readonly differences: readonly Difference[]
  /** Differences that came with a diagnostic or a typed refusal. */
  readonly announced: readonly AnnouncedDifference[]
}

export interface Difference {
  /** The number of the document, which makes it again together with the seed. */
  readonly index: number
  /** What differs: a value, the shape, the mask, a coordinate, an attribute. */
  readonly what: string
  readonly document: string
  readonly reference: string
  readonly ours: string
}

export interface AnnouncedDifference extends Difference {
  /** The diagnostic or the refusal without the names of this document, so that equal reasons are grouped. */
  readonly reason: string
}

/** Counts elements of a grammar, of which each is known from the start: one that never occurs is seen. */
export class ElementCounts {
  readonly #counts: Map<string, number>

  constructor(elements: Iterable<string>) {
    this.#counts = new Map([...elements].map((element) => [element, 0]))
  }

  add(element: string): void {
    const count = this.#counts.get(element)
    if (count === undefined) throw new RangeError(`${element} is not an element of the grammar`)
    this.#counts.set(element, count + 1)
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }
}
