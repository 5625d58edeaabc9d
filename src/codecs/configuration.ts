import { malformed } from '../errors.ts'
import { Float, type Json, type JsonObject } from '../json/json.ts'

/** A number of any JSON spelling, those that Zarr writes as text included; undefined for everything else. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Float) return value.value
  switch (value) {
    case 'NaN':
      return Number.NaN
    case 'Infinity':
    case '+Infinity':
      return Number.POSITIVE_INFINITY
    case '-Infinity':
      return Number.NEGATIVE_INFINITY
  }
  return undefined
}

/** Throws where a number is none that JSON has: no codec has a meaning for it, and no document can hand it on. */
export function requireFinite(name: string, configuration: Json): void {
  if (configuration === null || typeof configuration === 'bigint') return
  if (typeof configuration === 'number' || configuration instanceof Float) {
    const value = Number(numberOf(configuration))
    if (!Number.isFinite(value)) throw malformed(`the configuration of codec ${name} holds ${value}, no number`)
  } else if (typeof configuration === 'object') {
    for (const member of Object.values(configuration)) requireFinite(name, member)
  }
}

/** A number that the configuration must have, or may leave out when there is a fallback. */
export function numberMember(configuration: JsonObject, name: string, fallback?: number): number {
  const value = configuration[name]
  if ((value === undefined || value === null) && fallback !== undefined) return fallback
  const number = numberOf(value)
  if (number === undefined) throw malformed(`codec configuration: "${name}" is not a number`)
  return number
}

/** The same for an integer, within bounds. */
export function integerMember(
  configuration: JsonObject,
  name: string,
  bounds: { readonly least: number; readonly most: number; readonly fallback?: number },
): number {
  const number = numberMember(configuration, name, bounds.fallback)
  requireInteger(name, number, bounds.least, bounds.most)
  return number
}

/** A parameter that comes from a file as it is must be an integer within bounds. */
export function requireInteger(name: string, number: number, least: number, most: number): void {
  if (Number.isSafeInteger(number) && number >= least && number <= most) return
  throw malformed(`codec configuration: "${name}" is ${number}, expected an integer from ${least} to ${most}`)
}

/** One of a closed list of words. */
export function wordMember<Word extends string>(
  configuration: JsonObject,
  name: string,
  words: readonly Word[],
  fallback?: Word,
): Word {
  const value = configuration[name] ?? fallback
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw malformed(`codec configuration: "${name}" is none of ${words.join(', ')}`)
  return word
}

/** A list, empty when the member is absent. */
export function listMember(configuration: JsonObject, name: string): readonly Json[] {
  const value = configuration[name]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw malformed(`codec configuration: "${name}" is not a list`)
  return value
}

/** A list of lengths or axes. */
export function integersMember(configuration: JsonObject, name: string): number[] {
  return listMember(configuration, name).map((item) => {
    const number = numberOf(item)
    if (number === undefined || !Number.isSafeInteger(number) || number < 0) {
      throw malformed(`codec configuration: "${name}" holds something else than non-negative integers`)
    }
    return number
  })
}
