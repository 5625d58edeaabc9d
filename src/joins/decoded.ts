import { renumberer } from '../codecs/kernels/renumber.ts'
import { renumber } from '../codecs/own/renumber.ts'
import { MISSING_VALUE_CONVENTION } from '../fill-value/missing-value-convention.ts'
import { packingFactor } from '../fill-value/packing-factor.ts'
import type { DataType } from '../model/data-type.ts'
import {
  type Diagnostic,
  type Member,
  NO_SENTINELS,
  type VirtualArray,
  type VirtualGroup,
  type VirtualNode,
} from '../model/virtual-store.ts'
import { type Change, changed } from './change.ts'
import { decodedType } from './common-meaning.ts'
import { finiteNumber, notANumber, OF_PACKED, sentinelsOf } from './meaning.ts'
import { inBits, numberScalar, packingOf } from './packing.ts'
import { countsFromDate } from './times/time-units.ts'
import { textAttribute } from './times-of.ts'
import { isInteger, isSameType, typeName } from './types.ts'

type Warn = (diagnostic: Diagnostic) => void

export interface Decoding {
  /** Masks will be applied, and say alone what is missing where there is one. */
  readonly hasMasks: boolean
  readonly warn: Warn
}

/** `packing=decoded`: packed values as floats, missing points as NaN. What is neither packed nor has missing points stays as it is. */
export function withPackingApplied(root: VirtualNode, decoding: Decoding): VirtualNode {
  return root.kind === 'array' ? decodedArray(root, '', decoding) : decodedGroup(root, '', decoding)
}

function decodedGroup(group: VirtualGroup, path: string, decoding: Decoding): VirtualGroup {
  const members = new Map<string, Member>()
  for (const [name, member] of group.members) {
    const place = path === '' ? name : `${path}/${name}`
    if (member.kind === 'skipped') members.set(name, member)
    else
      members.set(
        name,
        member.kind === 'array' ? decodedArray(member, place, decoding) : decodedGroup(member, place, decoding),
      )
  }
  return { ...group, members }
}

function decodedArray(array: VirtualArray, path: string, { hasMasks, warn }: Decoding): VirtualArray {
  const { dataType, attributes, maskedBy } = array
  if (!isInteger(dataType) && dataType.kind !== 'float') return array
  const sentinels = hasMasks && maskedBy !== undefined ? [] : sentinelsOf(array).flatMap(finiteNumber)
  const isScaled = ['scale_factor', 'add_offset'].some((name) => packingFactor(attributes.get(name)) !== undefined)
  const { bits } = packingOf(array)
  const isPacked = isScaled || !isSameType(bits, dataType)
  if (!isPacked && sentinels.length === 0) return array
  // Readers make dates of counts, whatever marks those that are none.
  if (!isPacked && countsFromDate(textAttribute(attributes.get('units')) ?? '')) return array
  if (!isPacked && isInteger(dataType) && dataType.bits === 64) {
    warn({ code: 'not-decoded', message: 'no float holds every integer of 64 bits: it keeps its _FillValue', path })
    return array
  }
  const left = [...attributes].filter(([name]) => !APPLIED.has(name) || (!isPacked && name.startsWith('valid_')))
  return {
    ...changed(array, unpacking(array, sentinels, isScaled || sentinels.length > 0 ? decodedType([array]) : bits)),
    attributes: new Map(left),
    sentinels: NO_SENTINELS,
    maskedBy,
  }
}

const APPLIED: ReadonlySet<string> = new Set([...OF_PACKED, MISSING_VALUE_CONVENTION])

function unpacking(array: VirtualArray, sentinels: readonly (number | bigint)[], dataType: DataType): Change {
  const { scale, offset, bits } = packingOf(array)
  const renumbering = { multiply: scale.value, add: offset.value, sentinels: inBits(sentinels, bits) }
  const codec = renumber.stored({ type: typeName(array.dataType), asType: typeName(bits), ...renumbering })
  const [fill] = inBits(finiteNumber(array.fillValue), bits)
  const fillValue = fill === undefined ? Number.NaN : renumberer(renumbering, dataType)(fill)
  return { codec, dataType, fillValue: numberScalar(fillValue, dataType), invalid: notANumber(dataType) }
}
