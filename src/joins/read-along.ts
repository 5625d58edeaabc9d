import { malformed, unsupported } from '../errors.ts'
import type { Json } from '../json/json.ts'
import type { Along, NamePattern, NewValues } from './document.ts'
import { type Members, membersOf, numberOrText, textOf } from './members.ts'

const MOST_LEVELS = 4

/** Reads `along`: a dimension, a new one, or a list of them for nested sources, the outermost first. */
export function readAlong(json: Json | undefined): readonly Along[] {
  if (json === undefined || json === null) return [{ kind: 'unsaid' }]
  if (!Array.isArray(json)) return [dimensionOf(json)]
  const all = (json as readonly Json[]).map(dimensionOf)
  if (all.length === 0 || all.length > MOST_LEVELS)
    throw malformed(`along is a list of one to ${MOST_LEVELS} dimensions`)
  const names = all.map((along) => (along.kind === 'unsaid' ? '' : along.name))
  if (new Set(names).size < names.length) throw malformed('along names a dimension twice')
  return all
}

function dimensionOf(json: Json): Along {
  if (typeof json === 'string') return { kind: 'existing', name: textOf(json, 'along') }
  const members = membersOf(json, 'along', ['new', 'values', 'from', 'attribute'])
  return { kind: 'new', name: textOf(members.get('new'), 'along.new'), values: valuesOf(members) }
}

function valuesOf(members: Members): NewValues {
  const given = ['values', 'from', 'attribute'].filter((name) => members.has(name))
  if (given.length > 1) throw malformed(`along says ${given.join(' and ')}, of which one is enough`)
  const list = members.get('values')
  if (list !== undefined) {
    if (!Array.isArray(list)) throw malformed('along.values is a list with a value for each source')
    const values = (list as readonly Json[]).map((item) => numberOrText(item, 'along.values'))
    if (new Set(values.map((value) => typeof value)).size > 1) throw malformed('along.values mixes numbers and texts')
    return { kind: 'list', values }
  }
  if (members.has('from')) return { kind: 'name', pattern: namePattern(textOf(members.get('from'), 'along.from')) }
  if (members.has('attribute')) return { kind: 'attribute', name: textOf(members.get('attribute'), 'along.attribute') }
  return { kind: 'count' }
}

const INNER: Readonly<Record<string, NamePattern['inner']>> = {
  '\\d+': 'digits',
  '[0-9]+': 'digits',
  '\\w+': 'word',
  '.+': 'any',
  '.*': 'any',
}

/** Of regular expressions, only plain text around one group: others could take for ever on a name that a stranger chose. */
function namePattern(text: string): NamePattern {
  const match = /^([^()]*)\(([^()]*)\)([^()]*)$/.exec(text)
  const inner = match === null || !Object.hasOwn(INNER, match[2] ?? '') ? undefined : INNER[match[2] ?? '']
  const [before, after] = [plain(match?.[1]), plain(match?.[3])]
  if (inner === undefined || before === undefined || after === undefined) {
    throw unsupported(
      'join: along.from',
      `along.from is text around one group, (\\d+), (\\w+) or (.+), as in run_(\\d+); ${text.slice(0, 100)} is not`,
    )
  }
  return { before, inner, after }
}

/** Text of a pattern without its escapes; undefined where it holds signs that mean something else. */
function plain(text: string | undefined): string | undefined {
  const bare = text?.replace(/\\([.\-_/])/g, '$1')
  return bare === undefined || /[\\[\]{}*+?|^$]/.test(bare) ? undefined : bare
}

/** What a pattern finds in a source's URL; undefined where it isn't there. */
export function valueInName(url: string, { before, inner, after }: NamePattern): string | number | undefined {
  for (let at = url.lastIndexOf(before); at !== -1; at = at === 0 ? -1 : url.lastIndexOf(before, at - 1)) {
    const rest = url.slice(at + before.length)
    const found = innerText(rest, inner, after)
    if (found !== undefined) return inner === 'digits' ? Number(found) : found
  }
  return undefined
}

function innerText(rest: string, inner: NamePattern['inner'], after: string): string | undefined {
  if (inner === 'any') {
    const end = after === '' ? rest.length : rest.lastIndexOf(after)
    return end > 0 ? rest.slice(0, end) : undefined
  }
  const found = (inner === 'digits' ? /^\d{1,15}/ : /^\w+/).exec(rest)?.[0]
  if (found === undefined) return undefined
  if (rest.startsWith(after, found.length)) return found
  // The text after may be of the same signs.
  const end = inner === 'word' && after !== '' ? found.lastIndexOf(after) : -1
  return end > 0 ? found.slice(0, end) : undefined
}
