import { malformed, unsupported } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import type { DataType } from '../model/data-type.ts'

const WORDS: ReadonlyMap<string, DataType> = new Map([
  ['bool', { kind: 'bool' }],
  ['int8', { kind: 'int', bits: 8 }],
  ['int16', { kind: 'int', bits: 16 }],
  ['int32', { kind: 'int', bits: 32 }],
  ['int64', { kind: 'int', bits: 64 }],
  ['uint8', { kind: 'uint', bits: 8 }],
  ['uint16', { kind: 'uint', bits: 16 }],
  ['uint32', { kind: 'uint', bits: 32 }],
  ['uint64', { kind: 'uint', bits: 64 }],
  ['float16', { kind: 'float', bits: 16 }],
  ['float32', { kind: 'float', bits: 32 }],
  ['float64', { kind: 'float', bits: 64 }],
])

const KINDS: ReadonlyMap<string, string> = new Map([
  ['i', 'int'],
  ['u', 'uint'],
  ['f', 'float'],
])

/** A number type by its Zarr v3 name. */
export function namedType(name: unknown): DataType | undefined {
  return typeof name === 'string' ? WORDS.get(name) : undefined
}

/** The number type that a codec's configuration names as numpy does (`<i4`, `|u1`, `float32`); byte order is not part of it. */
export function numpyTypeMember(configuration: JsonObject, name: string, fallback?: DataType): DataType {
  const text = configuration[name] ?? undefined
  if (text === undefined && fallback !== undefined) return fallback
  if (typeof text !== 'string') throw malformed(`codec configuration: "${name}" is not a data type`)
  const type = WORDS.get(text) ?? shortType(text)
  if (type === undefined)
    throw unsupported(`data type ${text}`, `codec configuration: "${name}" is ${text}, not numbers`)
  return type
}

function shortType(text: string): DataType | undefined {
  const short = /^[<>|=]?([biufMm])([1248])(?:\[(\d*)([a-zA-Zμ]+)\])?$/.exec(text)
  if (short === null) return undefined
  const [, letter = '', size = '', scale = '', unit = 'generic'] = short
  if (letter === 'b') return WORDS.get('bool')
  if (letter === 'M' || letter === 'm') {
    return { kind: letter === 'M' ? 'datetime' : 'timedelta', unit, scale: scale === '' ? 1 : Number(scale) }
  }
  return WORDS.get(`${KINDS.get(letter)}${Number(size) * 8}`)
}
