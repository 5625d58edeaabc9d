import { type ErrorContext, malformed, overBudget, overLimit } from '../errors.ts'
import { turn } from '../turns.ts'
import { Float, type Json } from './json.ts'

export interface ParseJsonOptions {
  /** Accept bare `NaN`, `Infinity`, `-Infinity` and numbers beyond a double, as Python writes and reads them. */
  readonly lenient?: boolean | undefined
  /** Levels of arrays and objects. */
  readonly maxDepth?: number | undefined
  /** Characters of the text. */
  readonly maxLength?: number | undefined
  /** What the values may cost, where several documents have one budget; else each has its own. */
  readonly budget?: JsonBudget | undefined
  /** Cited in errors. */
  readonly context?: ErrorContext | undefined
}

/** What is left for values: it bounds the memory that a small text can ask for. A plain value costs 1. */
export interface JsonBudget {
  left: number
}

const MOST_DEPTH = 128
const MOST_LENGTH = 64 * 2 ** 20
const MOST_COST = 3_000_000
/** An object without a prototype is a hash table of some two hundred bytes, however empty. */
const NESTED_COST = 8
/** An object of many members is a hash table of long chains, slow to fill and to list. */
const LARGE_OBJECT = 1024
const LARGE_MEMBER_COST = 32
/** Longer ones are refused: what a document may hold in all is little more, and a text is read without a pause. */
const MOST_TEXT_LENGTH = 2 ** 23
/** Longer ones are no number that anyone means, and cost more than linear time to convert. */
const MOST_NUMBER_LENGTH = 1024

const NUMBER = /^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that RFC 8259 section 7 forbids
const FORBIDDEN_IN_TEXT = /[\u0000-\u001f]/

/** Reads RFC 8259 text without loss (see `Json`); throws `malformed-source` with the position, or `limit-exceeded`. */
export function parseJson(text: string, options: ParseJsonOptions = {}): Json {
  return parserOf(text, options).document()
}

/** The same for long documents: others have their turn meanwhile. */
export async function readJsonInTurns(text: string, options: ParseJsonOptions = {}): Promise<Json> {
  return await parserOf(text, options).documentInTurns()
}

function parserOf(text: string, options: ParseJsonOptions): Parser {
  const maxLength = options.maxLength ?? MOST_LENGTH
  if (text.length > maxLength) {
    throw overLimit(`a JSON document of ${text.length} characters, at most ${maxLength} are read`, options.context)
  }
  return new Parser(text, options)
}

/** A budget for the documents that one source is described by. */
export function jsonBudget(): JsonBudget {
  return { left: MOST_COST }
}

/** Values that are read without a look at the clock: less than a millisecond of work. */
const VALUES_AT_ONCE = 2000

/** An array or an object that is being read. */
type Open =
  | { readonly kind: 'array'; readonly items: Json[] }
  | { readonly kind: 'object'; readonly members: Record<string, Json>; name: string; count: number }

/** Reads value after value, those that it is inside of on a stack: it can rest after each. Nothing of the text is copied twice. */
class Parser {
  readonly #text: string
  readonly #options: ParseJsonOptions
  readonly #maxDepth: number
  readonly #budget: JsonBudget
  readonly #open: Open[] = []
  #position = 0

  constructor(text: string, options: ParseJsonOptions) {
    this.#text = text
    this.#options = options
    this.#maxDepth = options.maxDepth ?? MOST_DEPTH
    this.#budget = options.budget ?? jsonBudget()
  }

  document(): Json {
    this.#begin()
    for (;;) {
      const root = this.#advance()
      if (root !== undefined) return this.#whole(root)
    }
  }

  async documentInTurns(): Promise<Json> {
    this.#begin()
    for (let count = 1; ; count++) {
      const root = this.#advance()
      if (root !== undefined) return this.#whole(root)
      const wait = count % VALUES_AT_ONCE === 0 ? turn() : undefined
      if (wait !== undefined) await wait
    }
  }

