import { unsupported } from '../../../errors.ts'

/** What an expression can be: a whole number or a text. */
export type Value = bigint | string

const MOST_TEXT = 65_536
const MOST = 2n ** 63n

/** Refuses what has grown beyond what any position or URL needs. */
export function bounded<T extends Value>(value: T): T {
  if (typeof value === 'string' && value.length > MOST_TEXT)
    throw refused(`a text of more than ${MOST_TEXT} characters`)
  if (typeof value === 'bigint' && (value >= MOST || value <= -MOST)) throw refused('a whole number beyond 64 bits')
  return value
}

/** What this server does not evaluate. */
export function refused(what: string): Error {
  return unsupported('template expression', `a template has ${what}`)
}
