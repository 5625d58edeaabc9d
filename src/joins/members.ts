import { malformed } from '../errors.ts'
import { Float, isJsonObject, type Json } from '../json/json.ts'

/** Members of an object in the document's order. */
export type Members = ReadonlyMap<string, Json>

/** The members of an object; one that is not known is refused by its name, never ignored. */
export function membersOf(json: Json | undefined, place: string, known?: readonly string[]): Members {
  if (!isJsonObject(json)) throw malformed(`${place} is expected to be a mapping`)
  const members = new Map(Object.entries(json))
  for (const name of members.keys()) {
    if (known !== undefined && !known.includes(name)) {
      throw malformed(`${place} has a member ${JSON.stringify(name.slice(0, 50))}; known are ${known.join(', ')}`)
    }
  }
  return members
}

/** What `read` makes of a member; undefined where it is not there. */
export function optional<T>(members: Members, name: string, read: (json: Json) => T): T | undefined {
  const json = members.get(name)
  return json === undefined || json === null ? undefined : read(json)
}

/** One of a few words, the first where nothing is said. */
export function choice<const T extends string>(members: Members, name: string, words: readonly [T, ...T[]]): T {
  const json = members.get(name) ?? null
  if (json === null) return words[0]
  const word = words.find((known) => known === json)
  if (word !== undefined) return word
  throw malformed(`${name} is ${shown(json)}, expected ${words.join(', ')}`)
}

export function textOf(json: Json | undefined, place: string): string {
  if (typeof json !== 'string' || json === '') throw malformed(`${place} is expected to be text`)
  return json
}

/** A list of texts, or one alone. */
export function names(json: Json, place: string): readonly string[] {
  const list = Array.isArray(json) ? (json as readonly Json[]) : [json]
  return list.map((item) => textOf(item, place))
}

/** Texts by name; numbers and truth values are the text they are spelled by. */
export function textMap(json: Json, place: string): ReadonlyMap<string, string> {
  const entries = [...membersOf(json, place)].map(([name, value]) => {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (!isPlain) throw malformed(`${place}.${name} is expected to be text`)
    return [name, String(value)] as const
  })
  return new Map(entries)
}

export function numberOrText(json: Json, place: string): string | number {
  if (json instanceof Float) return json.value
  if (typeof json === 'string' || typeof json === 'number') return json
  throw malformed(`${place} is expected to be a number or text`)
}

/** Lengths of the sources along the joined dimension. */
export function lengthsMember(json: Json): number | readonly number[] {
  const isLength = (item: Json): item is number => typeof item === 'number' && Number.isSafeInteger(item) && item >= 0
  if (isLength(json)) return json
  const list = Array.isArray(json) ? (json as readonly Json[]) : []
  const lengths = list.filter(isLength)
  if (list.length > 0 && lengths.length === list.length) return lengths
  throw malformed('lengths is a whole number for all sources, or a list with one for each')
}

function shown(json: Json): string {
  return (
    JSON.stringify(json, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? ''
  ).slice(0, 60)
}
