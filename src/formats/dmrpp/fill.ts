import { scalarFromText } from '../../fill-value/from-text.ts'
import { type DataType, itemSize, type Scalar, type StructField, zeroOf } from '../../model/data-type.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import { elementCount } from '../../model/shape.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { DmrVariable } from './document.ts'
import { wordsOf } from './numbers.ts'
import type { PlacedVariable } from './storage.ts'

type Fill = Pick<VirtualArray, 'fillValue' | 'fillOrigin'>

/** What a writer puts where it can't say the value. */
const UNSUPPORTED = /^unsupported/

/** FV-DMRPP-1: the attribute `fillValue` of the chunks, in the type of the variable; else the zero of the type, and a word about it. */
export function fillOf(variable: DmrVariable, placed: PlacedVariable, path: string, { warn }: ParseContext): Fill {
  const { dataType } = placed.plan
  const zero: Fill = { fillValue: zeroOf(dataType), fillOrigin: 'zero: the sidecar says none' }
  const text = variable.storage.chunks?.get('fillValue')
  if (text === undefined) {
    const message = 'the sidecar gives no fill value: chunks that were never written read as zero'
    if (placed.showsFill) warn({ code: 'fill-unknown', message, path })
    return zero
  }
  const fillValue = UNSUPPORTED.test(text) ? undefined : scalarOf(text, dataType)
  if (fillValue !== undefined) return { fillValue, fillOrigin: 'attribute fillValue of dmrpp:chunks' }
  if (placed.showsFill) {
    const message = `the fill value is ${JSON.stringify(text.slice(0, 100))}, no value of the type: zero is taken`
    warn({ code: 'fill-unusable', message, path, values: [text.slice(0, 100)] })
  }
  return { ...zero, fillOrigin: 'zero: the sidecar gives no value of the type' }
}

function scalarOf(text: string, type: DataType): Scalar | undefined {
  if (type.kind === 'structured') return recordOf(text, type)
  const read = scalarFromText(text, type)
  return read.kind === 'ok' ? read.value : undefined
}

/** One word for each number of a record, or one for all. */
function recordOf(text: string, type: Extract<DataType, { readonly kind: 'structured' }>): Scalar | undefined {
  const words = wordsOf(text)
  const counts = type.fields.map(countOf)
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (words.length !== 1 && words.length !== total) return undefined
  const record = new Uint8Array(itemSize(type) ?? 0)
  let at = 0
  let word = 0
  for (const [index, field] of type.fields.entries()) {
    for (let i = 0; i < (counts[index] ?? 0); i++, word++) {
      const scalar = scalarOf(words[words.length === 1 ? 0 : word] ?? '', field.type)
      if (scalar === undefined) return undefined
      const bytes = scalarToBytes(scalar, field.type)
      record.set(bytes, at)
      at += bytes.length
    }
  }
  return { kind: 'bytes', value: record }
}

function countOf({ shape }: StructField): number {
  return elementCount(shape ?? [])
}
