import type { RawSentinel } from '../../fill-value/raw-sentinel.ts'
import { type ReadSentinels, sentinelsAmong } from '../../fill-value/sentinels.ts'
import type { DataType } from '../../model/data-type.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { packedRecord } from '../hdf5-elements/records.ts'
import { complexPart, floatOf } from './elements/formats.ts'
import { planRecord } from './elements/record-plan.ts'
import { countOf } from './messages/dataspace.ts'
import type { Attribute } from './objects.ts'

/** An array's attributes, as stored and as served. */
export interface SentinelInput {
  readonly raw: readonly Attribute[]
  readonly values: ReadonlyMap<string, AttributeValue>
  readonly dataType: DataType
  readonly path: string
}

/** What marks a missing point; typed sources warn of what their type can't hold by default (FV-15, FV-HDF5-6). */
export function sentinelsOf({ raw, values, ...array }: SentinelInput, context: ParseContext): ReadSentinels {
  const sentinel = (name: string) => complexSentinel(raw, name) ?? recordSentinel(raw, name, array.dataType)
  const fillValue = sentinel('_FillValue')
  const missingValue = sentinel('missing_value')
  return sentinelsAmong(values, { ...array, fillValue, missingValue }, context)
}

/** JSON has no complex numbers: those are handed over as such. */
function complexSentinel(attributes: readonly Attribute[], name: string): RawSentinel | undefined {
  const attribute = attributes.find((candidate) => candidate.name === name)
  if (attribute === undefined || countOf(attribute.space) !== 1) return undefined
  const part = complexPart(attribute.type)
  if (part === undefined) return undefined
  const re = floatOf(attribute.data.subarray(0, part.size), part)
  const im = floatOf(attribute.data.subarray(part.size, 2 * part.size), part)
  return re === undefined || im === undefined
    ? undefined
    : { kind: 'scalar', value: { kind: 'complex', value: [re, im] } }
}

/** Records are handed over as their bytes, whose parts mark missing points of the fields. */
function recordSentinel(attributes: readonly Attribute[], name: string, dataType: DataType): RawSentinel | undefined {
  const attribute = attributes.find((candidate) => candidate.name === name)
  if (attribute === undefined || dataType.kind !== 'structured' || attribute.type.class !== 'compound') return undefined
  if (countOf(attribute.space) !== 1) return undefined
  const record = planRecord(attribute.type)
  if (JSON.stringify(record.dataType) !== JSON.stringify(dataType)) return undefined
  return { kind: 'scalar', value: { kind: 'bytes', value: packedRecord(attribute.data, record.runs) } }
}
