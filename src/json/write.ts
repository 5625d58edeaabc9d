import { Float, type Json } from './json.ts'

/** What is written by this program is shallow; what came from a file was bounded by `parseJson`, plus a few levels of ours. */
const MOST_DEPTH = 512

/**
 * Strict JSON, exact: big integers digit for digit, floats with their point and sign. A non-finite number has no
 * spelling and is a bug of the caller (`zarr/attributes.ts` replaces those of files).
 */
export function writeJson(value: Json): string {
  return write(value, 0)
}

function write(value: Json, depth: number): string {
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value === 'boolean') return String(value)
  if (value instanceof Float) return writeFloat(value.value)
  if (depth >= MOST_DEPTH) throw new RangeError(`JSON nested more than ${MOST_DEPTH} levels deep`)
  if (isList(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) members.push(`${writeText(name)}:${write(member, depth + 1)}`)
  return `{${members.join(',')}}`
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(value: Exclude<Json, null>): value is readonly Json[] {
  return Array.isArray(value)
}

/** Lone surrogates are replaced: strict parsers refuse even their escapes. */
function writeText(text: string): string {
  return JSON.stringify(text.toWellFormed())
}

/** An integer as one; all else, also what is too large to be one exactly, as a float. */
function writeNumber(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : writeFloat(value)
}

function writeFloat(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no JSON spelling`)
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text
}
