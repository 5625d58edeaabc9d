import { GrowingBytes } from '../../bytes/growing.ts'
import { anyText } from '../../bytes/text.ts'
import type { ErrorContext } from '../../errors.ts'
import { malformed, overLimit } from '../../errors.ts'
import type { Json } from '../../json/json.ts'
import { parseJson } from '../../json/parse.ts'
import { MOST_TEXT_BYTES, TextTable } from '../../model/text-table.ts'
import {
  CLOSE_BRACKET,
  COMMA,
  type JsonScanner,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  type TextToken,
} from './json-scanner.ts'
import { ReferenceClasses, type ReferenceNumbers } from './reference-classes.ts'
import { type Breakage, broken, DEFERRED, FIRST_URL, INLINE, inlineBytes, WHOLE } from './reference-codes.ts'

/** Inline chunks up to this are kept, those beyond are read again from the document. */
const MOST_INLINE_BYTES = 32 * 2 ** 20
/** Metadata of all arrays together. */
const MOST_METADATA_BYTES = 128 * 2 ** 20
/** Of one document, which is read without a pause. */
const MOST_DOCUMENT_LENGTH = 4 * 2 ** 20
const METADATA = /(?:^|\/)(?:\.zarray|\.zattrs|\.zgroup|zarr\.json)$/
const LETTER_C = 0x63

/** All that a document's `refs` say, in as few bytes as they need. */
export class Collected {
  readonly classes: ReferenceClasses
  readonly urls = new TextTable()
  readonly inline = new GrowingBytes()
  readonly metadata = new Map<string, Json | Error>()
  /** Keys that are neither metadata nor chunks. */
  otherKeys = 0
  readonly #context: ErrorContext
  #metadataBytes = 0

  constructor(context: ErrorContext) {
    this.#context = context
    this.classes = new ReferenceClasses(context)
  }

  /** One member of `refs`: the scanner stands behind the colon. */
  entry(scanner: JsonScanner, name: TextToken): void {
    if (name.isEscaped) {
      const key = Buffer.from(scanner.decoded(name))
      this.#keyed(scanner, key, 0, key.length)
    } else this.#keyed(scanner, scanner.bytes, name.start, name.end)
  }

  /** A reference that was made, not read; without a place it is the whole object. */
  generated(key: string, url: string, at: { readonly offset: number; readonly length: number } | undefined): void {
    const bytes = Buffer.from(key)
    if (!isChunkKey(bytes, 0, bytes.length)) {
      this.otherKeys++
      return
    }
    const spelled = Buffer.from(JSON.stringify(url)).subarray(1, -1)
    const numbers = this.#ranged(spelled, at?.offset ?? 0, at?.length ?? WHOLE, at === undefined)
    this.classes.add(bytes, 0, bytes.length, numbers)
  }

  #keyed(scanner: JsonScanner, bytes: Uint8Array, start: number, end: number): void {
    if (isChunkKey(bytes, start, end)) {
      this.classes.add(bytes, start, end, this.#reference(scanner))
      return
    }
    const key = anyText(bytes.subarray(start, end))
    if (METADATA.test(key)) this.metadata.set(key, this.#document(scanner, key))
    else {
      scanner.value()
      this.otherKeys++
    }
  }

  #reference(scanner: JsonScanner): ReferenceNumbers {
    const first = scanner.peek()
    if (first === QUOTE) return this.#inlined(scanner, scanner.text())
    if (first !== OPEN_BRACKET) {
      scanner.value()
      return broken('is neither text nor [url] nor [url, offset, length]')
    }
    const start = scanner.position
    const found = this.#listed(scanner)
    if (found !== undefined) return found
    scanner.position = start
    scanner.value()
    return broken(this.#listBreakage(scanner, start))
  }

  /** `[url]` or `[url, offset, length]`; undefined where the list is something else. */
  #listed(scanner: JsonScanner): ReferenceNumbers | undefined {
    scanner.position++
    if (scanner.peek() !== QUOTE) return undefined
    const url = scanner.text()
    if (scanner.skip(CLOSE_BRACKET)) return this.#ranged(scanner.bytes.subarray(url.start, url.end), 0, WHOLE, true)
    if (!scanner.skip(COMMA)) return undefined
    const offset = scanner.integer()
    if (offset === undefined || !scanner.skip(COMMA)) return undefined
    const length = scanner.integer()
    if (length === undefined || !scanner.skip(CLOSE_BRACKET)) return undefined
    return this.#ranged(scanner.bytes.subarray(url.start, url.end), offset, length)
  }

