import { utf8Text } from '../../bytes/text.ts'
import type { ErrorContext } from '../../errors.ts'
import { scalarFromBytes } from '../../fill-value/from-bytes.ts'
import { integerJson } from '../../fill-value/numbers.ts'
import { type ReadSentinels, sentinelsAmong, withoutSentinels } from '../../fill-value/sentinels.ts'
import { floatJson, type Json } from '../../json/json.ts'
import { type CharacterVariable, textVariables } from '../../model/characters.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { type PlacedValues, type RunValues, rowArray, runArray } from '../../model/run-chunks.ts'
import { skippedArray } from '../../model/skipped-array.ts'
import { truncatedSource } from '../../model/truncated-source.ts'
import type { AttributeValue, Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { Attribute, Header, Variable } from './header.ts'
import { endOfVariable, layoutOf, type VariableLayout } from './layout.ts'

/** The file that a header describes. */
interface ParsedFile {
  readonly header: Header
  readonly size: number
  readonly place: ErrorContext
}

/** A variable and where its values lie. */
interface PlacedVariable {
  readonly variable: Variable
  readonly layout: VariableLayout
  /** Whether its characters are texts along the last dimension. */
  readonly isText: boolean
}

const MOST_NAMES = 20

/** The tree of a NetCDF-3 file: all its variables, at the root. */
export function toModel(header: Header, size: number, place: ErrorContext, context: ParseContext): VirtualGroup {
  for (const diagnostic of header.diagnostics) context.warn(diagnostic)
  const file: ParsedFile = { header, size, place }
  const layouts = layoutOf(header, size, place)
  warnOfCutFile(file, layouts, context)
  const texts = textVariables(header.variables.map((variable) => characterVariable(variable, header)))
  const members = new Map<string, Member>()
  for (const [i, layout] of layouts.entries()) {
    const variable = header.variables[i]
    if (variable === undefined) continue
    const placed: PlacedVariable = { variable, layout, isText: texts.has(variable.name) }
    members.set(variable.name, memberOf(file, placed, context))
  }
  // `coordinates` passes through like the rest (DM-6): readers of the file itself see no other.
  return { kind: 'group', attributes: attributesOf(header.attributes), members }
}

function characterVariable(variable: Variable, header: Header): CharacterVariable {
  const { name, type } = variable
  return { name, isCharacters: type.name === 'char', dimensionNames: dimensionNamesOf(variable, header) }
}

function dimensionNamesOf({ dimensions }: Variable, header: Header): readonly (string | null)[] {
  return dimensions.map((id) => header.dimensions[id]?.name || null)
}

/** One variable that can't be served costs the others nothing. */
function memberOf(file: ParsedFile, placed: PlacedVariable, context: ParseContext): Member {
  try {
    return arrayOf(file, placed, context)
  } catch (error) {
    return skippedArray(error)
  }
}

function arrayOf(file: ParsedFile, { variable, layout, isText }: PlacedVariable, context: ParseContext): Member {
  const { type, name } = variable
  const place = { ...file.place, path: name }
  const attributes = attributesOf(variable.attributes)
  const read = sentinelsAmong(attributes, { dataType: type.dataType, path: name }, context)
  const { sentinels } = read
  return {
    kind: 'array',
    ...placedValues(layout, { itemSize: type.size, fileSize: file.size, place, isText }),
    dataType: type.dataType,
    ...fillOf(variable, read),
    sentinels,
    attributes: withoutSentinels(attributes, read),
    dimensionNames: dimensionNamesOf(variable, file.header),
    isText,
    encodings: [rawEncoding('big')],
  }
}

function placedValues(
  { shape, begin, records }: VariableLayout,
  stored: Omit<RunValues, 'shape' | 'offset'>,
): PlacedValues {
  const [rows = 0, ...cell] = shape
  const values = { ...stored, offset: begin }
  return records === undefined
    ? runArray({ ...values, shape })
    : rowArray({ ...values, rows, cell, stride: records.stride })
}

/** What the library fills with is what it says is missing (FV-NC3-1), or its own default for the type (FV-NC3-2). */
function fillOf(
  { type }: Variable,
  { sentinels, isCarried }: ReadSentinels,
): Pick<VirtualArray, 'fillValue' | 'fillOrigin'> {
  const { fillValue } = sentinels
  // An infinity of `missing_value` masks as `_FillValue` (FV-12), but nothing is filled with it.
  if (fillValue !== undefined && !isCarried) return { fillValue, fillOrigin: 'attribute _FillValue' }
  return { fillValue: type.defaultFill, fillOrigin: `default of ${type.name}` }
}

function attributesOf(attributes: readonly Attribute[]): Map<string, AttributeValue> {
  return new Map(attributes.map((attribute) => [attribute.name, attributeValue(attribute)]))
}

/** Metadata is served all the same; the chunks that are not in the file fail when they are read. */
function warnOfCutFile(file: ParsedFile, layouts: readonly VariableLayout[], context: ParseContext): void {
  const { header, size } = file
  const cut = header.variables.filter((_, i) => {
    const layout = layouts[i]
    return layout !== undefined && endOfVariable(layout) > size
  })
  const partial = header.records === undefined ? bytesBehindRecords(layouts, size) : 0
  if (cut.length === 0 && partial === 0) return
  const names = cut.slice(0, MOST_NAMES).map(({ name }) => name)
  const found =
    cut.length > 0
      ? `it has ${size} bytes, and values of ${cut.length} variables lie behind its end`
      : `it has ${size} bytes, of which the last ${partial} are the beginning of a record`
  context.warn(truncatedSource(`${found}; ${lastComplete(header, layouts, size)}`, names))
}

/** The padding that a writer may leave behind the last record. */
const MAX_PADDING_BYTES = 3

/** Bytes behind the last whole record of a file that doesn't say how many it has, other than padding. */
function bytesBehindRecords(layouts: readonly VariableLayout[], size: number): number {
  const recorded = layouts.filter(({ records }) => records !== undefined)
  const stride = recorded[0]?.records?.stride ?? 0
  const count = recorded[0]?.records?.count ?? 0
  if (stride === 0) return 0
  const first = recorded.reduce((begin, layout) => Math.min(begin, layout.begin), Number.POSITIVE_INFINITY)
  const rest = size - (first + count * stride)
  return rest > MAX_PADDING_BYTES ? rest : 0
}

/** The last record of which all values are in the file; without records, the variable that ends last. */
function lastComplete(header: Header, layouts: readonly VariableLayout[], size: number): string {
  const recorded = layouts.filter(({ records }) => records !== undefined)
  const count = recorded[0]?.records?.count ?? 0
  if (count > 0) {
    const complete = recorded.reduce((least, layout) => Math.min(least, completeRecords(layout, size)), count)
    return complete === 0
      ? `none of ${count} records is complete`
      : `the last complete record is ${complete} of ${count}`
  }
  const ends = layouts.flatMap((layout, i) => {
    const end = endOfVariable(layout)
    return end > size ? [] : [{ name: header.variables[i]?.name ?? '', end }]
  })
  const last = ends.toSorted((a, b) => b.end - a.end)[0]
  if (last === undefined) return 'no variable is complete'
  return `the last complete variable is "${last.name}", which ends at byte ${last.end}`
}

function completeRecords({ begin, slab, records }: VariableLayout, size: number): number {
  if (records === undefined || records.stride === 0) return 0
  const complete = Math.floor((size - begin - slab) / records.stride) + 1
  return Math.max(0, Math.min(records.count, complete))
}

/**
 * An attribute's value: text, one number, or a list of them. Text that is not UTF-8 stays bytes: the format says nothing about
 * its encoding, and `zarr/attributes.ts` guesses it with a diagnostic.
 */
function attributeValue(attribute: Attribute): AttributeValue {
  if (isText(attribute)) return textOf(attribute.bytes)
  const values = scalarsOf(attribute).map((scalar) => scalarJson(attribute.type.dataType, scalar))
  // An empty list becomes empty text, a list of one its member (JSON-7).
  return values.length > 1 ? values : (values[0] ?? '')
}

/** Whether an attribute is of characters, which are one text together. */
function isText(attribute: Attribute): boolean {
  return attribute.type.name === 'char'
}

/** The values of an attribute in its own type. */
function scalarsOf({ type, bytes }: Attribute): Scalar[] {
  const scalars: Scalar[] = []
  for (let at = 0; at < bytes.length; at += type.size) {
    const scalar = scalarFromBytes(bytes.subarray(at, at + type.size), type.dataType, 'big')
    if (scalar !== undefined) scalars.push(scalar)
  }
  return scalars
}

function scalarJson(type: DataType, scalar: Scalar): Json {
  if (scalar.kind === 'number') return type.kind === 'float' ? floatJson(scalar.value) : scalar.value
  return scalar.kind === 'bigint' ? integerJson(scalar.value) : null
}

/**
 * NUL characters are left out, wherever they are: users of the netCDF libraries see none (C programs count the final one in,
 * others fill up with them), and some JSON readers refuse them.
 */
function textOf(bytes: Uint8Array): string | Uint8Array {
  const visible = bytes.includes(0) ? withoutNuls(bytes) : bytes
  return utf8Text(visible) ?? visible
}

/** By hand: `filter` takes a second for each three megabytes. */
function withoutNuls(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length)
  let length = 0
  for (const byte of bytes) if (byte !== 0) kept[length++] = byte
  return kept.slice(0, length)
}
