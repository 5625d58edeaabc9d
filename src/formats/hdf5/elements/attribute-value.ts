import type { Endian } from '../../../bytes/cursor.ts'
import { utf8Text } from '../../../bytes/text.ts'
import { swapBytes } from '../../../codecs/kernels/swap-bytes.ts'
import { numbersOf } from '../../../codecs/numbers.ts'
import { withoutPadding } from '../../../codecs/own/fixed-text.ts'
import { malformed } from '../../../errors.ts'
import { integerJson } from '../../../fill-value/numbers.ts'
import { floatJson } from '../../../json/json.ts'
import type { DataType } from '../../../model/data-type.ts'
import { after, afterAll } from '../../../model/recent-parts.ts'
import type { AttributeValue } from '../../../model/virtual-store.ts'
import { countOf, shapeOf } from '../messages/dataspace.ts'
import type { Datatype } from '../messages/datatype.ts'
import type { Attribute } from '../objects.ts'
import { cursorOver } from '../structures/hdf5-file.ts'
import type { ValueWorld } from '../world.ts'
import { floatValueJson, ieeeBits, integerOf, isBoolean, wholeBits } from './formats.ts'
import { referenceAddress } from './references.ts'

/** One element: undefined where it has no meaning outside of its file. */
type Element = AttributeValue | undefined

/** Longest attribute that is copied into documents. */
const MOST_ELEMENTS = 1_000_000
/** What one element takes in memory until it is written. */
const ELEMENT_BYTES = 100

/** The value of an attribute as it is served (JSON-7); undefined where its type has no JSON spelling. */
export function attributeValue(
  attribute: Attribute,
  world: ValueWorld,
): AttributeValue | undefined | Promise<AttributeValue | undefined> {
  const count = countOf(attribute.space)
  if (count > MOST_ELEMENTS) throw malformed(`attribute ${attribute.name} has ${count} values`)
  // An attribute of no value is an empty text.
  if (count === 0) return ''
  const elements = elementsOf(attribute.data, attribute.type, count, world)
  return after(elements, (known) => servedValue(known, attribute))
}

function servedValue(elements: readonly Element[], attribute: Attribute): AttributeValue | undefined {
  const values = asList(elements)
  if (values === undefined) return undefined
  const [first] = values
  if (values.length === 1 && first !== undefined) return first
  const shape = shapeOf(attribute.space)
  return shape.length > 1 ? nested(values, shape) : values
}

function elementsOf(
  data: Uint8Array,
  type: Datatype,
  count: number,
  world: ValueWorld,
): readonly Element[] | Promise<readonly Element[]> {
  world.file.budget.spend(count * ELEMENT_BYTES)
  const numbers = plainNumbers(data.subarray(0, count * type.size), type)
  if (numbers !== undefined) return numbers
  const elements = Array.from({ length: count }, (_, i) =>
    elementOf(data.subarray(i * type.size, (i + 1) * type.size), type, world),
  )
  // Numbers and text are there at once: a promise for each would take more than they do.
  return afterAll(elements)
}

/** Numbers that are stored as machines hold them, all at once; undefined for those of odd formats, and what is no number. */
function plainNumbers(data: Uint8Array, type: Datatype): Element[] | undefined {
  if (type.class === 'float') {
    const bits = ieeeBits(type)
    if (bits === undefined) return undefined
    return Array.from(numbersIn(data, { kind: 'float', bits }, type.endian), (value) => floatJson(Number(value)))
  }
  if (type.class !== 'integer' && type.class !== 'bitfield') return undefined
  const bits = wholeBits(type)
  if (bits === undefined) return undefined
  const kind = type.class === 'integer' && type.signed ? 'int' : 'uint'
  return Array.from(numbersIn(data, { kind, bits }, type.endian), (value) =>
    typeof value === 'bigint' ? integerJson(value) : value,
  )
}

function numbersIn(data: Uint8Array, type: DataType, endian: Endian): Iterable<number | bigint> {
  return numbersOf(endian === 'big' ? swapBytes(data, type) : data, type)
}

