import { type ErrorContext, malformed } from '../../errors.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../json/json.ts'

/** The most dimensions that are read: NumPy's own ceiling, so no writer exceeds it. */
const MOST_RANK = 64

/** Tells what in a document is not as its specification says, and what it is taken for. */
export type Repair = (message: string) => void

/** A member that must be a list of whole numbers: a shape, or chunk lengths. One number is taken as zarr-python takes it. */
export function lengthsOf(
  value: Json | undefined,
  member: string,
  least: 0 | 1,
  context: ErrorContext,
  repair: Repair,
): number[] {
  if (typeof value === 'number') repair(`${member} is ${spell(value)}, which is no list: taken as one length`)
  const list = typeof value === 'number' ? [value] : value
  if (!Array.isArray(list)) throw malformed(`${member} is ${spell(value)}, expected a list of lengths`, context)
  if (list.length > MOST_RANK) {
    throw malformed(`${member} has ${list.length} dimensions, expected at most ${MOST_RANK}`, context)
  }
  if (list.some((item) => item instanceof Float)) repair(`${member} holds numbers with a point: taken as whole`)
  return (list as readonly Json[]).map((item) => lengthOf(item, member, least, context))
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

/** A member that must be a list; null, absence and whatever else is empty are the empty list. */
export function listOf(value: Json | undefined, member: string, context: ErrorContext): readonly Json[] {
  const isEmpty = value === undefined || value === null || value === ''
  if (isEmpty || (isJsonObject(value) && Object.keys(value).length === 0)) return []
  if (!Array.isArray(value)) throw malformed(`${member} is ${spell(value)}, expected a list`, context)
  return value as readonly Json[]
}

/** Every array and group document says which version of the specification it follows. */
export function checkVersion(document: JsonObject, version: 2 | 3, context: ErrorContext): void {
  const found = document['zarr_format']
  const number = found instanceof Float ? found.value : found
  if (number !== version) throw malformed(`zarr_format is ${spell(found)}, expected ${version}`, context)
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

/** Members of a configuration that its specification doesn't have: most readers refuse them. */
export function tellUnknown(configuration: JsonObject, known: readonly string[], of: string, repair: Repair): void {
  for (const name of Object.keys(configuration)) {
    if (!known.includes(name)) repair(`the configuration of ${of} has a member ${spell(name)}: passed over`)
  }
}
