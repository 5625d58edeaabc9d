import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { DataType } from '../../model/data-type.ts'
import { NUMBER_TYPES } from '../../model/data-type.ts'

const KINDS: ReadonlyMap<string, string> = new Map([
  ['i', 'int'],
  ['u', 'uint'],
  ['f', 'float'],
])

/** The number type that a codec's configuration names as numpy does (`<i4`, `|u1`, `float32`); byte order is not part of it. */
export function numpyTypeMember(configuration: JsonObject, name: string, fallback?: DataType): DataType {
  const text = configuration[name] ?? undefined
  if (text === undefined && fallback !== undefined) return fallback
  if (typeof text !== 'string') throw malformed(`codec configuration: "${name}" is not a data type`)
  return numpyType(text, name)
}

/** The number type of this name in numpy's words. */
export function numpyType(text: string, name: string): DataType {
  const type = NUMBER_TYPES.get(text) ?? shortType(text)
  if (type === undefined)
    throw unsupported(`data type ${text}`, `codec configuration: "${name}" is ${text}, not numbers`)
  return type
}

function shortType(text: string): DataType | undefined {
  const short = /^[<>|=]?([biufMm])([1248])(?:\[(\d*)([a-zA-Zμ]+)\])?$/.exec(text)
  if (short === null) return undefined
  const [, letter = '', size = '', scale = '', unit = 'generic'] = short
  if (letter === 'b') return NUMBER_TYPES.get('bool')
  if (letter === 'M' || letter === 'm') {
    return { kind: letter === 'M' ? 'datetime' : 'timedelta', unit, scale: scale === '' ? 1 : Number(scale) }
  }
  return NUMBER_TYPES.get(`${KINDS.get(letter)}${Number(size) * 8}`)
}
