import { parseDocument } from 'yaml'
import { malformed } from '../errors.ts'
import type { Json } from '../json/json.ts'

/** Reads YAML 1.2 as the JSON it stands for. Aliases are refused: a short text of them stands for any amount of values. */
export function parseYaml(text: string): Json {
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, merge: false, customTags: [] })
  const [problem] = document.errors
  if (problem !== undefined) throw malformed(`YAML: ${problem.message.split('\n', 1)[0] ?? ''}`)
  try {
    return jsonOf(document.toJS({ mapAsMap: true, maxAliasCount: 0 }), 0)
  } catch (cause) {
    if (cause instanceof ReferenceError) throw malformed('YAML: aliases (*name) are not read in a join document')
    throw cause
  }
}

const MOST_LEVELS = 64

function jsonOf(value: unknown, depth: number): Json {
  if (depth > MOST_LEVELS) throw malformed(`YAML nested more than ${MOST_LEVELS} levels deep`)
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth + 1))
  if (!(value instanceof Map)) throw malformed('YAML holds a value that JSON has not')
  const members: Record<string, Json> = Object.create(null)
  for (const [name, member] of value) members[String(name)] = jsonOf(member, depth + 1)
  return members
}
