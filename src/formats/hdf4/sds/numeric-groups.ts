// HDF Specification and Developer's Guide, section 9.3: numeric data groups (and their predecessors, scientific data groups), by which
// files name their data sets that no SD interface wrote.
import { malformed } from '../../../errors.ts'
import { zeroOf } from '../../../model/data-type.ts'
import { isOwnFault, skippedArray } from '../../../model/skipped-array.ts'
import { type AttributeValue, type Member, NO_SENTINELS } from '../../../model/virtual-store.ts'
import { placeValues } from '../storage/place-values.ts'
import { textOf, valuesIn } from '../structures/attribute-value.ts'
import { cursorOf } from '../structures/hdf4-file.ts'
import { type NumberType, parseNumberType } from '../structures/number-type.ts'
import { TAG } from '../structures/tags.ts'
import { type Link, parseLinks } from '../structures/vgroup.ts'
import type { Hdf4World } from '../world.ts'
import type { Dimension, Variable } from './variables.ts'

/** What the data sets of such files are, and the coordinates along their dimensions. */
export interface NumericGroups {
  readonly variables: readonly Variable[]
  readonly coordinates: ReadonlyMap<string, Member>
}

/** A group that says where its data are, and in which type. */
interface Described {
  readonly links: readonly Link[]
  readonly shape: readonly number[]
  readonly types: readonly Link[]
}

/** The data sets in the order of their groups; names are those that the library invents. */
export async function numericGroups(world: Hdf4World): Promise<NumericGroups> {
  const variables: Variable[] = []
  const coordinates = new Map<string, Member>()
  const seen = new Set<number>()
  let dimensionCount = 0
  for (const tag of [TAG.numericGroup, TAG.scienceGroup]) {
    for (const { ref } of world.file.directory.all(tag)) {
      const described = describe(parseLinks(world.catalog.bytesOf(tag, ref)), world)
      const data = described?.links.find((link) => link.tag === TAG.sdData)?.ref
      if (described === undefined || data === undefined || seen.has(data)) continue
      seen.add(data)
      const names = described.shape.map((_, axis) => `fakeDim${dimensionCount + axis}`)
      dimensionCount += names.length
      variables.push(variableOf(`Data-Set-${ref}`, variables.length, { tag, ref }, described, names, world))
      for (const [name, member] of await scalesOf(described, names, world)) coordinates.set(name, member)
    }
  }
  return { variables, coordinates }
}

function describe(links: readonly Link[], { catalog, file }: Hdf4World): Described | undefined {
  const link = links.find(({ tag }) => tag === TAG.sdDimensions)
  const bytes = link === undefined ? undefined : catalog.bytesOf(link.tag, link.ref)
  if (bytes === undefined) return undefined
  try {
    const cursor = cursorOf(file, bytes, { offset: 0 })
    const rank = cursor.u16()
    const shape = Array.from({ length: rank }, () => cursor.u32())
    const types = Array.from({ length: rank + 1 }, () => ({ tag: cursor.u16(), ref: cursor.u16() }))
    return { links, shape, types }
  } catch (error) {
    if (!isOwnFault(error)) throw error
    return undefined
  }
}

function variableOf(
  name: string,
  index: number,
  group: Link,
  described: Described,
  names: readonly string[],
  world: Hdf4World,
): Variable {
  const { links, shape, types } = described
  const dimensions = names.map((own, axis): Dimension => ({ name: own, length: shape[axis], isUnlimited: false }))
  const members = [...links, ...types.slice(0, 1), group]
  const vgroup = { ref: group.ref, name: Buffer.from(name), className: '', members, attributes: [] }
  return { name, index, vgroup, dimensions, attributes: attributesOf(described, world) }
}

/** Labels, units and formats: a text for the data, then one for each dimension. */
const TEXTS = [
  [TAG.sdLabels, 'long_name'],
  [TAG.sdUnits, 'units'],
  [TAG.sdFormats, 'format'],
] as const

function attributesOf({ links, types }: Described, { catalog }: Hdf4World): Map<string, AttributeValue> {
  const bytesOf = (tag: number) => {
    const link = links.find((one) => one.tag === tag)
    return link === undefined ? undefined : catalog.bytesOf(tag, link.ref)
  }
  const attributes = new Map<string, AttributeValue>()
  for (const [tag, name] of TEXTS) {
    const [text] = textsIn(bytesOf(tag))
    if (text !== undefined && text.length > 0) attributes.set(name, textOf(text))
  }
  const system = bytesOf(TAG.sdCoordinates)
  if (system !== undefined) attributes.set('coordsys', textOf(system))
  const type = typeOf(types[0], catalog)
  const range = bytesOf(TAG.sdRange)
  const fill = bytesOf(TAG.sdFillValue)
  if (type !== undefined && range?.length === 2 * type.size) {
    attributes.set('valid_max', valuesIn(range.subarray(0, type.size), type))
    attributes.set('valid_min', valuesIn(range.subarray(type.size), type))
  }
  if (type !== undefined && fill?.length === type.size) attributes.set('_FillValue', valuesIn(fill, type))
  for (const [name, value] of calibrationIn(bytesOf(TAG.sdCalibration))) attributes.set(name, value)
  return attributes
}

