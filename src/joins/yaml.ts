import { type Document, isScalar, Lexer, parseDocument, visit } from 'yaml'
import { malformed, overLimit } from '../errors.ts'
import type { Json } from '../json/json.ts'

/** Reads YAML 1.2 as the JSON it stands for. Aliases are refused: a short text of them stands for any amount of values. */
export function parseYaml(text: string): Json {
  requireFewTokens(text)
  const document = parseDocument(text, { schema: 'core', uniqueKeys: false, merge: false, customTags: [] })
  const [problem] = document.errors
  if (problem !== undefined) throw malformed(`YAML: ${problem.message.split('\n', 1)[0] ?? ''}`)
  requireUniqueKeys(document)
  try {
    return jsonOf(document.toJS({ mapAsMap: true, maxAliasCount: 0 }), 0)
  } catch (cause) {
    if (cause instanceof ReferenceError) throw malformed('YAML: aliases (*name) are not read in a join document')
    throw cause
  }
}

/** Marks, texts and what lies between them: what is read without a pause. Lists of some 15,000 names are as many. */
const MOST_TOKENS = 75_000

function requireFewTokens(text: string): void {
  let count = 0
  for (const _token of new Lexer().lex(text)) {
    if (++count > MOST_TOKENS) throw overLimit(`YAML of more than ${MOST_TOKENS} tokens; JSON may be longer`)
  }
}

/** Its parser compares each key with all others of the same mapping, which takes hours for a long one. */
function requireUniqueKeys(document: Document): void {
  visit(document, {
    Map: (_key, { items }) => {
      const names = new Set<string>()
      for (const { key } of items) {
        const name = String(isScalar(key) ? key.value : key)
        if (names.has(name)) throw malformed(`YAML: the key ${JSON.stringify(name.slice(0, 100))} is there twice`)
        names.add(name)
      }
    },
  })
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
