import { utf8Text } from '../bytes/text.ts'
import { isVirtualZarrError, malformed, overLimit, unsupported } from '../errors.ts'
import type { Json } from '../json/json.ts'
import { readJsonInTurns } from '../json/parse.ts'
import { declaredCoordinates } from './declared-coordinate.ts'
import type { JoinDocument } from './document.ts'
import { choice, lengthsMember, type Members, membersOf, names, optional, textMap } from './members.ts'
import { readAlong } from './read-along.ts'
import { readSources } from './read-sources.ts'

/** Whether a file that begins so says of itself that it is a join. */
export function isJoinDocument(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  return /(?:^|[\r\n{,\ufeff\xbf])\s*["']?virtual_zarr["']?\s*:\s*["']?join\/1(?:["'\s,}]|$)/.test(text)
}

/** Lists of a hundred thousand URLs are some megabytes of JSON; YAML costs more, and is for hands. */
const MOST_JSON_BYTES = 32 * 2 ** 20
const MOST_YAML_BYTES = 2 ** 20
/** How deep `merge` may go. */
const MOST_NESTING = 4
const MOST_MERGED = 100

/** Reads a join document, JSON or YAML; others have their turn meanwhile. */
export async function readJoinDocument(bytes: Uint8Array): Promise<JoinDocument> {
  const { text, isJson } = checkedText(bytes)
  return joinDocumentOf(isJson ? await readJsonInTurns(text) : await jsonOfYaml(text))
}

/** Its parser is large, and pages that read no YAML don't load it. */
async function jsonOfYaml(text: string): Promise<Json> {
  const { parseYaml } = await import('./yaml.ts')
  return parseYaml(text)
}

function checkedText(bytes: Uint8Array) {
  const text = utf8Text(bytes)
  if (text === undefined) throw malformed('a join document is UTF-8')
  const isJson = text.trimStart().startsWith('{')
  const most = isJson ? MOST_JSON_BYTES : MOST_YAML_BYTES
  if (bytes.length > most) throw overLimit(`a join document of ${bytes.length} bytes, at most ${most} are read`)
  return { text, isJson }
}

/** What a document says; what a join has not got is refused by name. */
export function joinDocumentOf(json: Json): JoinDocument {
  const members = membersOf(json, 'the document', ['virtual_zarr', ...MEMBERS])
  const version = members.get('virtual_zarr')
  if (version !== 'join/1') {
    throw malformed(`virtual_zarr is ${JSON.stringify(version)?.slice(0, 50)}, expected join/1`)
  }
  return joinOf(members, 0)
}

const MEMBERS = [
  'sources',
  'along',
  'variables',
  'drop',
  'rename',
  'options',
  'merge',
  'check',
  'missing',
  'lengths',
  'align',
  'coordinates',
]

function joinOf(members: Members, depth: number): JoinDocument {
  const along = readAlong(members.get('along'))
  return {
    sources: readSources(members.get('sources'), along.length),
    along,
    variables: optional(members, 'variables', (json) => names(json, 'variables')),
    drop: optional(members, 'drop', (json) => names(json, 'drop')) ?? [],
    rename: optional(members, 'rename', (json) => textMap(json, 'rename')) ?? new Map(),
    options: optional(members, 'options', (json) => textMap(json, 'options')) ?? new Map(),
    merge: optional(members, 'merge', (json) => mergedJoins(json, depth)) ?? [],
    check: choice(members, 'check', ['first-and-last', 'all', 'none']),
    missing: choice(members, 'missing', ['refuse', 'fill']),
    lengths: optional(members, 'lengths', lengthsMember),
    align: choice(members, 'align', ['exact', 'outer']),
    coordinates: optional(members, 'coordinates', declaredCoordinates) ?? new Map(),
  }
}

function mergedJoins(json: Json, depth: number): readonly JoinDocument[] {
  if (!Array.isArray(json)) throw malformed('merge is a list of joins')
  if (depth >= MOST_NESTING) throw overLimit(`joins are merged more than ${MOST_NESTING} levels deep`)
  if (json.length > MOST_MERGED) throw overLimit(`${json.length} joins are merged, at most ${MOST_MERGED} are`)
  return json.map((item: Json, place) => {
    try {
      return joinOf(membersOf(item, `merge[${place}]`, MEMBERS), depth + 1)
    } catch (error) {
      if (!isVirtualZarrError(error)) throw error
      if (error.code === 'unsupported-feature') throw unsupported(error.context.feature ?? 'merge', error.message)
      throw malformed(`merge[${place}]: ${error.message}`, {}, error)
    }
  })
}
