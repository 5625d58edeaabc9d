import { GrowingNumbers } from '../../bytes/growing.ts'
import { latin1Text } from '../../bytes/text.ts'
import { type ErrorContext, overLimit } from '../../errors.ts'
import { ChunkRows, type ChunkTable } from '../../model/chunk-table.ts'
import { type SplitKey, splitKey } from './chunk-key.ts'

/** Beyond it a document is no longer read into memory: a Parquet set is. */
const MOST_REFERENCES = 8_000_000
/** Prefixes of keys: each is an array, a group's worth of garbage, or an attack. */
const MOST_CLASSES = 200_000

/** References by grid position. */
export type ReferenceTable = ChunkTable<keyof ReferenceNumbers>

export function referenceRows(): ChunkRows<keyof ReferenceNumbers> {
  return new ChunkRows('target', 'offset', 'length')
}

/** What a reference says, as three numbers: see `reference-codes.ts`. */
export interface ReferenceNumbers {
  readonly target: number
  readonly offset: number
  readonly length: number
}

/** References whose keys differ in their numbers only: mostly the chunks of one array. */
export class ReferenceClass {
  readonly prefix: Uint8Array
  readonly rank: number
  readonly separators: number
  /** `rank` numbers a reference. */
  readonly numbers = new GrowingNumbers()
  readonly targets = new GrowingNumbers()
  readonly offsets = new GrowingNumbers()
  readonly lengths = new GrowingNumbers()

  constructor(prefix: Uint8Array, { numbers, separators }: SplitKey) {
    this.prefix = prefix
    this.rank = numbers.length
    this.separators = separators
  }

  get count(): number {
    return this.targets.length
  }
}

/** All references of a document while it is read. */
export class ReferenceClasses {
  readonly #classes = new Map<string, ReferenceClass>()
  readonly #context: ErrorContext
  #last: ReferenceClass | undefined
  #count = 0

  constructor(context: ErrorContext) {
    this.#context = context
  }

  get count(): number {
    return this.#count
  }

  add(bytes: Uint8Array, start: number, end: number, { target, offset, length }: ReferenceNumbers): void {
    if (++this.#count > MOST_REFERENCES) {
      throw overLimit(`a document of more than ${MOST_REFERENCES} references`, this.#context)
    }
    const key = splitKey(bytes, start, end)
    const found = this.#classOf(bytes, start, key)
    for (const number of key.numbers) found.numbers.push(number)
    found.targets.push(target)
    found.offsets.push(offset)
    found.lengths.push(length)
  }

  /** The class that keys like this one belong to. */
  get(key: string): ReferenceClass | undefined {
    const bytes = Buffer.from(key)
    const split = splitKey(bytes, 0, bytes.length)
    return this.#classes.get(nameOf(bytes.subarray(0, split.prefixLength), split))
  }

  /** Takes a class out, with the memory it holds. */
  release(found: ReferenceClass): void {
    const { prefix, rank, separators } = found
    this.#classes.delete(nameOf(prefix, { numbers: { length: rank }, separators }))
    if (this.#last === found) this.#last = undefined
  }

  values(): IterableIterator<ReferenceClass> {
    return this.#classes.values()
  }

  #classOf(bytes: Uint8Array, start: number, key: SplitKey): ReferenceClass {
    const last = this.#last
    if (last !== undefined && isOf(last, bytes, start, key)) return last
    const prefix = bytes.slice(start, start + key.prefixLength)
    const name = nameOf(prefix, key)
    const known = this.#classes.get(name) ?? new ReferenceClass(prefix, key)
    if (this.#classes.size >= MOST_CLASSES && !this.#classes.has(name)) {
      throw overLimit(`references to more than ${MOST_CLASSES} arrays`, this.#context)
    }
    this.#classes.set(name, known)
    this.#last = known
    return known
  }
}

function isOf({ prefix, rank, separators }: ReferenceClass, bytes: Uint8Array, start: number, key: SplitKey): boolean {
  if (rank !== key.numbers.length || separators !== key.separators || prefix.length !== key.prefixLength) return false
  for (let at = 0; at < prefix.length; at++) if (prefix[at] !== bytes[start + at]) return false
  return true
}

interface NumbersOfKey {
  readonly numbers: { readonly length: number }
  readonly separators: number
}

function nameOf(prefix: Uint8Array, { numbers, separators }: NumbersOfKey): string {
  return `${numbers.length} ${separators} ${latin1Text(prefix)}`
}
