import { anyText } from '../../bytes/text.ts'
import { withoutPadding } from '../../codecs/own/fixed-text.ts'
import { malformed, unsupported } from '../../errors.ts'
import { scalarFromBytes } from '../../fill-value/from-bytes.ts'
import { isSameScalar } from '../../fill-value/numbers.ts'
import { type DataType, type Scalar, zeroOf } from '../../model/data-type.ts'
import { packedRecord } from '../hdf5-elements/records.ts'
import { sequenceBytes } from './elements/attribute-value.ts'
import { complexPart, floatOf, ieeeBits, integerOf, wholeBits } from './elements/formats.ts'
import type { ElementPlan } from './elements/plan.ts'
import { planRecord } from './elements/record-plan.ts'
import type { Datatype } from './messages/datatype.ts'
import type { FillValue } from './messages/fill-value.ts'
import type { ValueWorld } from './world.ts'

/** What unwritten elements read as, and where that was said. */
export interface Fill {
  readonly value: Scalar
  readonly origin: string
}

/** The fill value of a dataset in the type that it is served in (FV-HDF5-1, FV-HDF5-2). */
export async function fillOf(
  fill: FillValue,
  type: Datatype,
  plan: ElementPlan,
  world: Pick<ValueWorld, 'file' | 'heaps'>,
): Promise<Fill> {
  const zero = zeroFill(plan.dataType)
  if (fill.state === 'default') return { value: zero, origin: 'default of the format' }
  if (fill.state === 'undefined') return { value: zero, origin: 'zero: the file says that there is none' }
  const { bytes } = fill
  if (bytes.length !== type.size) {
    throw malformed(`a fill value of ${bytes.length} bytes for elements of ${type.size}`)
  }
  const { stored } = plan
  const values: Scalar[] = []
  for (let at = 0; at < bytes.length; at += stored.size) {
    values.push(await scalarOf(bytes.subarray(at, at + stored.size), stored, plan.dataType, world))
  }
  const [first, ...others] = values
  if (first === undefined) return { value: zero, origin: 'default of the format' }
  if (!others.every((other) => isSameScalar(first, other))) {
    throw unsupported('fill value of several values', 'elements that are arrays, with a fill value of several values')
  }
  return { value: first, origin: 'fill value message' }
}

/** The library's default is zero bytes: for times that is the epoch, not "not a time". */
function zeroFill(type: DataType): Scalar {
  return type.kind === 'datetime' || type.kind === 'timedelta' ? { kind: 'bigint', value: 0n } : zeroOf(type)
}

async function scalarOf(
  bytes: Uint8Array,
  stored: Datatype,
  type: DataType,
  world: Pick<ValueWorld, 'file' | 'heaps'>,
): Promise<Scalar> {
  if (stored.class === 'vlen-string') {
    const text = withoutPadding(await sequenceBytes(bytes, 1, world), stored.padding)
    return { kind: 'string', value: anyText(text) }
  }
  if ((stored.class === 'integer' || stored.class === 'bitfield') && wholeBits(stored) === undefined) {
    const value = integerOf(bytes, stored)
    return isWide(type) ? { kind: 'bigint', value } : { kind: 'number', value: Number(value) }
  }
  if (stored.class === 'float' && ieeeBits(stored) === undefined) {
    return { kind: 'number', value: floatOf(bytes, stored) ?? 0 }
  }
  const isRecord = stored.class === 'compound' && type.kind === 'structured'
  const scalar = isRecord
    ? scalarFromBytes(packedRecord(bytes, planRecord(stored).runs), type, 'little')
    : scalarFromBytes(bytes, type, endianOf(stored))
  if (scalar === undefined) throw malformed(`a fill value of ${bytes.length} bytes that is no ${type.kind}`)
  return scalar
}

function isWide(type: DataType): boolean {
  return (type.kind === 'int' || type.kind === 'uint') && type.bits === 64
}

function endianOf(stored: Datatype): 'little' | 'big' {
  if (stored.class === 'enum') return endianOf(stored.base)
  if (stored.class === 'integer' || stored.class === 'bitfield' || stored.class === 'float') return stored.endian
  return complexPart(stored)?.endian ?? 'little'
}
