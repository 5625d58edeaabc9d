import { Float } from '../json/json.ts'
import type { Maker } from '../model/recipe.ts'
import { MOST_DEPTH, NUMBER_ARRAYS, TAG } from './tags.ts'

/** An entry that nobody wrote so: it counts as none. */
export class DamagedEntry extends Error {}

export interface DecoderInput {
  readonly anchors: readonly unknown[]
  readonly makers: ReadonlyMap<string, Maker>
}

interface Shape {
  readonly names: readonly string[]
  readonly isPlain: boolean
}

const UNFINISHED = Symbol('unfinished')

/** Reads what `Encoder` wrote. Every count is checked against the bytes that are left before anything is made of it. */
export class Decoder {
  readonly #input: DecoderInput
  readonly #bytes: Buffer
  #at = 0
  readonly #texts: string[] = []
  readonly #shapes: Shape[] = []
  readonly #seen: unknown[] = []
  #depth = 0

  constructor(bytes: Uint8Array, input: DecoderInput) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#input = input
  }

  /** Throws where something is left. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new DamagedEntry('there is more than was written')
  }

  read(): unknown {
    const tag = this.#byte()
    if (tag >= TAG.small) return tag - TAG.small
    switch (tag) {
      case TAG.undefined:
        return undefined
      case TAG.null:
        return null
      case TAG.false:
        return false
      case TAG.true:
        return true
      case TAG.whole:
        return this.#whole()
      case TAG.negative:
        return -this.#whole()
      case TAG.double:
        return this.#double()
      case TAG.bigint:
        return bigintOf(this.#string('latin1'))
      case TAG.latin1:
        return this.#newText('latin1')
      case TAG.utf16:
        return this.#newText('utf16le')
      case TAG.text:
        return this.#known(this.#texts)
      case TAG.anchor:
        return this.#known(this.#input.anchors)
      case TAG.again:
        return this.#again()
    }
    return this.#nested(tag)
  }

  /** How many values follow: each takes a byte at least. */
  #count(): number {
    const count = this.#whole()
    if (count > this.#bytes.length - this.#at) throw new DamagedEntry('a count beyond the end')
    return count
  }

  #nested(tag: number): unknown {
    if (++this.#depth > MOST_DEPTH) throw new DamagedEntry('values within each other without end')
    const id = this.#seen.push(UNFINISHED) - 1
    const value = this.#object(tag, id)
    this.#seen[id] = value
    this.#depth--
    return value
  }

  #object(tag: number, id: number): unknown {
    switch (tag) {
      case TAG.array: {
        const count = this.#count()
        const values: unknown[] = []
        this.#seen[id] = values
        for (let i = 0; i < count; i++) values.push(this.read())
        return values
      }
      case TAG.object:
        return this.#plain(id)
      case TAG.map:
        return this.#map(id)
      case TAG.set: {
        const values = new Set<unknown>()
        for (let left = this.#count(); left > 0; left--) values.add(this.read())
        return values
      }
      case TAG.numbers:
        return this.#numbers()
      case TAG.float:
        return new Float(this.#double())
      case TAG.recipe:
        return this.#remade()
    }
    throw new DamagedEntry(`a value of the unknown kind ${tag}`)
  }

  #plain(id: number): object {
    const { names, isPlain } = this.#shape()
    const value: Record<string, unknown> = isPlain ? {} : Object.create(null)
    this.#seen[id] = value
    for (const name of names) {
      const own = this.read()
      if (name === '__proto__')
        Object.defineProperty(value, name, { value: own, enumerable: true, configurable: true, writable: true })
      else value[name] = own
    }
    return value
  }

  #shape(): Shape {
    const number = this.#whole()
    const known = this.#shapes[number]
    if (known !== undefined) return known
    if (number !== this.#shapes.length) throw new DamagedEntry('an unknown shape of objects')
    const isPlain = this.#byte() === 1
    const names: string[] = []
    if (this.#byte() !== TAG.array) throw new DamagedEntry('a shape without names')
    for (let left = this.#count(); left > 0; left--) names.push(textOf(this.read()))
    const shape = { names, isPlain }
    this.#shapes.push(shape)
    return shape
  }

  #map(id: number): Map<unknown, unknown> {
    const values = new Map<unknown, unknown>()
    this.#seen[id] = values
    for (let left = this.#count(); left > 0; left--) {
      const key = this.read()
      values.set(key, this.read())
    }
    return values
  }

  #numbers(): object {
    const type = NUMBER_ARRAYS[this.#whole()]
    const length = this.#count()
    if (type === undefined || length % type.BYTES_PER_ELEMENT !== 0)
      throw new DamagedEntry('numbers of an unknown kind')
    // A copy, so that the entry need not stay in memory, and the numbers are aligned.
    const own = new Uint8Array(length)
    own.set(this.#bytes.subarray(this.#at, this.#at + length))
    this.#at += length
    return type === Uint8Array ? own : new type(own.buffer)
  }

  #remade(): object {
    const name = textOf(this.read())
    const maker = this.#input.makers.get(name)
    if (maker === undefined) throw new DamagedEntry(`nobody makes ${name}`)
    const ingredients = this.read()
    try {
      return maker.remake(ingredients)
    } catch (cause) {
      throw new DamagedEntry(`${name} can't be made of this`, { cause })
    }
  }

  #again(): unknown {
    const value = this.#known(this.#seen)
    if (value === UNFINISHED) throw new DamagedEntry('a value that is made of itself')
    return value
  }

  #known<Value>(values: readonly Value[]): Value {
    const number = this.#whole()
    if (number >= values.length) throw new DamagedEntry('a value that was not written before')
    return values[number] as Value
  }

  #newText(encoding: 'latin1' | 'utf16le'): string {
    const text = this.#string(encoding)
    this.#texts.push(text)
    return text
  }

  #string(encoding: 'latin1' | 'utf16le'): string {
    const length = this.#count()
    const text = this.#bytes.toString(encoding, this.#at, this.#at + length)
    this.#at += length
    return text
  }

  #byte(): number {
    const value = this.#bytes[this.#at++]
    if (value === undefined) throw new DamagedEntry('it ends too early')
    return value
  }

  #double(): number {
    if (this.#at + 8 > this.#bytes.length) throw new DamagedEntry('it ends too early')
    this.#at += 8
    return this.#bytes.readDoubleLE(this.#at - 8)
  }

  #whole(): number {
    let value = 0
    for (let factor = 1; factor <= 2 ** 49; factor *= 0x80) {
      const byte = this.#byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new DamagedEntry('a number without end')
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new DamagedEntry('a name that is no text')
}

/** Hexadecimal, with its sign in front. */
function bigintOf(text: string): bigint {
  const [, sign, digits] = /^(-?)([0-9a-f]+)$/.exec(text) ?? []
  if (digits === undefined) throw new DamagedEntry('a number that is none')
  const value = BigInt(`0x${digits}`)
  return sign === '-' ? -value : value
}
