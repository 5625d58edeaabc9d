import { type ErrorContext, malformed } from '../../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { runRange } from '../../model/run-chunks.ts'
import { elementCount } from '../../model/shape.ts'
import type { Chunking } from './chunking.ts'
import type { VariableLayout } from './layout.ts'

/** What an index was made of; everything else is arithmetic. */
export interface IndexInput {
  readonly layout: VariableLayout
  readonly chunking: Chunking
  readonly itemSize: number
  readonly fileSize: number
  readonly context: ErrorContext
}

/** Bytes that an index holds: a few small objects. */
const WEIGHT = 512

/** Finds the chunks of a variable: no table, whatever their number. */
export function chunkIndexOf(input: IndexInput): ChunkIndex {
  const gridShape = gridShapeOf(input.layout.shape, input.chunking.shape)
  const complete = endOfVariable(input.layout) <= input.fileSize
  return {
    gridShape,
    at: (coords) => checked(input.chunking.gathered ? slabsAt(input, coords) : runAt(input, coords), input),
    isComplete: () => complete,
    weight: () => WEIGHT,
  }
}

/** The first position behind a variable's last value. */
export function endOfVariable({ begin, slab, records }: VariableLayout): number {
  if (records === undefined) return begin + slab
  return records.count === 0 ? 0 : begin + (records.count - 1) * records.stride + slab
}

/** Records `n * chunk length` to the chunk's end, or the last one. */
function slabsAt({ layout, chunking }: IndexInput, coords: readonly number[]): ChunkRef {
  const { begin, slab, records } = layout
  const { count: total, stride } = records ?? { count: 1, stride: slab }
  const length = chunking.shape[0] ?? 1
  const first = (coords[0] ?? 0) * length
  const count = Math.min(length, total - first)
  const offset = begin + first * stride
  if (count === 1) return { kind: 'range', source: 0, offset, length: slab, encoding: 0 }
  return { kind: 'strided', source: 0, offset, length: slab, stride, count, encoding: 0 }
}

/**
 * One run of bytes: a chunk has length 1 along the axes before the one that is cut, and is whole along those behind it. Its
 * values therefore lie together, those of a chunk that is cut off at the edge too.
 */
function runAt({ layout, chunking, itemSize }: IndexInput, coords: readonly number[]): ChunkRef {
  const { shape, records, begin } = layout
  const run = runRange(shape, chunking.shape, itemSize, coords)
  const first = (coords[0] ?? 0) * (chunking.shape[0] ?? 1)
  // Records that are cut within themselves, or that lie side by side: their first axis steps by the stride.
  const apart = records === undefined ? 0 : records.stride - itemSize * elementCount(shape.slice(1))
  const offset = begin + run.offset + first * apart
  const { length } = run
  return { kind: 'range', source: 0, offset, length, encoding: 0 }
}

/** What the file does not hold must not be read as zeros: a file that was cut off fails where it was cut. */
function checked(ref: ChunkRef, { fileSize, context }: IndexInput): ChunkRef {
  const end = lastByteOf(ref)
  if (end <= fileSize) return ref
  throw malformed(`the chunk ends at byte ${end} of a file of ${fileSize} bytes: the file is cut off`, context)
}

function lastByteOf(ref: ChunkRef): number {
  switch (ref.kind) {
    case 'range':
      return ref.offset + ref.length
    case 'strided':
      return ref.offset + (ref.count - 1) * ref.stride + ref.length
    case 'ranges':
    case 'object':
    case 'inline':
    case 'assembled':
    case 'missing':
      return 0
  }
}
