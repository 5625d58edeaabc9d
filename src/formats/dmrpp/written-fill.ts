import { unsupported } from '../../errors.ts'
import type { ChunkIndex } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { type DataType, itemSize } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { elementCount } from '../../model/shape.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import type { InlineBudget } from './inline-budget.ts'

const MOST_BYTES = 2 ** 24

/**
 * Records whose fill has several values within one member: no array of that member could say them as its fill value. Chunks
 * that were never written are therefore served as chunks that hold the fill.
 */
export function withWrittenFill(array: VirtualArray, spend: InlineBudget): VirtualArray {
  const { dataType, fillValue, chunkShape, encodings } = array
  if (dataType.kind !== 'structured' || fillValue.kind !== 'bytes' || isUniform(fillValue.value, dataType)) return array
  const count = elementCount(chunkShape)
  const record = fillValue.value
  if (count * record.length > MOST_BYTES) {
    throw unsupported('fill value of several values', 'members that are arrays, with a fill value of several values')
  }
  spend(count * record.length)
  const bytes = new Uint8Array(count * record.length)
  for (let at = 0; at < bytes.length; at += record.length) bytes.set(record, at)
  const fill: ChunkRef = { kind: 'inline', bytes, encoding: encodings.length }
  return {
    ...array,
    encodings: [...encodings, rawEncoding('little')],
    chunks: withFill(array.chunks, fill, bytes.length),
  }
}

function withFill(chunks: ChunkIndex, fill: ChunkRef, weight: number): ChunkIndex {
  return {
    gridShape: chunks.gridShape,
    at: async (coords, signal) => {
      const ref = await chunks.at(coords, signal)
      return ref.kind === 'missing' ? fill : ref
    },
    isComplete: () => true,
    weight: () => chunks.weight() + weight,
  }
}

/** Whether each member has one fill value for all its elements. */
function isUniform(record: Uint8Array, { fields }: Extract<DataType, { readonly kind: 'structured' }>): boolean {
  let at = 0
  for (const { type, shape } of fields) {
    const size = itemSize(type) ?? 0
    const end = at + size * elementCount(shape ?? [])
    for (let next = at + size; next < end; next++) if (record[next] !== record[next - size]) return false
    at = end
  }
  return true
}