  #listBreakage(scanner: JsonScanner, start: number): Breakage {
    const text = anyText(scanner.bytes.subarray(start, Math.min(scanner.position, start + MOST_TEXT_BYTES)))
    const hasUrl = /^\[\s*"[^"]*"\s*,[^,]*,[^,]*\]$/.test(text)
    return hasUrl
      ? 'has an offset or length that is no whole number from 0 to 2^53'
      : 'is neither text nor [url] nor [url, offset, length]'
  }

  #ranged(url: Uint8Array, offset: number, length: number, isWhole = false): ReferenceNumbers {
    if (url.length === 0 || url.length > MOST_TEXT_BYTES) return broken('has an empty URL, or one that is too long')
    const isPlace = offset >= 0 && length >= 0 && Number.isSafeInteger(offset) && Number.isSafeInteger(offset + length)
    if (!isPlace) return broken('has an offset or length that is no whole number from 0 to 2^53')
    if (length === 0 && !isWhole) return broken('has a length of 0')
    return { target: FIRST_URL + this.urls.add(url), offset, length }
  }

  #inlined(scanner: JsonScanner, token: TextToken): ReferenceNumbers {
    const length = token.end - token.start
    if (this.inline.length + length > MOST_INLINE_BYTES) {
      return { target: DEFERRED, offset: scanner.origin + token.start, length }
    }
    const bytes = inlineBytes(scanner.decoded(token))
    if (typeof bytes === 'string') return broken(bytes)
    if (bytes.length === 0) return broken('holds no bytes')
    const offset = this.inline.length
    this.inline.push(bytes)
    return { target: INLINE, offset, length: bytes.length }
  }

  /** A document of an array or a group: as text, in base64, or as an object. One that is broken costs its node. */
  #document(scanner: JsonScanner, key: string): Json | Error {
    const first = scanner.peek()
    const { start, end } = scanner.value()
    this.#metadataBytes += end - start
    if (this.#metadataBytes > MOST_METADATA_BYTES) {
      throw overLimit(`metadata of more than ${MOST_METADATA_BYTES} bytes`, this.#context)
    }
    const place = { ...this.#context, path: key }
    const token = scanner.bytes.subarray(start, end)
    try {
      const options = { lenient: true, context: place, maxLength: MOST_DOCUMENT_LENGTH }
      if (first === OPEN_BRACE) return parseJson(anyText(token), options)
      if (first !== QUOTE) throw malformed(`${key} is a reference to another file, or no document at all`, place)
      const text = scanner.decodedBytes(token.subarray(1, -1), token.includes(0x5c))
      return parseJson(textOf(text, place), options)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

function textOf(text: string, place: ErrorContext): string {
  if (!text.startsWith('base64:')) return text
  const bytes = inlineBytes(text)
  if (typeof bytes === 'string') throw malformed(`the document ${bytes}`, place)
  return anyText(bytes)
}

/** Keys of chunks end in a number; that of a scalar of Zarr v3 in `c`. */
function isChunkKey(bytes: Uint8Array, start: number, end: number): boolean {
  const last = bytes[end - 1] ?? 0
  if (last >= 0x30 && last <= 0x39) return true
  return last === LETTER_C && (end - start === 1 || bytes[end - 2] === 0x2f)
}
