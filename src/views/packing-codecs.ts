import { MISSING_VALUE_CONVENTION } from '../fill-value/missing-value-convention.ts'
import { packingFactor } from '../fill-value/packing-factor.ts'
import { floatJson, type Json } from '../json/json.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import {
  type Diagnostic,
  type Member,
  NO_SENTINELS,
  type Told,
  type VirtualArray,
  type VirtualNode,
} from '../model/virtual-store.ts'
import { joinedPath } from './names.ts'
import { missingNumbers, storedNumberType } from './stored-numbers.ts'

type Warn = (diagnostic: Diagnostic) => void

const PHYSICAL: DataType = { kind: 'float', bits: 64 }
const APPLIED: ReadonlySet<string> = new Set([
  'scale_factor',
  'add_offset',
  '_Unsigned',
  'missing_value',
  MISSING_VALUE_CONVENTION,
])

/** `packing=codecs` (COD-1): packed arrays as what they mean, by codecs that clients undo; the chunks are those of the packed ones. */
export function withPackingAsCodecs(root: VirtualNode, warn: Warn): VirtualNode {
  return root.kind === 'array' ? toldArray(root, '', warn) : { ...root, members: toldMembers(root.members, '', warn) }
}

function toldMembers(members: ReadonlyMap<string, Member>, path: string, warn: Warn): ReadonlyMap<string, Member> {
  const told = new Map<string, Member>()
  for (const [name, member] of members) {
    const place = joinedPath(path, name)
    if (member.kind === 'skipped') told.set(name, member)
    else if (member.kind === 'array') told.set(name, toldArray(member, place, warn))
    else told.set(name, { ...member, members: toldMembers(member.members, place, warn) })
  }
  return told
}

function toldArray(array: VirtualArray, path: string, warn: Warn): VirtualArray {
  const { dataType, attributes } = array
  const scale = packingFactor(attributes.get('scale_factor'))
  const offset = packingFactor(attributes.get('add_offset'))
  if ((scale ?? offset) === undefined) return array
  const isNumber = dataType.kind === 'float' || dataType.kind === 'int' || dataType.kind === 'uint'
  const reason = isNumber ? reasonAgainst(dataType, scale) : `${dataType.kind} values are not unpacked by codecs`
  if (reason === undefined) return { ...array, told: toldOf(array, scale ?? 1, offset ?? 0) }
  warn({ code: 'not-packed-as-codecs', message: `packing=codecs: ${reason}; it keeps its attributes`, path })
  return array
}

function reasonAgainst(type: DataType, scale: number | undefined): string | undefined {
  if (scale === 0 || !Number.isFinite(1 / (scale ?? 1))) return 'its scale_factor has no inverse'
  const isWide = (type.kind === 'int' || type.kind === 'uint') && type.bits === 64
  return isWide ? 'no float holds every integer of 64 bits' : undefined
}

function toldOf(array: VirtualArray, scale: number, offset: number): Told {
  const stored = storedNumberType(array)
  const missing = missingNumbers(array, stored).map(Number)
  const isMarked = (value: number) => Number.isNaN(value) || missing.includes(value)
  const fill = inBits(array.fillValue, stored)
  const inverse = 1 / scale
  const [first] = missing
  const value = isMarked(fill) ? Number.NaN : fill / inverse + offset
  const map = {
    encode: [['NaN', spelled(first ?? 0, stored)]],
    decode: missing.map((at) => [spelled(at, stored), 'NaN']),
  }
  return {
    dataType: PHYSICAL,
    fillValue: { kind: 'number', value },
    sentinels: NO_SENTINELS,
    attributes: new Map([...array.attributes].filter(([name]) => !APPLIED.has(name))),
    codecs: [
      { name: 'scale_offset', configuration: { scale: floatJson(inverse), offset: floatJson(offset) } },
      {
        name: 'cast_value',
        configuration: {
          data_type: `${stored.kind}${'bits' in stored ? stored.bits : ''}`,
          rounding: 'nearest-even',
          out_of_range: 'clamp',
          ...(missing.length === 0 ? {} : { scalar_map: map }),
        },
      },
    ],
  }
}

/** The fill value as the type reads its bits. */
function inBits(fill: Scalar, type: DataType): number {
  const value = fill.kind === 'number' || fill.kind === 'bigint' ? Number(fill.value) : Number.NaN
  if (type.kind === 'uint' && value < 0) return value + 2 ** type.bits
  return type.kind === 'int' && value >= 2 ** (type.bits - 1) ? value - 2 ** type.bits : value
}

/** JSON-2: floats with their point, and what is no number as a word. */
function spelled(value: number, { kind }: DataType): Json {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return kind === 'float' ? floatJson(value) : value
}
