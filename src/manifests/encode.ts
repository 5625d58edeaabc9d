import { Float } from '../json/json.ts'
import { NotWritten, type Recipe, recipeOf } from '../model/recipe.ts'
import { ByteWriter } from './byte-writer.ts'
import { MOST_DEPTH, NUMBER_ARRAYS, TAG } from './tags.ts'

export interface EncoderInput {
  /** What is not written, but known by its number when it is read again: sources, texts with secrets in them. */
  readonly anchors: ReadonlyMap<unknown, number>
  /** Texts that must not stand in an entry, on their own or in others. */
  readonly secrets: readonly string[]
  readonly mostBytes: number
}

/**
 * Writes values as bytes: data exactly as it is (bigint, -0, NaN, undefined, text that is no Unicode), what is shared as shared,
 * and what is more than data by its recipe. Anything else throws `NotWritten`.
 */
export class Encoder {
  readonly #anchors: EncoderInput['anchors']
  readonly #secrets: EncoderInput['secrets']
  readonly #out: ByteWriter
  readonly #texts = new Map<string, number>()
  readonly #shapes = new Map<string, number>()
  readonly #seen = new Map<object, number>()
  /** What is being made of its ingredients can't be one of them. */
  readonly #making = new Set<object>()
  #depth = 0

  constructor({ anchors, secrets, mostBytes }: EncoderInput) {
    this.#anchors = anchors
    this.#secrets = secrets
    this.#out = new ByteWriter(mostBytes)
  }

  /** All that was written. */
  finished(): Uint8Array {
    return this.#out.finished()
  }

  write(value: unknown): void {
    if (typeof value === 'string') this.#text(value)
    else if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'boolean') this.#out.byte(value ? TAG.true : TAG.false)
    else if (value === undefined) this.#out.byte(TAG.undefined)
    else if (value === null) this.#out.byte(TAG.null)
    else if (typeof value === 'bigint') this.#bigint(value)
    else if (typeof value === 'symbol') throw new NotWritten('a symbol')
    else this.#object(value)
  }

  #object(value: object): void {
    if (this.#anchored(value)) return
    const seen = this.#seen.get(value)
    if (seen !== undefined) {
      if (this.#making.has(value)) throw new NotWritten('a value that is made of itself')
      this.#numbered(TAG.again, seen)
      return
    }
    this.#seen.set(value, this.#seen.size)
    if (++this.#depth > MOST_DEPTH) throw new NotWritten(`values within each other ${MOST_DEPTH} times`)
    const recipe = recipeOf(value)
    if (recipe === undefined) this.#content(value)
    else this.#recipe(value, recipe)
    this.#depth--
  }

  #content(value: object): void {
    if (Array.isArray(value)) this.#list(TAG.array, value.length, value)
    else if (ArrayBuffer.isView(value)) this.#numbers(value)
    else if (value instanceof Map) this.#list(TAG.map, value.size, [...value].flat(1))
    else if (value instanceof Set) this.#list(TAG.set, value.size, value)
    else if (value instanceof Float) {
      this.#out.byte(TAG.float)
      this.#out.double(value.value)
    } else this.#plain(value)
  }

  #recipe(value: object, recipe: Recipe): void {
    this.#out.byte(TAG.recipe)
    this.#making.add(value)
    this.write(recipe.name)
    this.write(recipe.ingredients())
    this.#making.delete(value)
  }

  #plain(value: object): void {
    const prototype = Object.getPrototypeOf(value)
    if (typeof value === 'function') throw new NotWritten(`a function${value.name === '' ? '' : `, ${value.name}`}`)
    if (prototype !== Object.prototype && prototype !== null) throw new NotWritten(`a ${prototype.constructor?.name}`)
    const names = Object.keys(value)
    this.#shape(names, prototype !== null)
    for (const name of names) {
      const { value: own, get } = Object.getOwnPropertyDescriptor(value, name) ?? {}
      if (get !== undefined) throw new NotWritten(`a value that is made when it is asked for: ${name}`)
      this.write(own)
    }
  }

  /** Objects mostly have the names of others: those are written once. */
  #shape(names: readonly string[], isPlain: boolean): void {
    const shape = `${isPlain ? 1 : 0}${names.map((name) => `${name.length}:${name}`).join('')}`
    const known = this.#shapes.get(shape)
    this.#numbered(TAG.object, known ?? this.#shapes.size)
    if (known !== undefined) return
    this.#shapes.set(shape, this.#shapes.size)
    this.#out.byte(isPlain ? 1 : 0)
    this.#list(TAG.array, names.length, names)
  }

  #list(tag: number, count: number, values: Iterable<unknown>): void {
    this.#numbered(tag, count)
    for (const value of values) this.write(value)
  }

  #numbers(value: ArrayBufferView): void {
    const kind = NUMBER_ARRAYS.findIndex((type) => value instanceof type)
    if (kind === -1) throw new NotWritten('bytes of an unknown kind')
    this.#numbered(TAG.numbers, kind)
    this.#out.whole(value.byteLength)
    this.#out.raw(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      this.#out.byte(TAG.double)
      this.#out.double(value)
    } else if (value >= 0 && value < TAG.small) this.#out.byte(TAG.small | value)
    else this.#numbered(value < 0 ? TAG.negative : TAG.whole, Math.abs(value))
  }

  #bigint(value: bigint): void {
    this.#out.byte(TAG.bigint)
    this.#out.text(value.toString(16), 'latin1')
  }

  #text(value: string): void {
    if (this.#anchored(value)) return
    const known = this.#texts.get(value)
    if (known !== undefined) {
      this.#numbered(TAG.text, known)
      return
    }
    this.#texts.set(value, this.#texts.size)
    if (this.#secrets.some((secret) => value.includes(secret))) throw new NotWritten('a text with a secret in it')
    const isShort = isLatin1(value)
    this.#out.byte(isShort ? TAG.latin1 : TAG.utf16)
    this.#out.text(value, isShort ? 'latin1' : 'utf16le')
  }

  #anchored(value: unknown): boolean {
    const anchor = this.#anchors.get(value)
    if (anchor !== undefined) this.#numbered(TAG.anchor, anchor)
    return anchor !== undefined
  }

  #numbered(tag: number, number: number): void {
    this.#out.byte(tag)
    this.#out.whole(number)
  }
}

function isLatin1(value: string): boolean {
  for (let at = 0; at < value.length; at++) if (value.charCodeAt(at) > 0xff) return false
  return true
}
