import { randomInt } from 'node:crypto'
import { GrowingBytes, GrowingNumbers } from '../bytes/growing.ts'
import { NotWritten, recipe, withRecipe } from './recipe.ts'

/** Every so many a text is written out, so that reading one takes few steps. */
const RESTART = 16
const EMPTY = 0xffffffff
/** Texts that are also kept as they are while the table grows: documents name the same files again and again. */
const RECENT = 16_384
/** The longest text that is kept: both lengths of an entry are 16 bits. */
export const MOST_TEXT_BYTES = 8192

/** What only the adding needs. */
interface Adding {
  /** Open addressing: numbers of texts by their hashes. */
  slots: Uint32Array
  readonly hashes: GrowingNumbers
  readonly recent: ({ readonly id: number; readonly bytes: Uint8Array } | undefined)[]
}

/**
 * Texts (URLs mostly) by number, as a document spells them: each is kept once, and only what differs from the one before
 * it (front coding), since a million files of a folder differ in a few letters.
 */
export class TextTable {
  readonly #rests = new GrowingBytes()
  /** Where every sixteenth begins in `#rests`. */
  readonly #restarts = new GrowingNumbers()
  /** Nobody can write a document whose texts all have one hash. */
  readonly #seed = randomInt(2 ** 31)
  #count = 0
  #last: Uint8Array = new Uint8Array(0)
  #adding: Adding | undefined

  constructor(held?: HeldTexts) {
    withRecipe(this, textTable.recipe, () => [this.#held()])
    if (held === undefined) return
    this.#rests.push(held.rests)
    for (const restart of held.restarts) this.#restarts.push(restart)
    this.#count = held.count
    this.freeze()
  }

  get count(): number {
    return this.#count
  }

  weight(): number {
    return this.#rests.length + this.#restarts.length * 4
  }

  /** The number of these bytes, known or new. */
  add(bytes: Uint8Array): number {
    this.#adding ??= { slots: emptySlots(64), hashes: new GrowingNumbers(), recent: new Array(RECENT) }
    const hash = hashOf(bytes, this.#seed)
    const known = this.#adding.recent[hash % RECENT]
    if (known !== undefined && isSame(bytes, known.bytes)) return known.id
    const id = this.#find(bytes, hash, this.#adding)
    this.#adding.recent[hash % RECENT] = { id, bytes: bytes.slice() }
    return id
  }

  /** Ends the adding. */
  freeze(): void {
    this.#adding = undefined
    this.#rests.trim()
  }

  bytes(id: number): Uint8Array {
    let at = this.#restarts.at(Math.floor(id / RESTART))
    let text = Buffer.alloc(0)
    for (let index = id - (id % RESTART); index <= id; index++) {
      const head = this.#rests.view(at, 4)
      const shared = (head[0] ?? 0) | ((head[1] ?? 0) << 8)
      const length = (head[2] ?? 0) | ((head[3] ?? 0) << 8)
      text = Buffer.concat([text.subarray(0, shared), this.#rests.view(at + 4, length)])
      at += 4 + length
    }
    return text
  }

  /** Queries and user names may be secrets, and a secret is not written down. */
  #held(): HeldTexts {
    for (let id = 0; id < this.#count; id++)
      if (mayHoldSecret(this.bytes(id))) throw new NotWritten('URLs with queries')
    return { rests: this.#rests.finished(), restarts: this.#restarts.view().slice(), count: this.#count }
  }

  #find(bytes: Uint8Array, hash: number, adding: Adding): number {
    if (this.#count * 2 >= adding.slots.length) adding.slots = widened(adding)
    const { slots, hashes } = adding
    let slot = hash & (slots.length - 1)
    while (slots[slot] !== EMPTY) {
      const id = slots[slot] ?? 0
      if (hashes.at(id) === hash && isSame(bytes, this.bytes(id))) return id
      slot = (slot + 1) & (slots.length - 1)
    }
    slots[slot] = this.#count
    hashes.push(hash)
    return this.#append(bytes)
  }

  #append(bytes: Uint8Array): number {
    const id = this.#count++
    const isRestart = id % RESTART === 0
    if (isRestart) this.#restarts.push(this.#rests.length)
    const shared = isRestart ? 0 : sharedLength(bytes, this.#last)
    const length = bytes.length - shared
    this.#rests.push(Uint8Array.of(shared & 0xff, shared >> 8, length & 0xff, length >> 8))
    this.#rests.push(bytes.subarray(shared))
    this.#last = bytes.slice()
    return id
  }
}

/** A frozen table. */
interface HeldTexts {
  readonly rests: Uint8Array
  readonly restarts: Uint32Array | Float64Array
  readonly count: number
}

export const textTable = recipe('texts', (held: HeldTexts) => new TextTable(held))

/** Whether a URL, or what one is made of, may have a query or a user's name. */
export function mayHoldSecret(bytes: Uint8Array): boolean {
  return bytes.includes(QUESTION_MARK) || bytes.includes(AT_SIGN)
}

const QUESTION_MARK = 0x3f
const AT_SIGN = 0x40

function emptySlots(count: number): Uint32Array {
  return new Uint32Array(count).fill(EMPTY)
}

function widened({ slots, hashes }: Adding): Uint32Array {
  const wider = emptySlots(slots.length * 2)
  for (let id = 0; id < hashes.length; id++) {
    let slot = hashes.at(id) & (wider.length - 1)
    while (wider[slot] !== EMPTY) slot = (slot + 1) & (wider.length - 1)
    wider[slot] = id
  }
  return wider
}

/** FNV-1a, with a seed. */
function hashOf(bytes: Uint8Array, seed: number): number {
  let hash = seed
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

function sharedLength(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length++
  return length
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && sharedLength(one, other) === one.length
}
