import { malformed, unsupported } from '../../errors.ts'
import { type DataType, itemSize, type StructField } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import { recordEncoding } from '../hdf5-elements/records.ts'
import { numberType } from './dap-types.ts'
import type { DmrVariable } from './document.ts'
import type { ElementPlan } from './element-plan.ts'
import { countsFromText } from './numbers.ts'

/** A member of a structure: elements side by side. */
export interface RecordMember {
  readonly name: string
  readonly type: DataType
  readonly size: number
  readonly shape: readonly number[]
  readonly count: number
}

const MOST_RECORD_BYTES = 2 ** 24

/**
 * Records of numbers. `structOffset` gives where each member but the first begins, and the size of a record last; without it
 * the members lie side by side.
 */
export function planRecord(variable: DmrVariable, endian: 'little' | 'big'): ElementPlan {
  const members = variable.fields.map(memberOf)
  if (members.length === 0) throw unsupported('DAP4 Structure', 'a structure without members')
  if (new Set(members.map(({ name }) => name)).size !== members.length) throw malformed('two members of one name')
  const packed = members.reduce((size, member) => size + member.size * member.count, 0)
  if (packed > MOST_RECORD_BYTES) throw unsupported('DAP4 Structure', `records of ${packed} bytes`)
  const fields = members.map(
    ({ name, type, shape }): StructField => ({ name, type, ...(shape.length === 0 ? {} : { shape }) }),
  )
  const dataType: DataType = { kind: 'structured', fields }
  const { starts, size } = offsetsOf(variable.storage.chunks?.get('structOffset'), members, packed)
  const isBig = endian === 'big'
  const runs = members.map(({ size: bytes, count }, i) => ({ offset: starts[i] ?? 0, size: bytes, count, isBig }))
  return { dataType, codecs: recordEncoding(size, runs), size }
}

/** A member that is a number, or an array of them. */
export function memberOf({ name, type, dimensions }: DmrVariable): RecordMember {
  const dataType = numberType(type)
  const size = dataType === undefined ? undefined : itemSize(dataType)
  if (dataType === undefined || size === undefined) {
    throw unsupported('DAP4 Structure', `a structure with the member ${name} of type ${type}`)
  }
  const shape = dimensions.map(({ length }) => length)
  return { name, type: dataType, size, shape, count: elementCount(shape) }
}

interface Offsets {
  readonly starts: readonly number[]
  readonly size: number
}

function offsetsOf(text: string | undefined, members: readonly RecordMember[], packed: number): Offsets {
  if (text === undefined) {
    let end = 0
    const starts = members.map(({ size, count }) => {
      end += size * count
      return end - size * count
    })
    return { starts, size: packed }
  }
  const list = countsFromText(text)
  const size = list?.at(-1)
  if (list === undefined || size === undefined || list.length !== members.length || size > MOST_RECORD_BYTES) {
    throw malformed(`structOffset is ${JSON.stringify(text.slice(0, 100))}, expected ${members.length} positions`)
  }
  const starts = [0, ...list.slice(0, -1)]
  members.forEach((member, i) => {
    const end = (starts[i] ?? 0) + member.size * member.count
    if (end > (starts[i + 1] ?? size))
      throw malformed(`member ${member.name} ends at ${end}, behind the next one's beginning`)
  })
  return { starts, size }
}
