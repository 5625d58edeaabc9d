// HDF-EOS writes its structure as ODL (Object Description Language): groups and objects, each with values under names.
import { overLimit } from '../../../errors.ts'

/** A group or an object: what is said in it. */
export interface OdlGroup {
  readonly name: string
  readonly values: ReadonlyMap<string, string>
  readonly groups: readonly OdlGroup[]
}

interface OpenGroup extends OdlGroup {
  readonly values: Map<string, string>
  readonly groups: OdlGroup[]
}

const MOST_DEPTH = 32
const MOST_LINES = 500_000
const STATEMENT = /^\s*([A-Za-z]\w*)\s*=\s*(.*?)\s*$/

/** Reads the lines of a text; what is no statement is passed over, as the library does. */
export function parseOdl(text: string): OdlGroup {
  const root = newGroup('')
  const open: OpenGroup[] = [root]
  let lines = 0
  for (const line of logicalLines(text)) {
    if (++lines > MOST_LINES) throw overLimit(`a structure of HDF-EOS of more than ${MOST_LINES} lines`)
    if (line === 'END') break
    const [, name = '', value = ''] = STATEMENT.exec(line) ?? []
    const here = open.at(-1) ?? root
    if (name === 'GROUP' || name === 'OBJECT') {
      if (open.length > MOST_DEPTH) throw overLimit(`a structure of HDF-EOS more than ${MOST_DEPTH} deep`)
      const group = newGroup(value)
      here.groups.push(group)
      open.push(group)
    } else if (name === 'END_GROUP' || name === 'END_OBJECT') {
      if (open.length > 1) open.pop()
    } else if (name !== '') here.values.set(name, value)
  }
  return root
}

function newGroup(name: string): OpenGroup {
  return { name, values: new Map(), groups: [] }
}

/** Lists may go on over several lines, until their brackets are closed. */
function* logicalLines(text: string): Generator<string> {
  let held = ''
  for (const line of text.split('\n')) {
    held = held === '' ? line.trim() : held + line.trim()
    const isOpen = held.includes('(') && !held.includes(')') && held.length < MOST_HELD
    if (isOpen) continue
    if (held !== '') yield held
    held = ''
  }
  if (held !== '') yield held
}

const MOST_HELD = 65_536

/** A group of a name in another; an empty one where there is none. */
export function groupIn(group: OdlGroup, name: string): OdlGroup {
  return group.groups.find((one) => one.name === name) ?? newGroup(name)
}

/** A text without its quotes. */
export function textIn(group: OdlGroup, name: string): string | undefined {
  return group.values.get(name)?.replace(/^"(.*)"$/, '$1')
}

/** The members of a list, or the one value. */
export function listIn(group: OdlGroup, name: string): readonly string[] {
  const value = group.values.get(name) ?? ''
  const inside = value.replace(/^\((.*)\)$/s, '$1')
  return inside === '' ? [] : inside.split(',').map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
}

export function numberIn(group: OdlGroup, name: string): number | undefined {
  const value = Number(group.values.get(name) ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
