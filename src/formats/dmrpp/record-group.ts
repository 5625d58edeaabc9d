import { anyText, latin1Text } from '../../bytes/text.ts'
import { inlineTexts } from '../../codecs/own/inline-texts.ts'
import { malformed } from '../../errors.ts'
import { fromBase64 } from '../../fill-value/base64.ts'
import { zeroOf } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { inlineIndex } from '../../model/plain-indexes.ts'
import { elementCount } from '../../model/shape.ts'
import { NO_SENTINELS, type VirtualArray, type VirtualGroup } from '../../model/virtual-store.ts'
import { attributesOf } from './attributes.ts'
import { isText } from './dap-types.ts'
import { type DmrVariable, dimensionNamesOf } from './document.ts'
import { memberOf as numbersOf } from './record-plan.ts'
import type { DocumentWorld } from './storage.ts'

const SEMICOLON = 0x3b
const MOST_RECORDS = 2 ** 20

/** A member of such records, and its values in all of them. */
type Column =
  | { readonly kind: 'numbers'; readonly field: ReturnType<typeof numbersOf>; readonly bytes: Uint8Array }
  | { readonly kind: 'texts'; readonly name: string; readonly shape: readonly number[]; readonly values: string[] }

/**
 * `specialstructuredata`: records with text, within the document. Records side by side, numbers as the writer's machine has them
 * (little-endian), each text as base64 with a semicolon behind it. No data type holds text in records: each member is an array.
 */
export function recordGroup(
  variable: DmrVariable,
  text: string,
  path: string,
  { context, spend }: DocumentWorld,
): VirtualGroup {
  if (variable.storage.problem !== undefined) throw malformed(variable.storage.problem)
  const bytes = fromBase64(text.replace(/\s+/g, ''))
  if (bytes === undefined) throw malformed('specialstructuredata is not base64')
  spend(bytes.length)
  const shape = variable.dimensions.map(({ length }) => length)
  const count = elementCount(shape)
  if (count > MOST_RECORDS || count > bytes.length) throw malformed(`${bytes.length} bytes of ${count} records`)
  const columns = variable.fields.map((field) => columnOf(field, count, bytes.length))
  let at = 0
  for (let record = 0; record < count; record++)
    for (const column of columns) at = readMember(column, record, bytes, at)
  if (at !== bytes.length) throw malformed(`${bytes.length} bytes of records, expected ${at}`)
  const names = dimensionNamesOf(variable)
  const members = new Map<string, VirtualArray>()
  for (const column of columns) {
    const { name, shape: inner } = column.kind === 'texts' ? column : column.field
    const array = arrayOf(column, [...shape, ...inner])
    members.set(name, { ...array, dimensionNames: [...names, ...inner.map(() => null)] })
  }
  return { kind: 'group', attributes: attributesOf(variable.attributes, path, context), members }
}

function columnOf(field: DmrVariable, count: number, most: number): Column {
  if (isText(field.type)) {
    return { kind: 'texts', name: field.name, shape: field.dimensions.map(({ length }) => length), values: [] }
  }
  const numbers = numbersOf(field)
  const length = numbers.size * numbers.count * count
  if (!(length <= most)) throw malformed(`${length} bytes of one member in ${most} bytes of records`)
  return { kind: 'numbers', field: numbers, bytes: new Uint8Array(length) }
}

/** Returns where the next member begins. */
function readMember(column: Column, record: number, bytes: Uint8Array, at: number): number {
  if (column.kind === 'numbers') {
    const length = column.field.size * column.field.count
    if (at + length > bytes.length) throw malformed('records are cut off')
    column.bytes.set(bytes.subarray(at, at + length), record * length)
    return at + length
  }
  const count = elementCount(column.shape)
  let next = at
  for (let i = 0; i < count; i++) {
    const end = bytes.indexOf(SEMICOLON, next)
    if (end === -1) throw malformed('a text in records has no end')
    const value = fromBase64(latin1Text(bytes.subarray(next, end)))
    if (value === undefined) throw malformed('a text in records is not base64')
    column.values.push(anyText(value))
    next = end + 1
  }
  return next
}

function arrayOf(column: Column, shape: readonly number[]): VirtualArray {
  if (column.kind === 'texts') return inlineTexts(column.values, shape)
  const chunkShape = shape.map((length) => Math.max(length, 1))
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType: column.field.type,
    fillValue: zeroOf(column.field.type),
    fillOrigin: 'zero: all values are in the sidecar',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    encodings: [rawEncoding('little')],
    edges: 'padded',
    chunks: inlineIndex(shape, chunkShape, column.bytes),
  }
}
