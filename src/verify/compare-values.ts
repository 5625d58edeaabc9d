import { createHash } from 'node:crypto'
import type { Json } from '../json/json.ts'
import type { Values } from './readers/reader.ts'

/** The first place where values differ, and how many do. */
export interface ValueDifference {
  readonly at: number
  readonly count: number
  readonly served: Json
  readonly source: Json
}

/** Compares values bit for bit, as far as languages tell them apart: all that is no number is one, and types of integers don't count. */
export function compareValues(
  served: Values,
  source: Values,
  isSameValue: typeof isSame = isSame,
): ValueDifference | undefined {
  if (served.length !== source.length) {
    return { at: 0, count: Math.abs(served.length - source.length), served: served.length, source: source.length }
  }
  let at = -1
  let count = 0
  for (let index = 0; index < served.length; index++) {
    if (isSameValue(served[index], source[index])) continue
    if (at < 0) at = index
    count++
  }
  return at < 0 ? undefined : { at, count, served: shown(served[at]), source: shown(source[at]) }
}

type Value = Values[number] | undefined

export function isSame(one: Value, other: Value): boolean {
  if (one === other) return true
  if (typeof one === 'string' && typeof other === 'string') return withoutPadding(one) === withoutPadding(other)
  if (one === undefined || other === undefined || typeof one === 'string' || typeof other === 'string') return false
  if (typeof one === 'bigint' || typeof other === 'bigint')
    return isWhole(one) && isWhole(other) && BigInt(one) === BigInt(other)
  return Number(one) === Number(other) || (Number.isNaN(one) && Number.isNaN(other))
}

/** The same but for the last digits, of numbers that were computed of numbers up to this size: one near 0 has the error of those. */
export function nearly(size: number): typeof isSame {
  return (one, other) => {
    if (typeof one !== 'number' || typeof other !== 'number') return isSame(one, other)
    return isSame(one, other) || Math.abs(one - other) <= 1e-12 * Math.max(1, size, Math.abs(one), Math.abs(other))
  }
}

function isWhole(value: number | bigint | boolean): boolean {
  return typeof value !== 'number' || Number.isInteger(value)
}

/** Fixed text is filled up by NUL or blanks, which readers keep or not. */
function withoutPadding(text: string): string {
  return text.replace(/[\0 ]+$/, '')
}

function shown(value: Value): Json {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value ?? null
}

/** A short name of these values, whoever holds them. */
export function digestOf(values: Values): string {
  const hash = createHash('sha256')
  if (ArrayBuffer.isView(values)) hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  else for (let index = 0; index < values.length; index++) hash.update(`${values[index]}\n`)
  return hash.digest('base64url').slice(0, 16)
}
