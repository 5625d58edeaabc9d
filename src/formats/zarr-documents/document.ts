import { type ErrorContext, malformed } from '../../errors.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../json/json.ts'

/** The most dimensions that are read: NumPy's own ceiling, so no writer exceeds it. */
const MAX_RANK = 64

/** A member that must be a list of whole numbers: a shape, or chunk lengths. */
export function lengthsOf(value: Json | undefined, member: string, least: 0 | 1, context: ErrorContext): number[] {
  if (!Array.isArray(value)) throw malformed(`${member} is ${spell(value)}, expected a list of lengths`, context)
  if (value.length > MAX_RANK) {
    throw malformed(`${member} has ${value.length} dimensions, expected at most ${MAX_RANK}`, context)
  }
  return (value as readonly Json[]).map((item) => lengthOf(item, member, least, context))
}

function lengthOf(value: Json, member: string, least: number, context: ErrorContext): number {
  const length = value instanceof Float ? value.value : value
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < least) {
    throw malformed(`${member} holds ${spell(value)}, expected whole numbers from ${least} to 2^53`, context)
  }
  return length
}

/** A member that must be an object. */
export function objectOf(value: Json | undefined, member: string, context: ErrorContext): JsonObject {
  if (!isJsonObject(value)) throw malformed(`${member} is ${spell(value)}, expected an object`, context)
  return value
}

/** A member that must be a list; null and absence are the empty list. */
export function listOf(value: Json | undefined, member: string, context: ErrorContext): readonly Json[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw malformed(`${member} is ${spell(value)}, expected a list`, context)
  return value as readonly Json[]
}

/** Every array and group document says which version of the specification it follows. */
export function checkVersion(document: JsonObject, version: 2 | 3, context: ErrorContext): void {
  const found = document['zarr_format']
  if (found !== version) throw malformed(`zarr_format is ${spell(found)}, expected ${version}`, context)
}

/** A value for an error message: short, whatever the document holds. */
export function spell(value: Json | undefined): string {
  if (value === undefined) return 'absent'
  if (value instanceof Float) return String(value.value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isJsonObject(value)) return 'an object'
  const text = typeof value === 'string' ? `"${value}"` : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
