import { overLimit } from '../errors.ts'
import { Float } from '../json/json.ts'
import { encodingsOf } from '../model/composed-array.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import {
  type Attributes,
  type AttributeValue,
  type Member,
  MOST_NODES,
  type VirtualArray,
} from '../model/virtual-store.ts'

/** Characters of all documents: names, attributes, codecs and fill values as they are written, numbers as so many each. */
const MOST_WRITTEN = 16 * 2 ** 20
const VALUE_COST = 16
/** Attributes of one node, and members of those that are objects: its document is written without a pause. */
const MOST_MEMBERS = 2 ** 15

interface Count {
  nodes: number
  written: number
  /** Of the node that is counted. */
  members: number
}

/** Refuses a tree whose documents would take more time and memory than one source may, before they are made. */
export function checkTreeSize(root: Member): void {
  countMember(root, 0, { nodes: 0, written: 0, members: 0 })
}

function countMember(member: Member, pathLength: number, count: Count): void {
  count.nodes += member.kind === 'array' ? fieldsOf(member.dataType) : 1
  if (count.nodes > MOST_NODES) throw overLimit(`the source has more than ${MOST_NODES} groups, arrays and fields`)
  spend(count, pathLength)
  if (member.kind === 'skipped') return
  count.members = 0
  countAttributes(member.attributes, count)
  if (member.kind === 'array') countArray(member, count)
  else for (const [name, below] of member.members) countMember(below, pathLength + 1 + name.length, count)
}

/** A record becomes a group of its fields where clients know no records. */
function fieldsOf(type: DataType): number {
  if (type.kind !== 'structured') return 1
  return type.fields.reduce((sum, field) => sum + fieldsOf(field.type), 1)
}

function countArray(array: VirtualArray, count: Count): void {
  const { fillValue, dimensionNames = [] } = array
  countFill(fillValue, count)
  for (const name of dimensionNames) countValue(name, count)
  for (const encoding of encodingsOf(array)) for (const { configuration } of encoding) countValue(configuration, count)
}

function countFill(fill: Scalar, count: Count): void {
  if (fill.kind === 'string' || fill.kind === 'bytes') countValue(fill.value, count)
}

function countAttributes(attributes: Attributes, count: Count): void {
  for (const [name, value] of attributes) countNamed(name, value, count)
}

function countNamed(name: string, value: AttributeValue, count: Count): void {
  if (++count.members > MOST_MEMBERS) throw overLimit(`a group or an array has more than ${MOST_MEMBERS} attributes`)
  spend(count, name.length)
  countValue(value, count)
}

/** As deep as its parser allowed. */
function countValue(value: AttributeValue, count: Count): void {
  spend(count, VALUE_COST)
  if (typeof value === 'string' || value instanceof Uint8Array) countText(value, count)
  else if (typeof value !== 'object' || value === null || value instanceof Float) return
  else if (isList(value)) for (const item of value) countValue(item, count)
  else for (const [name, item] of Object.entries(value)) countNamed(name, item, count)
}

/** JSON spells a control character with six. */
function countText(text: string | Uint8Array, count: Count): void {
  spend(count, text.length)
  for (let from = 0; from < text.length; from += STEP) spend(count, controlsIn(text, from) * 5)
}

/** Characters that are looked at before what they cost is told. */
const STEP = 2 ** 16

function controlsIn(text: string | Uint8Array, from: number): number {
  const end = Math.min(from + STEP, text.length)
  let controls = 0
  if (typeof text === 'string') for (let at = from; at < end; at++) controls += text.charCodeAt(at) < 32 ? 1 : 0
  else for (let at = from; at < end; at++) controls += (text[at] ?? 32) < 32 ? 1 : 0
  return controls
}

function spend(count: Count, characters: number): void {
  count.written += characters
  if (count.written > MOST_WRITTEN) {
    throw overLimit(`the documents of the source would take more than ${MOST_WRITTEN} characters`)
  }
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(value: object): value is readonly AttributeValue[] {
  return Array.isArray(value)
}
