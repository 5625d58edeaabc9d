import { scalarFromText } from '../../fill-value/from-text.ts'
import { integerJson } from '../../fill-value/numbers.ts'
import { floatJson, type Json } from '../../json/json.ts'
import type { DataType } from '../../model/data-type.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { BOOKKEEPING_ATTRIBUTES } from '../hdf5-elements/bookkeeping.ts'
import { isText, numberType } from './dap-types.ts'
import type { DmrAttribute } from './document.ts'

/** Attributes that only do the described format's bookkeeping, or tell how the sidecar was made. */
const HIDDEN: ReadonlySet<string> = new Set([...BOOKKEEPING_ATTRIBUTES, 'build_dmrpp_metadata'])
/** Containers that older writers put a file's own attributes in. */
const GLOBALS: ReadonlySet<string> = new Set(['HDF5_GLOBAL', 'NC_GLOBAL'])
const INT64: DataType = { kind: 'int', bits: 64 }
const UINT64: DataType = { kind: 'uint', bits: 64 }

/** Attributes in their own types; those in a container get its name and a dot in front (readers take no nested ones). */
export function attributesOf(
  attributes: readonly DmrAttribute[],
  path: string,
  { warn }: ParseContext,
): Map<string, AttributeValue> {
  const values = new Map<string, AttributeValue>()
  const dropped: string[] = []
  const visit = (list: readonly DmrAttribute[], prefix: string) => {
    for (const attribute of list) {
      if (HIDDEN.has(attribute.name)) continue
      const name = `${prefix}${attribute.name}`
      if (attribute.members.length > 0 || attribute.type === 'Container') {
        visit(attribute.members, prefix === '' && GLOBALS.has(attribute.name) ? '' : `${name}.`)
        continue
      }
      const value = valueFrom(attribute)
      if (value === undefined) dropped.push(name)
      else if (!values.has(name)) values.set(name, value)
    }
  }
  visit(attributes, '')
  if (dropped.length > 0) {
    const message = `attributes of a type without values are dropped: ${dropped.slice(0, 20).join(', ')}`
    warn({ code: 'attribute-dropped', message, path, values: dropped.slice(0, 100) })
  }
  return values
}

/** One value is a scalar, none is empty text (JSON-7); undefined for `null` and what else has no values. */
function valueFrom({ type, values }: DmrAttribute): AttributeValue | undefined {
  const number = numberType(type)
  if (number === undefined && !isText(type) && type !== 'Enum') return undefined
  const items = values.map((text) => (number === undefined ? text : numberJson(text, number)))
  return items.length > 1 ? items : (items[0] ?? '')
}

/** FV-DMRPP-2: `*` is NaN. What is no number stays text. */
function numberJson(text: string, type: DataType): Json {
  if (text.trim() === '*') return Number.NaN
  if (type.kind === 'float') {
    const read = scalarFromText(text, type)
    return read.kind === 'ok' && read.value.kind === 'number' ? floatJson(read.value.value) : text
  }
  for (const wide of [INT64, UINT64]) {
    const read = scalarFromText(text, wide)
    if (read.kind === 'ok' && read.value.kind === 'bigint') return integerJson(read.value.value)
  }
  return text
}