const CALIBRATION = ['scale_factor', 'scale_factor_err', 'add_offset', 'add_offset_err'] as const
const DOUBLES = 32
const DOUBLE = parseNumberType(Uint8Array.of(1, 6, 64, 1))
const INTEGER = parseNumberType(Uint8Array.of(1, 24, 32, 1))

/** Four doubles and a number type; what older writers left is not told apart from numbers. */
function calibrationIn(bytes: Uint8Array | undefined): readonly (readonly [string, AttributeValue])[] {
  if (bytes?.length !== DOUBLES + 4) return []
  const numbers = CALIBRATION.map((name, i) => [name, valuesIn(bytes.subarray(8 * i, 8 * i + 8), DOUBLE)] as const)
  return [...numbers, ['calibrated_nt', valuesIn(bytes.subarray(DOUBLES), INTEGER)]]
}

function textsIn(bytes: Uint8Array | undefined): Uint8Array[] {
  const texts: Uint8Array[] = []
  for (let at = 0; bytes !== undefined && at < bytes.length; ) {
    const end = bytes.indexOf(0, at)
    texts.push(bytes.subarray(at, end < 0 ? bytes.length : end))
    at = end < 0 ? bytes.length : end + 1
  }
  return texts
}

function typeOf(link: Link | undefined, catalog: Hdf4World['catalog']): NumberType | undefined {
  const bytes = link === undefined ? undefined : catalog.bytesOf(TAG.numberType, link.ref)
  if (bytes === undefined || bytes.length < 4) return undefined
  try {
    return parseNumberType(bytes)
  } catch (error) {
    if (!isOwnFault(error)) throw error
    return undefined
  }
}

/** Scales: for each dimension whether it has one, then their values, each in a type of its own. */
async function scalesOf(
  { links, shape, types }: Described,
  names: readonly string[],
  world: Hdf4World,
): Promise<readonly (readonly [string, Member])[]> {
  const link = links.find(({ tag }) => tag === TAG.sdScales)
  const element = link === undefined ? undefined : world.file.directory.find(TAG.sdScales, link.ref)
  if (element === undefined || element.isSpecial || element.length < shape.length) return []
  const { offset, length } = element
  if (offset + length > world.file.source.size) return []
  const flags = await world.file.source.read({ offset, length: shape.length }, { signal: world.context.signal })
  const [labels, units] = [TAG.sdLabels, TAG.sdUnits].map((tag) => {
    const found = links.find((one) => one.tag === tag)
    return textsIn(found === undefined ? undefined : world.catalog.bytesOf(tag, found.ref))
  })
  const scales: (readonly [string, Member])[] = []
  let at = offset + shape.length
  for (const [axis, name] of names.entries()) {
    const type = typeOf(types[axis + 1], world.catalog)
    if (flags[axis] === 0) continue
    // Without its type nobody knows where the next one begins.
    if (type === undefined) break
    const bytes = (shape[axis] ?? 0) * type.size
    const about = [
      ['long_name', labels?.[axis + 1]],
      ['units', units?.[axis + 1]],
    ] as const
    const attributes = about.flatMap(([key, text]) =>
      text === undefined || text.length === 0 ? [] : [[key, textOf(text)] as const],
    )
    scales.push([
      name,
      await scale({ name, length: shape[axis] ?? 0, type, offset: at, attributes, end: offset + length }, world),
    ])
    at += bytes
  }
  return scales
}

interface Scale {
  readonly name: string
  readonly length: number
  readonly type: NumberType
  readonly offset: number
  /** Of the element that holds all scales. */
  readonly end: number
  readonly attributes: readonly (readonly [string, AttributeValue])[]
}

async function scale({ name, length, type, offset, end, attributes }: Scale, world: Hdf4World): Promise<Member> {
  try {
    const bytes = length * type.size
    if (offset + bytes > end) throw malformed(`the scale "${name}" of ${bytes} bytes is not in the file`)
    const stored = { kind: 'pieces', pieces: [{ offset, length: bytes }] } as const
    return {
      kind: 'array',
      ...(await placeValues({ shape: [length], type, stored, unwritten: undefined }, world)),
      dataType: type.dataType,
      fillValue: zeroOf(type.dataType),
      fillOrigin: 'zero of the type',
      sentinels: NO_SENTINELS,
      attributes: new Map(attributes),
      dimensionNames: [name],
    }
  } catch (error) {
    return skippedArray(error)
  }
}
