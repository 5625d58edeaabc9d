import { Float, isJsonObject, type Json } from '../json/json.ts'
import { writeJson } from '../json/write.ts'

/** Text of a file for a terminal: nothing in it moves the cursor, changes colours or hides. */
export function shownText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\n/g, '\\n')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

/** A value for a terminal, cut to a length. */
export function shownValue(value: Json, most: number): string {
  const text = typeof value === 'string' ? shownText(value) : shownText(writeJson(value))
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** A number of bytes, in the unit that leaves the fewest digits. */
export function shownSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 2 ** (10 * power)).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** A data type or codec, `name(member=value)`. */
export function shownExtension(value: Json): string {
  if (typeof value === 'string') return shownText(value)
  if (!isJsonObject(value)) return shownValue(value, 100)
  const { name = '', configuration } = value
  const members = isJsonObject(configuration) ? Object.entries(configuration) : []
  const inside = members.map(([member, part]) => `${shownText(member)}=${shownValue(part, 60)}`).join(', ')
  return `${shownValue(name, 60)}${inside === '' ? '' : `(${inside})`}`
}

/** How many digits a number gets: the fewest that give it in double or in single precision, or without the noise of arithmetic. */
export type Digits = 'all' | 'single' | 'rounded'

/** A number for a terminal. */
export function shownNumber(value: number | Float, digits: Digits): string {
  const number = value instanceof Float ? value.value : value
  if (digits === 'rounded') return String(Number(number.toPrecision(10)))
  if (digits === 'all' || Number.isInteger(number)) return writeJson(value)
  for (let count = 1; count < 9; count++) {
    const text = Number(number.toPrecision(count))
    if (Math.fround(text) === number) return String(text)
  }
  return String(number)
}
