// RFC 8259, token by token over a window of a document's bytes: no object is made for what is only passed over.
import { latin1Text, utf8Text } from '../../bytes/text.ts'
import { type ErrorContext, malformed, overLimit } from '../../errors.ts'

/** Thrown where the window ends inside a token: the reader widens the window and scans the member again. */
export class WindowEnded extends Error {}

/** The bytes between the quotes of a text, and whether escapes are among them. */
export interface TextToken {
  readonly start: number
  readonly end: number
  readonly isEscaped: boolean
}

export const QUOTE = 0x22
export const OPEN_BRACE = 0x7b
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACE = 0x7d
export const CLOSE_BRACKET = 0x5d
export const COMMA = 0x2c
export const COLON = 0x3a
const BACKSLASH = 0x5c
const MOST_DEPTH = 64
const MOST_NUMBER_LENGTH = 64

/** A class, since it holds its place in the window. */
export class JsonScanner {
  bytes: Uint8Array = new Uint8Array(0)
  position = 0
  /** Whether nothing of the document comes after the window. */
  isLast = false
  /** Where the window begins in the document. */
  origin = 0
  readonly #context: ErrorContext

  constructor(context: ErrorContext) {
    this.#context = context
  }

  /** The next byte that is no blank; -1 at the document's end. */
  peek(): number {
    const { bytes } = this
    while (this.position < bytes.length) {
      const byte = bytes[this.position] ?? 0
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.position++
    }
    if (this.isLast) return -1
    throw new WindowEnded()
  }

  skip(mark: number): boolean {
    if (this.peek() !== mark) return false
    this.position++
    return true
  }

  expect(mark: number, what: string): void {
    if (!this.skip(mark)) throw this.fail(what)
  }

  text(): TextToken {
    this.expect(QUOTE, 'text in quotes')
    const { bytes } = this
    const start = this.position
    let isEscaped = false
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) {
        this.position = at + 1
        return { start, end: at, isEscaped }
      }
      if (byte === BACKSLASH) {
        isEscaped = true
        at++
      } else if (byte < 0x20) {
        this.position = at
        throw this.fail('text without control characters')
      }
    }
    if (!this.isLast) throw new WindowEnded()
    throw this.fail('a closing quote')
  }

  /** The text that a token spells. */
  decoded(token: TextToken): string {
    return this.decodedBytes(this.bytes.subarray(token.start, token.end), token.isEscaped)
  }

  /** The text that bytes between quotes spell. */
  decodedBytes(bytes: Uint8Array, isEscaped: boolean): string {
    const text = utf8Text(bytes)
    if (text === undefined) throw this.fail('UTF-8 text')
    if (!isEscaped) return text
    try {
      return JSON.parse(`"${text}"`) as string
    } catch (cause) {
      throw this.fail('text with the escapes of RFC 8259', cause)
    }
  }

  /** A whole number; undefined (and nothing is passed) where there is something else. */
  integer(): number | undefined {
    const start = this.position
    const isNegative = this.peek() === 0x2d
    let at = this.position + (isNegative ? 1 : 0)
    const first = at
    let value = 0
    for (; at < this.bytes.length; at++) {
      const digit = (this.bytes[at] ?? 0) - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (at === this.bytes.length && !this.isLast) throw new WindowEnded()
    const next = this.bytes[at] ?? 0
    // Python writes 5.0 and 5e0 for floats: these are no positions in a file.
    const isFraction = next === 0x2e || next === 0x65 || next === 0x45
    if (at === first || at - first > 16 || isFraction) {
      this.position = start
      return undefined
    }
    this.position = at
    return isNegative ? -value : value
  }

  /** Passes over a value of any kind; where it lay. */
  value(depth = 0): { readonly start: number; readonly end: number } {
    if (depth > MOST_DEPTH) throw overLimit(`a JSON document nested more than ${MOST_DEPTH} levels deep`, this.#context)
    const first = this.peek()
    const start = this.position
    if (first === QUOTE) this.text()
    else if (first === OPEN_BRACE) this.#members(depth, true, CLOSE_BRACE)
    else if (first === OPEN_BRACKET) this.#members(depth, false, CLOSE_BRACKET)
    else this.#word()
    return { start, end: this.position }
  }

  #members(depth: number, isNamed: boolean, close: number): void {
    this.position++
    if (this.skip(close)) return
    while (true) {
      if (isNamed) {
        if (this.peek() !== QUOTE) throw this.fail('a name in quotes')
        this.text()
        this.expect(COLON, 'a colon')
      }
      this.value(depth + 1)
      if (this.skip(close)) return
      this.expect(COMMA, 'a comma or a closing bracket')
    }
  }

  /** A number or a word; which of them is left to those who read it. */
  #word(): void {
    const start = this.position
    while (this.position < this.bytes.length && isWordPart(this.bytes[this.position] ?? 0)) this.position++
    if (this.position === this.bytes.length && !this.isLast) throw new WindowEnded()
    if (this.position === start || this.position - start > MOST_NUMBER_LENGTH * 16) throw this.fail('a value')
  }

  fail(expected: string, cause?: unknown): Error {
    const offset = this.origin + this.position
    const found = latin1Text(this.bytes.subarray(this.position, this.position + 12))
    const what = found === '' ? 'the end' : JSON.stringify(found)
    return malformed(
      `JSON, byte ${offset}: ${expected} is expected, found ${what}`,
      { ...this.#context, offset },
      cause,
    )
  }
}

function isWordPart(byte: number): boolean {
  const isLetter = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)
  return isLetter || (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e
}
