import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { DataType } from '../../model/data-type.ts'
import type { ArrayCodec } from '../codec.ts'
import { numberMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { bytesOf, castNumbers, mapInto, numbersOf, rounding, zeroNumbers } from '../numbers.ts'
import { numpyTypeMember } from './numpy-type.ts'

type Decode = (bytes: Uint8Array) => Uint8Array
/** Reads the rest of the configuration. */
type Prepare = (stored: DataType, decoded: DataType, configuration: JsonObject) => Decode

/** numcodecs' `delta`: differences, summed up in the decoded type. */
export const delta = filter('delta', 'astype', ['dtype'], (stored, decoded) => (bytes) => {
  const differences = numbersOf(bytes, stored)
  const sums = zeroNumbers(differences.length, decoded)
  const big = sums instanceof BigInt64Array || sums instanceof BigUint64Array
  return bytesOf(
    mapInto(sums, (i) => {
      const before = i === 0 ? 0 : (sums[i - 1] ?? 0)
      const difference = differences[i] ?? 0
      return big ? BigInt(before) + BigInt(difference) : Number(before) + Number(difference)
    }),
  )
})

/** numcodecs' `fixedscaleoffset`: computed in the stored type if that is a float, else in float64 (numpy's rules). */
export const fixedScaleOffset = filter('fixedscaleoffset', 'astype', ['dtype'], (stored, decoded, configuration) => {
  const round = rounding(stored)
  const scale = round(finiteMember(configuration, 'scale'))
  const offset = round(finiteMember(configuration, 'offset'))
  return (bytes) => {
    const source = numbersOf(bytes, stored)
    const target = zeroNumbers(source.length, decoded)
    return bytesOf(mapInto(target, (i) => round(round(Number(source[i]) / scale) + offset)))
  }
})

/** numpy computes with no text, `"NaN"` included. */
function finiteMember(configuration: JsonObject, name: string): number {
  const value = numberMember(configuration, name)
  if (Number.isFinite(value)) return value
  throw malformed(`codec configuration: "${name}" is ${value}, expected a number`)
}

/** numcodecs' `quantize`: lossy when written, a cast when read. */
export const quantize = filter('quantize', 'astype', ['dtype'], cast)

/** numcodecs' `astype`. */
export const asType = filter('astype', 'encode_dtype', [], cast)

/** numcodecs' `bitround`: lossy when written, nothing when read. */
export const bitRound: ArrayCodec = {
  kind: 'array',
  name: 'numcodecs.bitround',
  reach: 'native',
  prepare: (_configuration, layout) => ({ encodedLayout: layout, decode: (elements) => elements }),
}

function cast(stored: DataType, decoded: DataType): Decode {
  return (bytes) => castNumbers(bytes, stored, decoded)
}

/** A codec whose stored type is a member of its configuration, else the first other member that is there. */
function filter(id: string, member: string, others: readonly string[], prepare: Prepare): ArrayCodec {
  const storedType = (decoded: DataType, configuration: JsonObject): DataType => {
    const named = [member, ...others].find((name) => (configuration[name] ?? null) !== null)
    return numpyTypeMember(configuration, named ?? member, decoded)
  }
  return {
    kind: 'array',
    name: `numcodecs.${id}`,
    reach: 'native',
    prepare: (configuration, { shape, dataType }) => {
      const stored = storedType(dataType, configuration)
      const decode = prepare(stored, dataType, configuration)
      return {
        encodedLayout: { shape, dataType: stored },
        decode: (elements) => {
          const bytes = fixedBytes(elements, `numcodecs.${id}`)
          const decoded = decode(bytes)
          if (decoded.length === 0 && bytes.length > 0) throw malformed(`numcodecs.${id} decodes to nothing`)
          return { kind: 'fixed', bytes: decoded }
        },
      }
    },
  }
}
