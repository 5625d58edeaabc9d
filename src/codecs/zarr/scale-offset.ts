import { malformed } from '../../errors.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { type DataType, type IntegerType, integerRange, type Scalar } from '../../model/data-type.ts'
import type { ArrayCodec } from '../codec.ts'
import { numberMember, numberOf } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { bytesOf, mapInto, numbersOf, rounding, zeroNumbers } from '../numbers.ts'

/** Zarr's `scale_offset` (COD-2): stored is `(value - offset) * scale`, in the array's own type. */
export const scaleOffset: ArrayCodec = {
  kind: 'array',
  name: 'scale_offset',
  reach: 'native',
  prepare: (configuration, layout) => {
    const unknown = Object.keys(configuration).find((key) => key !== 'scale' && key !== 'offset')
    if (unknown !== undefined) throw malformed(`scale_offset: "${unknown}" is not one of its members`)
    for (const name of ['scale', 'offset']) numberMember(configuration, name, 0)
    const { dataType } = layout
    const undo =
      dataType.kind === 'float' ? floatDecoder(dataType, configuration) : integerDecoder(dataType, configuration)
    return {
      encodedLayout: layout,
      decode: (elements) => {
        const source = numbersOf(fixedBytes(elements, 'scale_offset'), dataType)
        const target = zeroNumbers(source.length, dataType)
        return { kind: 'fixed', bytes: bytesOf(mapInto(target, (i) => undo(source[i] ?? 0))) }
      },
      encodeFill: (fill) => encodedFill(fill, dataType, configuration),
    }
  },
}

type Convert = (value: number | bigint) => number | bigint

function floatDecoder(type: DataType, configuration: JsonObject): Convert {
  const round = rounding(type)
  const scale = round(numberOf(configuration['scale'] ?? 1) ?? Number.NaN)
  const offset = round(numberOf(configuration['offset'] ?? 0) ?? Number.NaN)
  return (value) => round(round(Number(value) / scale) + offset)
}

function integerDecoder(type: DataType, configuration: JsonObject): Convert {
  const { scale, offset } = integers(configuration)
  const [least, most] = integerRange(integersOf(type))
  return (value) => {
    const decoded = BigInt(value) / scale + offset
    if (BigInt(value) % scale !== 0n || decoded < least || decoded > most) {
      throw malformed(`scale_offset: ${value} / ${scale} + ${offset} has no place in the array's integer type`)
    }
    return decoded
  }
}

function encodedFill(fill: Scalar, type: DataType, configuration: JsonObject): Scalar {
  if (fill.kind === 'bigint' || (fill.kind === 'number' && type.kind !== 'float')) {
    const { scale, offset } = integers(configuration)
    const value = (BigInt(fill.value) - offset) * scale
    return fill.kind === 'bigint' ? { kind: 'bigint', value } : { kind: 'number', value: Number(value) }
  }
  if (fill.kind !== 'number') throw malformed(`scale_offset has no meaning for a fill value of kind ${fill.kind}`)
  const round = rounding(type)
  const scale = numberOf(configuration['scale'] ?? 1) ?? Number.NaN
  const offset = numberOf(configuration['offset'] ?? 0) ?? Number.NaN
  return { kind: 'number', value: round(round(fill.value - round(offset)) * round(scale)) }
}

function integers(configuration: JsonObject): { readonly scale: bigint; readonly offset: bigint } {
  const scale = integerOf(configuration['scale'] ?? 1)
  const offset = integerOf(configuration['offset'] ?? 0)
  if (scale === undefined || scale === 0n || offset === undefined) {
    throw malformed('scale_offset: scale and offset of an integer array are integers, and scale is not 0')
  }
  return { scale, offset }
}

function integerOf(value: Json): bigint | undefined {
  if (typeof value === 'bigint') return value
  const number = numberOf(value)
  return number !== undefined && Number.isInteger(number) ? BigInt(number) : undefined
}

/** The integers that a type is stored as: times are in 64 bits. */
export function integersOf(type: DataType): IntegerType {
  return type.kind === 'int' || type.kind === 'uint' ? type : { kind: 'int', bits: 64 }
}
