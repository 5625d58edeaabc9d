import type { ByteRange } from '../../../bytes/byte-range.ts'
import type { GrowingNumbers } from '../../../bytes/growing.ts'
import { recipe } from '../../../model/recipe.ts'
import { baseTag, isSpecial } from './tags.ts'

/** A data descriptor: where an element lies. */
export interface Descriptor extends ByteRange {
  readonly tag: number
  readonly ref: number
  /** Its bytes say where and how the content is stored. */
  readonly isSpecial: boolean
}

/** An element that was announced and never written has these for offset and length. */
const UNWRITTEN = 0xffff_ffff
const REFS = 65_536

/** The four numbers of each descriptor, as they stand in the file. */
export interface DescriptorRows {
  readonly tags: GrowingNumbers
  readonly refs: GrowingNumbers
  readonly offsets: GrowingNumbers
  readonly lengths: GrowingNumbers
}

/** The same by name. */
interface Columns {
  /** Ascending: tag and reference number in one. */
  readonly keys: Float64Array
  readonly offsets: Uint32Array
  readonly lengths: Uint32Array
  readonly special: Uint8Array
}

export const directoryOfColumns = recipe('hdf4.directory', (columns: Columns) => new Directory(columns))

/** Finds elements by their names. */
export function directoryOf({ tags, refs, offsets, lengths }: DescriptorRows): Directory {
  const keys = Float64Array.from(tags.view(), (tag, row) => baseTag(tag) * REFS + refs.at(row))
  const order = Uint32Array.from(keys, (_, row) => row)
  order.sort((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || one - other)
  // Of those of one name the first counts.
  const kept = order.filter((row, place) => place === 0 || keys[row] !== keys[order[place - 1] ?? 0])
  return directoryOfColumns({
    keys: Float64Array.from(kept, (row) => keys[row] ?? 0),
    offsets: Uint32Array.from(kept, (row) => offsets.at(row)),
    lengths: Uint32Array.from(kept, (row) => lengths.at(row)),
    special: Uint8Array.from(kept, (row) => Number(isSpecial(tags.at(row)))),
  })
}

/** All elements of a file by tag and reference number: sixteen bytes each, however many there are. */
export class Directory {
  readonly #keys: Float64Array
  readonly #offsets: Uint32Array
  readonly #lengths: Uint32Array
  readonly #special: Uint8Array
  /** Places of the elements of a tag by their offsets. */
  readonly #byOffset = new Map<number, Uint32Array>()

  constructor({ keys, offsets, lengths, special }: Columns) {
    this.#keys = keys
    this.#offsets = offsets
    this.#lengths = lengths
    this.#special = special
  }

  get weight(): number {
    return 17 * this.#keys.length
  }

  /** The element of this name; undefined where there is none, or nothing of it was written. */
  find(tag: number, ref: number): Descriptor | undefined {
    const place = this.#firstFrom(tag * REFS + ref)
    return this.#keys[place] === tag * REFS + ref ? this.#at(place) : undefined
  }

  /** All elements of a tag, by ascending reference number. */
  all(tag: number): Descriptor[] {
    const found: Descriptor[] = []
    for (let place = this.#firstFrom(tag * REFS); (this.#keys[place] ?? Infinity) < (tag + 1) * REFS; place++) {
      const descriptor = this.#at(place)
      if (descriptor !== undefined) found.push(descriptor)
    }
    return found
  }

  /** The element of a tag whose bytes begin there; made ready for all of a tag when it is first asked for. */
  startingAt(tag: number, offset: number): Descriptor | undefined {
    const places = this.#byOffset.get(tag) ?? this.#sortByOffset(tag)
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#offsets[places[middle] ?? 0] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    const found = places[low]
    const descriptor = found === undefined ? undefined : this.#at(found)
    return descriptor?.offset === offset ? descriptor : undefined
  }

  #sortByOffset(tag: number): Uint32Array {
    const first = this.#firstFrom(tag * REFS)
    const count = this.#firstFrom((tag + 1) * REFS) - first
    const places = Uint32Array.from({ length: count }, (_, i) => first + i)
    places.sort((one, other) => (this.#offsets[one] ?? 0) - (this.#offsets[other] ?? 0))
    this.#byOffset.set(tag, places)
    return places
  }

  #at(place: number): Descriptor | undefined {
    const key = this.#keys[place] ?? 0
    const offset = this.#offsets[place] ?? UNWRITTEN
    const length = this.#lengths[place] ?? UNWRITTEN
    if (offset === UNWRITTEN || length === UNWRITTEN) return undefined
    return { tag: Math.floor(key / REFS), ref: key % REFS, offset, length, isSpecial: this.#special[place] === 1 }
  }

  /** The first place whose key is not below this one. */
  #firstFrom(key: number): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
