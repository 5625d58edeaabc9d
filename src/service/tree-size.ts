import { overLimit } from '../errors.ts'
import { Float } from '../json/json.ts'
import type { DataType } from '../model/data-type.ts'
import type { Attributes, AttributeValue, Member } from '../model/virtual-store.ts'

/** Groups, arrays and fields of records: each costs some kilobytes of documents and plans, and a client as much again. */
const MOST_NODES = 25_000
/** Characters of all attributes, numbers as so many each. */
const MOST_ATTRIBUTE_COST = 16 * 2 ** 20
const VALUE_COST = 16

interface Count {
  nodes: number
  attributes: number
}

/** Refuses a tree whose documents would take more time and memory than one source may, before they are made. */
export function checkTreeSize(root: Member): void {
  countMember(root, { nodes: 0, attributes: 0 })
}

function countMember(member: Member, count: Count): void {
  count.nodes += member.kind === 'array' ? fieldsOf(member.dataType) : 1
  if (count.nodes > MOST_NODES) throw overLimit(`the source has more than ${MOST_NODES} groups, arrays and fields`)
  if (member.kind === 'skipped') return
  countAttributes(member.attributes, count)
  if (member.kind === 'group') for (const below of member.members.values()) countMember(below, count)
}

/** A record becomes a group of its fields where clients know no records. */
function fieldsOf(type: DataType): number {
  if (type.kind !== 'structured') return 1
  return type.fields.reduce((sum, field) => sum + fieldsOf(field.type), 1)
}

function countAttributes(attributes: Attributes, count: Count): void {
  for (const [name, value] of attributes) {
    count.attributes += name.length
    countValue(value, count)
    if (count.attributes > MOST_ATTRIBUTE_COST) {
      throw overLimit(`the attributes of the source take more than ${MOST_ATTRIBUTE_COST} characters`)
    }
  }
}

/** As deep as its parser allowed. */
function countValue(value: AttributeValue, count: Count): void {
  count.attributes += VALUE_COST
  if (typeof value === 'string' || value instanceof Uint8Array) count.attributes += value.length
  else if (typeof value !== 'object' || value === null || value instanceof Float) return
  else if (isList(value)) {
    for (const item of value) {
      countValue(item, count)
      if (count.attributes > MOST_ATTRIBUTE_COST) return
    }
  } else {
    for (const [name, item] of Object.entries(value)) {
      count.attributes += name.length
      countValue(item, count)
      if (count.attributes > MOST_ATTRIBUTE_COST) return
    }
  }
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(value: object): value is readonly AttributeValue[] {
  return Array.isArray(value)
}
