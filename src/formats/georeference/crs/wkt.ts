// OGC 01-009 section 7: well-known text of coordinate reference systems, version 1; version 2 (18-010) has the same grammar.

/** A keyword with what is in its brackets; a word without brackets (`EAST`) has no members. */
export interface Wkt {
  readonly keyword: string
  readonly members: readonly WktMember[]
}

/** A text in quotes, a number, or a node. */
export type WktMember = string | number | Wkt

/** A node of well-known text. */
export function node(keyword: string, ...members: readonly WktMember[]): Wkt {
  return { keyword, members }
}

/** The text of a node. */
export function wktText({ keyword, members }: Wkt): string {
  return members.length === 0 ? keyword : `${keyword}[${members.map(spelled).join(',')}]`
}

function spelled(member: WktMember): string {
  if (typeof member === 'number') return String(member)
  return typeof member === 'string' ? `"${member.replaceAll('"', "'")}"` : wktText(member)
}

/** The first member of a node that is a node of this keyword. */
export function childOf(wkt: Wkt, keyword: string): Wkt | undefined {
  return wkt.members.filter(isNode).find((member) => member.keyword === keyword)
}

/** The name of a node: its first text. */
export function nameOf(wkt: Wkt): string {
  const [first] = wkt.members
  return typeof first === 'string' ? first : ''
}

/** The first number of a node. */
export function numberOf(wkt: Wkt | undefined): number | undefined {
  return wkt?.members.find((member) => typeof member === 'number')
}

/** The size of the unit of a system's coordinates, in metres or radians; 1 where it has none. */
export function unitSize(system: Wkt): number {
  const axis = childOf(system, 'AXIS')
  const units = ['UNIT', 'ANGLEUNIT', 'LENGTHUNIT'].map(
    (keyword) => childOf(system, keyword) ?? (axis && childOf(axis, keyword)),
  )
  return numberOf(units.find((unit) => unit !== undefined)) ?? 1
}

function isNode(member: WktMember): member is Wkt {
  return typeof member === 'object'
}

const MOST_CHARACTERS = 65_536
const DEEPEST = 16
const TOKEN = /\s*(?:"((?:[^"]|"")*)"|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|([[\](),]))/y

/** The tree of a text, which may come from a file; undefined when it is none. What follows its last bracket does not count. */
export function parseWkt(text: string): Wkt | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const open: { keyword: string; members: WktMember[] }[] = []
  const token = new RegExp(TOKEN)
  let word: string | undefined
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [, quoted, number, name, mark] = match
    const parent = open.at(-1)
    if (mark === '[' || mark === '(') {
      if (word === undefined || open.length === DEEPEST) return undefined
      open.push({ keyword: word.toUpperCase(), members: [] })
      word = undefined
      continue
    }
    if (word !== undefined) parent?.members.push(node(word))
    word = name
    if (mark === ']' || mark === ')') {
      const closed = open.pop()
      if (closed === undefined || open.length === 0) return closed
      open.at(-1)?.members.push(closed)
    } else if (mark === undefined && word === undefined) {
      if (parent === undefined) return undefined
      parent.members.push(quoted?.replaceAll('""', '"') ?? Number(number))
    }
  }
  return undefined
}
