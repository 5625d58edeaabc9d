// FITS Standard 4.0, sections 4.1 (keyword records) and 4.2 (values).
import { floatJson, type Json } from '../../json/json.ts'

/** Bytes of a keyword record. */
export const CARD_BYTES = 80

/** One keyword record. A commentary record has text and no value; `text` says that a value can be continued. */
export type Card =
  | { readonly kind: 'value'; readonly keyword: string; readonly value: Json; readonly isText: boolean }
  | { readonly kind: 'comment'; readonly keyword: string; readonly text: string }

const COMMENTARY: ReadonlySet<string> = new Set(['COMMENT', 'HISTORY', ''])
const INTEGER = /^[+-]?[0-9]+$/
const REAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[EeDd][+-]?[0-9]+)?$/
const COMPLEX = /^\(([^,()]+),([^,()]+)\)$/

/** Reads one record of 80 characters. */
export function parseCard(image: string): Card {
  const keyword = image.slice(0, 8).trimEnd().toUpperCase()
  if (keyword === 'CONTINUE') return valueCard(keyword, image.slice(8))
  if (keyword === 'HIERARCH') return hierarchCard(image)
  if (image[8] === '=' && !COMMENTARY.has(keyword)) return valueCard(keyword, image.slice(9))
  return { kind: 'comment', keyword, text: image.slice(8).trimEnd() }
}

/** ESO's convention for long names: `HIERARCH a b c = value`. */
function hierarchCard(image: string): Card {
  const end = image.indexOf('=')
  const keyword = image.slice(8, end).trim()
  if (end < 0 || keyword === '') return { kind: 'comment', keyword: 'HIERARCH', text: image.slice(8).trimEnd() }
  return valueCard(keyword, image.slice(end + 1))
}

function valueCard(keyword: string, field: string): Card {
  const text = field.trimStart()
  if (text.startsWith("'")) return { kind: 'value', keyword, value: quotedText(text), isText: true }
  const slash = text.indexOf('/')
  const bare = (slash < 0 ? text : text.slice(0, slash)).trim()
  return { kind: 'value', keyword, value: bareValue(bare), isText: false }
}

/** Two quotes are one; blanks at the end mean nothing, those at the beginning do. */
function quotedText(text: string): string {
  let value = ''
  for (let at = 1; at < text.length; at++) {
    if (text[at] !== "'") value += text[at]
    else if (text[at + 1] === "'") {
      value += "'"
      at++
    } else break
  }
  return value.trimEnd()
}

/** A keyword without a value is undefined (section 4.1.2.3), written as empty text; what is no value stays text. */
function bareValue(text: string): Json {
  if (text === 'T' || text === 'F') return text === 'T'
  if (INTEGER.test(text)) return integerOf(text)
  if (REAL.test(text)) return floatJson(realOf(text))
  const complex = COMPLEX.exec(text)
  if (complex === null) return text
  const parts = [complex[1] ?? '', complex[2] ?? ''].map((part) => part.trim())
  if (!parts.every((part) => REAL.test(part))) return text
  return parts.map((part) => (INTEGER.test(part) ? integerOf(part) : floatJson(realOf(part))))
}

function integerOf(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number + 0 : BigInt(text.replace(/^\+/, ''))
}

/** FORTRAN writes the exponent of a double as D. */
function realOf(text: string): number {
  return Number(text.replace(/[Dd]/, 'e'))
}
