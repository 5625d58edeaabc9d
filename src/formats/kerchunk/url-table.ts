import { randomInt } from 'node:crypto'
import { GrowingBytes, GrowingNumbers } from './growing.ts'

/** Every so many a URL is written out, so that reading one takes few steps. */
const RESTART = 16
const EMPTY = 0xffffffff
/** URLs that are also kept as text while the table grows: documents name the same files again and again. */
const MOST_RECENT = 65_536

/**
 * URLs by number, as a document spells them between its quotes: each is kept once, and only what differs from the one before
 * it (front coding), since a million files of a folder differ in a few letters.
 */
export class UrlTable {
  readonly #rests = new GrowingBytes()
  /** Where every sixteenth begins in `#rests`. */
  readonly #restarts = new GrowingNumbers('uint32')
  #count = 0
  #previous: Uint8Array = new Uint8Array(0)
  #previousId = 0
  /** Open addressing: number of a URL by its hash; dropped when all are in. */
  #slots: Uint32Array | undefined = new Uint32Array(64).fill(EMPTY)
  readonly #recent = new Map<string, number>()
  /** Nobody can write a document whose URLs all have one hash. */
  readonly #seed = randomInt(2 ** 31)
  #last: Uint8Array = new Uint8Array(0)

  get count(): number {
    return this.#count
  }

  weight(): number {
    return this.#rests.length + this.#restarts.length * 4
  }

  /** The number of these bytes, known or new. */
  add(bytes: Uint8Array): number {
    if (this.#count > 0 && isSame(bytes, this.#previous)) return this.#previousId
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const id = this.#recent.get(text) ?? this.#slotted(bytes)
    if (this.#recent.size === MOST_RECENT) this.#recent.clear()
    this.#recent.set(text, id)
    this.#previous = bytes.slice()
    this.#previousId = id
    return id
  }

  #slotted(bytes: Uint8Array): number {
    const slots = this.#roomySlots()
    let slot = this.#hash(bytes) & (slots.length - 1)
    while (slots[slot] !== EMPTY) {
      const id = slots[slot] ?? 0
      if (isSame(bytes, this.bytes(id))) return id
      slot = (slot + 1) & (slots.length - 1)
    }
    slots[slot] = this.#count
    return this.#append(bytes)
  }

  /** Ends the adding. */
  freeze(): void {
    this.#slots = undefined
    this.#recent.clear()
  }

  bytes(id: number): Uint8Array {
    let at = this.#restarts.at(Math.floor(id / RESTART))
    let url = Buffer.alloc(0)
    for (let index = id - (id % RESTART); index <= id; index++) {
      const head = this.#rests.view(at, 4)
      const shared = (head[0] ?? 0) | ((head[1] ?? 0) << 8)
      const length = (head[2] ?? 0) | ((head[3] ?? 0) << 8)
      url = Buffer.concat([url.subarray(0, shared), this.#rests.view(at + 4, length)])
      at += 4 + length
    }
    return url
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

  #roomySlots(): Uint32Array {
    const slots = this.#slots ?? new Uint32Array(64).fill(EMPTY)
    if (this.#count * 2 < slots.length) return slots
    const wider = new Uint32Array(slots.length * 2).fill(EMPTY)
    for (const id of slots) {
      if (id === EMPTY) continue
      let slot = this.#hash(this.bytes(id)) & (wider.length - 1)
      while (wider[slot] !== EMPTY) slot = (slot + 1) & (wider.length - 1)
      wider[slot] = id
    }
    this.#slots = wider
    return wider
  }

  /** FNV-1a. */
  #hash(bytes: Uint8Array): number {
    let hash = this.#seed
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
    return (hash ^ (hash >>> 15)) >>> 0
  }
}

/** The longest URL that is kept: both lengths of an entry are 16 bits. */
export const MAX_URL_BYTES = 8192

function sharedLength(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length++
  return length
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && sharedLength(one, other) === one.length
}