function elementOf(bytes: Uint8Array, type: Datatype, world: ValueWorld): Element | Promise<Element> {
  switch (type.class) {
    case 'integer':
    case 'bitfield':
      return integerJson(integerOf(bytes, type))
    case 'float':
      return floatValueJson(bytes, type)
    case 'string':
      return textOrBytes(withoutPadding(bytes, type.padding))
    case 'opaque':
      return undefined
    case 'enum':
    case 'vlen-string':
    case 'vlen':
    case 'array':
    case 'complex':
    case 'compound':
    case 'reference':
      try {
        return compositeElement(bytes, type, world)
      } catch (error) {
        // Not at once: elements beside it may be under way, whose failures somebody must wait for.
        return Promise.reject(error)
      }
  }
}

type CompositeType = Exclude<Datatype, { class: 'integer' | 'bitfield' | 'float' | 'string' | 'opaque' }>

/** What consists of other elements, or is elsewhere. */
function compositeElement(bytes: Uint8Array, type: CompositeType, world: ValueWorld): Element | Promise<Element> {
  switch (type.class) {
    case 'enum':
      return after(elementOf(bytes, type.base, world), (value) => (isBoolean(type) ? value !== 0 : value))
    case 'vlen-string':
      return after(sequenceBytes(bytes, 1, world), (text) => textOrBytes(withoutPadding(text, type.padding)))
    case 'vlen': {
      const { base } = type
      const elements = after(sequenceBytes(bytes, base.size, world), (data) =>
        elementsOf(data, base, data.length / base.size, world),
      )
      return after(elements, asList)
    }
    case 'array':
      return arrayElement(bytes, type, world)
    case 'complex':
      return after(elementsOf(bytes, type.base, 2, world), asList)
    case 'compound':
      return recordElement(bytes, type, world)
    case 'reference':
      return pathElement(bytes, type, world)
  }
}

async function pathElement(
  bytes: Uint8Array,
  type: Extract<Datatype, { class: 'reference' }>,
  world: ValueWorld,
): Promise<Element> {
  const address = await referenceAddress(bytes, type, world)
  return address === undefined ? undefined : world.pathOf(address)
}

function arrayElement(
  bytes: Uint8Array,
  type: Extract<Datatype, { class: 'array' }>,
  world: ValueWorld,
): Element | Promise<Element> {
  return after(elementsOf(bytes, type.base, bytes.length / type.base.size, world), (elements) => {
    const list = asList(elements)
    return list === undefined || type.shape.length < 2 ? list : nested(list, type.shape)
  })
}

async function recordElement(
  bytes: Uint8Array,
  type: Extract<Datatype, { class: 'compound' }>,
  world: ValueWorld,
): Promise<Element> {
  const record: Record<string, AttributeValue> = Object.create(null)
  for (const { name, offset, type: member } of type.members) {
    const value = await elementOf(bytes.subarray(offset, offset + member.size), member, world)
    if (value === undefined) return undefined
    record[name] = value
  }
  return record
}

/** The bytes that a heap pointer names, at once where they are known: a count, then the address of a collection and an index in it. */
export function sequenceBytes(
  bytes: Uint8Array,
  itemSize: number,
  world: Pick<ValueWorld, 'file' | 'heaps'>,
): Uint8Array | Promise<Uint8Array> {
  const cursor = cursorOver(world.file, { bytes, offset: 0 })
  const count = cursor.u32()
  const address = cursor.address()
  const index = cursor.u32()
  if (address !== undefined && address >= world.file.end)
    throw malformed(`a heap at address ${address}, outside of the file`)
  if (count === 0 || address === undefined || address === 0 || index === 0) return new Uint8Array(0)
  return after(world.heaps.object(address, index), (object) => {
    if (count * itemSize > object.length) {
      throw malformed(`a heap object of ${object.length} bytes holds ${count} items of ${itemSize}`)
    }
    return object.subarray(0, count * itemSize)
  })
}

/** A list, where every element has a meaning. */
function asList(elements: readonly Element[]): readonly AttributeValue[] | undefined {
  const list = elements.filter((element) => element !== undefined)
  return list.length === elements.length ? list : undefined
}

/** Text, or the bytes where they are not UTF-8. */
function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  return utf8Text(bytes) ?? bytes.slice()
}

/** Values in C order as lists of lists. */
function nested(values: readonly AttributeValue[], shape: readonly number[]): readonly AttributeValue[] {
  let lists = values
  for (let axis = shape.length - 1; axis > 0; axis--) {
    const length = shape[axis] ?? 1
    const flat = lists
    lists = Array.from({ length: flat.length / length }, (_, i) => flat.slice(i * length, (i + 1) * length))
  }
  return lists
}
