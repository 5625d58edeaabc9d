import { malformed, unsupported } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import { type DataType, integerRange, NUMBER_TYPES, type Scalar } from '../../model/data-type.ts'
import type { ArrayCodec } from '../codec.ts'
import { numberOf, wordMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { bytesOf, mapInto, numbersOf, rounding, zeroNumbers } from '../numbers.ts'
import { integersOf } from './scale-offset.ts'

const ROUNDINGS = ['nearest-even', 'towards-zero', 'towards-positive', 'towards-negative', 'nearest-away'] as const
const MEMBERS = ['data_type', 'rounding', 'out_of_range', 'scalar_map']

type Value = number | bigint
type Cast = (value: Value) => Value

/** Zarr's `cast_value` (COD-3): values in another number type, by value, never by bits. */
export const castValue: ArrayCodec = {
  kind: 'array',
  name: 'cast_value',
  reach: 'native',
  prepare: (configuration, { shape, dataType }) => {
    const unknown = Object.keys(configuration).find((key) => !MEMBERS.includes(key))
    if (unknown !== undefined) throw malformed(`cast_value: "${unknown}" is not one of its members`)
    const stored = storedType(configuration)
    const toDecoded = mapped(configuration, 'decode', castTo(dataType, configuration))
    const toStored = mapped(configuration, 'encode', castTo(stored, configuration))
    return {
      encodedLayout: { shape, dataType: stored },
      decode: (elements) => {
        const source = numbersOf(fixedBytes(elements, 'cast_value'), stored)
        const target = zeroNumbers(source.length, dataType)
        return { kind: 'fixed', bytes: bytesOf(mapInto(target, (i) => toDecoded(source[i] ?? 0))) }
      },
      encodeFill: (fill) => {
        if (fill.kind === 'number' || fill.kind === 'bigint') return scalarOf(toStored(fill.value), stored)
        throw malformed(`cast_value has no meaning for a fill value of kind ${fill.kind}`)
      },
    }
  },
}

function scalarOf(value: Value, type: DataType): Scalar {
  const isWide = (type.kind === 'int' || type.kind === 'uint') && type.bits === 64
  return isWide ? { kind: 'bigint', value: BigInt(value) } : { kind: 'number', value: Number(value) }
}

function storedType(configuration: JsonObject): DataType {
  const name = configuration['data_type']
  const type = typeof name === 'string' ? NUMBER_TYPES.get(name) : undefined
  if (type === undefined || type.kind === 'bool') {
    throw unsupported('cast_value data type', `cast_value: ${String(name)} is no number type`)
  }
  return type
}

function rules(configuration: JsonObject) {
  return {
    round: wordMember(configuration, 'rounding', ROUNDINGS, 'nearest-even'),
    outOfRange: wordMember(configuration, 'out_of_range', ['error', 'clamp', 'wrap'], 'error'),
  }
}

/** The map is looked at first; its first match wins, and NaN matches NaN. */
function mapped(configuration: JsonObject, direction: 'encode' | 'decode', cast: Cast): Cast {
  const map = configuration['scalar_map']
  const pairs = isJsonObject(map) ? map[direction] : undefined
  if (!Array.isArray(pairs)) return cast
  const entries = pairs.map((pair: Json) => {
    const [from, to] = Array.isArray(pair) ? pair.map(mappedValue) : []
    if (from === undefined || to === undefined) throw malformed(`cast_value: scalar_map.${direction} holds no pairs`)
    return { from, to }
  })
  return (value) => {
    const entry = entries.find(({ from }) => isSame(from, value))
    return entry === undefined ? cast(value) : entry.to
  }
}

/** Equal by value; a NaN is any NaN, and the two zeros are one. */
function isSame(one: Value, other: Value): boolean {
  if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) && Number.isNaN(other)
  if (typeof one === typeof other) return one === other
  return Number.isInteger(Number(one)) && Number.isInteger(Number(other)) && BigInt(one) === BigInt(other)
}

function mappedValue(json: Json): Value | undefined {
  return typeof json === 'bigint' ? json : numberOf(json)
}

function castTo(type: DataType, configuration: JsonObject): Cast {
  const { round, outOfRange } = rules(configuration)
  if (type.kind === 'float') return toFloat(type, outOfRange)
  const [least, most] = integerRange(integersOf(type))
  return (value) => {
    if (typeof value === 'number' && Number.isNaN(value)) throw refused(value, type)
    if (typeof value === 'number' && !Number.isFinite(value)) {
      if (outOfRange !== 'clamp') throw refused(value, type)
      return value > 0 ? most : least
    }
    const integer = typeof value === 'bigint' ? value : BigInt(rounded(value, round))
    if (integer >= least && integer <= most) return integer
    if (outOfRange === 'error') throw refused(value, type)
    if (outOfRange === 'wrap') return wrapped(integer, type)
    return integer < least ? least : most
  }
}

function wrapped(value: bigint, type: DataType): bigint {
  const bits = 'bits' in type ? type.bits : 64
  return type.kind === 'uint' ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)
}

function toFloat(type: DataType, outOfRange: 'error' | 'clamp' | 'wrap'): Cast {
  const round = rounding(type)
  const most =
    type.kind !== 'float' || type.bits === 64 ? Number.MAX_VALUE : type.bits === 32 ? 3.4028234663852886e38 : 65504
  return (value) => {
    const number = round(Number(value))
    if (Number.isFinite(number) || !Number.isFinite(Number(value))) return number
    if (outOfRange !== 'clamp') throw refused(value, type)
    return number > 0 ? most : -most
  }
}

function rounded(value: number, round: (typeof ROUNDINGS)[number]): number {
  switch (round) {
    case 'towards-zero':
      return Math.trunc(value)
    case 'towards-positive':
      return Math.ceil(value)
    case 'towards-negative':
      return Math.floor(value)
    case 'nearest-away':
      return Math.sign(value) * Math.floor(Math.abs(value) + 0.5)
    case 'nearest-even': {
      const below = Math.floor(value)
      const rest = value - below
      return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1
    }
  }
}

function refused(value: Value, type: DataType): Error {
  return malformed(`cast_value: ${value} has no place in ${type.kind}${'bits' in type ? type.bits : ''}`)
}