  /** RFC 8259 section 8.1: a byte order mark may be ignored. */
  #begin(): void {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#position = 1
  }

  #whole(root: Json): Json {
    if (this.#peek() !== '') throw this.#fail('the end of the document')
    return root
  }

  /** Reads one value, or the beginning of one that others lie in; the value of the document once it is whole. */
  #advance(): Json | undefined {
    let value = this.#value()
    while (value !== undefined) {
      const open = this.#open.at(-1)
      if (open === undefined) return value
      value = open.kind === 'array' ? this.#addItem(open, value) : this.#addMember(open, value)
    }
    return undefined
  }

  /** Undefined where an array or an object begins that isn't empty. */
  #value(): Json | undefined {
    if (--this.#budget.left < 0) {
      const fail = this.#options.budget === undefined ? overLimit : overBudget
      throw fail('JSON of too many values', this.#options.context)
    }
    const first = this.#peek()
    if (first === '"') return this.#string()
    if (first === '{') return this.#beginObject()
    if (first === '[') return this.#beginArray()
    if (first === '-' || (first >= '0' && first <= '9')) return this.#number()
    if (this.#word('true')) return true
    if (this.#word('false')) return false
    if (this.#word('null')) return null
    if (this.#options.lenient === true) {
      if (this.#word('NaN')) return Number.NaN
      if (this.#word('Infinity')) return Number.POSITIVE_INFINITY
    }
    throw this.#fail('a value')
  }

  #beginObject(): Json | undefined {
    const members: Record<string, Json> = Object.create(null)
    this.#beginNested()
    if (this.#skip('}')) return members
    this.#open.push({ kind: 'object', members, name: this.#name(1), count: 1 })
    return undefined
  }

  #beginArray(): Json | undefined {
    const items: Json[] = []
    this.#beginNested()
    if (this.#skip(']')) return items
    this.#open.push({ kind: 'array', items })
    return undefined
  }

  #beginNested(): void {
    if (this.#open.length >= this.#maxDepth) {
      throw overLimit(`a JSON document nested more than ${this.#maxDepth} levels deep`, this.#options.context)
    }
    this.#budget.left -= NESTED_COST - 1
    this.#position++
  }

  /** The whole array after its last item. */
  #addItem({ items }: Extract<Open, { readonly kind: 'array' }>, value: Json): Json | undefined {
    items.push(value)
    if (this.#skip(',')) return undefined
    if (!this.#skip(']')) throw this.#fail('a comma or a closing bracket')
    this.#open.pop()
    return items
  }

  /** The whole object after its last member. */
  #addMember(open: Extract<Open, { readonly kind: 'object' }>, value: Json): Json | undefined {
    open.members[open.name] = value
    if (this.#skip(',')) {
      open.name = this.#name(++open.count)
      return undefined
    }
    if (!this.#skip('}')) throw this.#fail('a comma or a closing brace')
    this.#open.pop()
    return open.members
  }

  #name(count: number): string {
    if (count > LARGE_OBJECT) this.#budget.left -= LARGE_MEMBER_COST - 1
    if (this.#peek() !== '"') throw this.#fail('a name in quotes')
    const name = this.#string()
    if (!this.#skip(':')) throw this.#fail('a colon')
    return name
  }

  #string(): string {
    const start = this.#position
    let end = this.#text.indexOf('"', start + 1)
    while (end !== -1 && end - start <= MOST_TEXT_LENGTH && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1)
    if (end === -1) throw this.#fail('a closing quote')
    if (end - start > MOST_TEXT_LENGTH) {
      const message = `JSON with a text of more than ${MOST_TEXT_LENGTH} characters`
      throw overLimit(message, { ...this.#options.context, offset: start })
    }
    const token = this.#text.slice(start, end + 1)
    if (FORBIDDEN_IN_TEXT.test(token)) throw this.#fail('text without control characters')
    try {
      // A fresh string: a slice would keep the whole document in memory for as long as one name of it is.
      const value = JSON.parse(token) as string
      this.#position = end + 1
      return value
    } catch (cause) {
      throw this.#fail('text with the escapes of RFC 8259', cause)
    }
  }

  /** Whether an odd number of backslashes stands before this position. */
  #isEscaped(position: number): boolean {
    let first = position
    while (this.#text.charCodeAt(first - 1) === 0x5c) first--
    return (position - first) % 2 === 1
  }

  #number(): Json {
    const start = this.#position
    let end = start + 1
    while (end < this.#text.length && isNumberPart(this.#text.charCodeAt(end))) end++
    if (end - start > MOST_NUMBER_LENGTH) throw this.#fail(`a number of at most ${MOST_NUMBER_LENGTH} characters`)
    const token = this.#text.slice(start, end)
    if (token === '-' && this.#options.lenient === true) {
      this.#position = end
      if (this.#word('Infinity')) return Number.NEGATIVE_INFINITY
      this.#position = start
    }
    const parts = NUMBER.exec(token)
    if (parts === null) throw this.#fail('a number')
    const value = Number(token)
    const integral = parts[1] === undefined && parts[2] === undefined
    // `-0` is an integer token, but no integer: as a float it keeps its sign.
    if (integral && !Object.is(value, -0)) {
      this.#position = end
      return Number.isSafeInteger(value) ? value : BigInt(token)
    }
    if (!Number.isFinite(value) && this.#options.lenient !== true) throw this.#fail('a number that a double can hold')
    this.#position = end
    return Number.isInteger(value) ? new Float(value) : value
  }

  /** The next character that is no blank; empty at the end. */
  #peek(): string {
    while (this.#position < this.#text.length) {
      const code = this.#text.charCodeAt(this.#position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
      this.#position++
    }
    return this.#text.charAt(this.#position)
  }

  #skip(mark: string): boolean {
    if (this.#peek() !== mark) return false
    this.#position++
    return true
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#position)) return false
    this.#position += word.length
    return true
  }

  #fail(expected: string, cause?: unknown): Error {
    const found = this.#text.slice(this.#position, this.#position + 12)
    const what = found === '' ? 'the end' : JSON.stringify(found)
    const message = `JSON, character ${this.#position}: ${expected} is expected, found ${what}`
    return malformed(message, { ...this.#options.context, offset: this.#position }, cause)
  }
}

function isNumberPart(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39
  return isDigit || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65
}
