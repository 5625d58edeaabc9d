// FITS Standard 4.0, sections 3.3.1 and 4.4: the header of an HDU, and long text over several records (4.2.1.2).
import { anyText } from '../../bytes/text.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import { Float, type Json } from '../../json/json.ts'
import { CARD_BYTES, type Card, parseCard } from './card.ts'

/** Headers and data come in blocks of so many bytes. */
export const BLOCK_BYTES = 2880

/** All records of a header up to END. */
export interface Header {
  readonly cards: readonly Card[]
  /** The first value of each keyword. */
  readonly values: ReadonlyMap<string, Json>
  readonly place: ErrorContext
}

/** The records of header bytes, and whether END was among them. */
export interface CardRun {
  readonly cards: readonly Card[]
  readonly isEnd: boolean
  /** Keywords of records that are not ASCII, nor UTF-8. */
  readonly guessed: readonly string[]
}

/** Reads records until END or until the bytes end. */
export function parseCards(bytes: Uint8Array): CardRun {
  const cards: Card[] = []
  const guessed: string[] = []
  for (let at = 0; at + CARD_BYTES <= bytes.length; at += CARD_BYTES) {
    let isGuessed = false
    const image = anyText(bytes.subarray(at, at + CARD_BYTES), () => {
      isGuessed = true
    })
    const card = parseCard(image)
    if (card.keyword === 'END') return { cards, isEnd: true, guessed }
    cards.push(card)
    if (isGuessed) guessed.push(card.keyword)
  }
  return { cards, isEnd: false, guessed }
}

/** A header of its records; continued text is put together. */
export function headerOf(records: readonly Card[], place: ErrorContext): Header {
  const cards: Card[] = []
  for (const card of records) {
    const last = cards.at(-1)
    if (card.keyword === 'CONTINUE' && last !== undefined && isContinued(last) && isText(card)) {
      cards[cards.length - 1] = { ...last, value: last.value.slice(0, -1) + card.value }
    } else cards.push(card)
  }
  const values = new Map<string, Json>()
  for (const card of cards) {
    if (card.kind === 'value' && !values.has(card.keyword)) values.set(card.keyword, card.value)
  }
  return { cards, values, place }
}

type TextCard = Extract<Card, { readonly kind: 'value' }> & { readonly value: string }

function isText(card: Card): card is TextCard {
  return card.kind === 'value' && card.isText && typeof card.value === 'string'
}

function isContinued(card: Card): card is TextCard {
  return isText(card) && card.value.endsWith('&')
}

/** A count or length that the header must have, or may leave out where there is a fallback. */
export function countOf(header: Header, keyword: string, fallback?: number): number {
  const value = integerOf(header, keyword, fallback)
  if (value < 0) throw malformed(`${keyword} is ${value}, expected no negative number`, header.place)
  return value
}

/** The same for an integer of any sign. */
export function integerOf(header: Header, keyword: string, fallback?: number): number {
  const value = header.values.get(keyword) ?? fallback
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw malformed(`${keyword} is ${value === undefined ? 'missing' : wordOf(value)}, expected an integer`, header.place)
}

/** Text without the blanks at its end; undefined where there is none. */
export function textOf(header: Header, keyword: string): string | undefined {
  const value = header.values.get(keyword)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A real number; undefined where there is none. */
export function numberOf(header: Header, keyword: string): number | undefined {
  const value = header.values.get(keyword)
  if (value instanceof Float) return value.value
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

/** An integer of any size; undefined where there is none. */
export function wholeOf(header: Header, keyword: string): number | bigint | undefined {
  const value = header.values.get(keyword)
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)) ? value : undefined
}

function wordOf(value: Json): string {
  return value instanceof Float ? String(value.value) : String(value)
}
