import { unsupported } from '../../../errors.ts'

/** What an expression can be: whole numbers, floats, text, truth, nothing, lists. */
export type Value = bigint | number | string | boolean | null | readonly Value[]

const MAX_TEXT = 65_536
const MOST = 2n ** 63n

/** Text as Python's `str` spells it. */
export function spelled(value: Value): string {
  if (value === null) return 'None'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return spelledFloat(value)
  if (typeof value === 'bigint') return value.toString()
  return `[${value.map((item) => (typeof item === 'string' ? `'${item}'` : spelled(item))).join(', ')}]`
}

function spelledFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  if (!Number.isInteger(value)) return String(value)
  return Math.abs(value) < 1e16 ? `${value}.0` : value.toExponential().replace(/e\+?(-?)(\d)$/, 'e+$10$2')
}

export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== null && value !== '' && value !== 0 && value !== 0n && value !== false
}

/** A number out of a number or a truth. */
export function numberOf(value: Value): bigint | number {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  throw refused('arithmetic with something that is no number')
}

/** Refuses what has grown beyond what any position or URL needs. */
export function bounded<T extends Value>(value: T): T {
  if (typeof value === 'string' && value.length > MAX_TEXT) throw refused(`a text of more than ${MAX_TEXT} characters`)
  if (typeof value === 'bigint' && (value >= MOST || value <= -MOST)) throw refused('a whole number beyond 64 bits')
  return value
}

/** What this server does not evaluate. */
export function refused(what: string): Error {
  return unsupported('template expression', `a template has ${what}`)
}
