import { malformed } from '../../errors.ts'
import type { FieldValues } from './source-list.ts'

const RANGE = /^(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(-?\d{1,15}))?$/

/** Reads `first..last` or `first..last..step`, both ends included; undefined where the text is no such range. */
export function numberRange(text: string): FieldValues | undefined {
  const match = RANGE.exec(text)
  if (match === null) return undefined
  const [first = 0, last = 0] = match.slice(1, 3).map(Number)
  const step = match[3] === undefined ? (last < first ? -1 : 1) : Number(match[3])
  if (step === 0 || (last - first) * step < 0) throw malformed(`the range ${text} has no end: its step is ${step}`)
  const length = Math.floor((last - first) / step) + 1
  const width = paddedWidth(match[1] ?? '', match[2] ?? '')
  return { length, spelled: (position, format) => spellNumber(first + position * step, format, width) }
}

/** An end that is written with leading zeros says how wide all numbers are, as in a shell. */
function paddedWidth(first: string, last: string): number {
  return /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0
}

/** A number under a format: `02` is two digits at least, filled up with zeros; `d` and nothing are the plain number. */
export function spellNumber(value: number, format: string | undefined, width = 0): string {
  if (format === undefined) return padded(value, width)
  const match = /^(?:0(\d{1,2}))?d?$/.exec(format)
  if (match === null) throw malformed(`the format ${format} is not for numbers: they take 02, 04 and the like`)
  return padded(value, Number(match[1] ?? 0))
}

function padded(value: number, width: number): string {
  const sign = value < 0 ? '-' : ''
  return sign + String(Math.abs(value)).padStart(width - sign.length, '0')
}
