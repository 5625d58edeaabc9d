import { type ChunkIndex, gridShapeOf } from './chunk-index.ts'
import { type ChunkRef, MISSING } from './chunk-ref.ts'
import { type Maker, recipe } from './recipe.ts'
import { runRange } from './run-chunks.ts'
import { elementCount } from './shape.ts'

/** Values that lie together in C order: in one run of a file, or in pieces of several. */
export interface RunLayout {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly itemSize: number
  /** The stored bytes from an offset of the values on; throws where the file does not have them. */
  refAt(offset: number, length: number): ChunkRef
}

/** Chunks of such values, found by arithmetic: a chunk is one run, since only leading axes are cut. */
export function runIndex(layout: RunLayout): ChunkIndex {
  const { shape, chunkShape, itemSize } = layout
  return {
    gridShape: gridShapeOf(shape, chunkShape),
    at(coords) {
      const { offset, length } = runRange(shape, chunkShape, itemSize, coords)
      return layout.refAt(offset, length)
    },
    isComplete: () => true,
    weight: () => 600,
  }
}

interface FileRun extends Omit<RunLayout, 'refAt'> {
  readonly source: number
  /** Of the first value. */
  readonly offset: number
}

/** The same in one run of another file, of whose length nothing is known here. */
export const runInSource = recipe('run-in-source', ({ source, offset, ...layout }: FileRun): ChunkIndex => {
  const refAt = (from: number, length: number): ChunkRef => {
    return { kind: 'range', source, offset: offset + from, length, encoding: 0 }
  }
  return runIndex({ ...layout, refAt })
})

/** An array of which nothing was ever written. */
export function missingIndex(shape: readonly number[], chunkShape: readonly number[]): ChunkIndex {
  return missing(gridShapeOf(shape, chunkShape))
}

const missing = recipe('missing', (gridShape: readonly number[]): ChunkIndex => {
  return { gridShape, at: () => MISSING, isComplete: () => gridShape.includes(0), weight: () => 300 }
})

/** Values within the metadata, as one chunk; `source` is what they point into, where they do. */
export function inlineIndex(
  shape: readonly number[],
  chunkShape: readonly number[],
  bytes: Uint8Array,
  source?: number,
): ChunkIndex {
  return inline({ gridShape: gridShapeOf(shape, chunkShape), bytes, source })
}

interface InlineInput {
  readonly gridShape: readonly number[]
  readonly bytes: Uint8Array
  readonly source: number | undefined
}

const inline = recipe('inline', ({ gridShape, bytes, source }: InlineInput): ChunkIndex => {
  const whole: ChunkRef = { kind: 'inline', bytes, encoding: 0, ...(source === undefined ? {} : { source }) }
  const ref = gridShape.includes(0) ? MISSING : whole
  return { gridShape, at: () => ref, isComplete: () => true, weight: () => bytes.length + 300 }
})

/** An array of one value all over, which is not its fill value: `item` is that value as it is stored. Its chunks are whole. */
export function constantIndex(shape: readonly number[], chunkShape: readonly number[], item: Uint8Array): ChunkIndex {
  const length = elementCount(chunkShape) * item.length
  return constant({ gridShape: gridShapeOf(shape, chunkShape), item, length })
}

interface ConstantInput {
  readonly gridShape: readonly number[]
  readonly item: Uint8Array
  /** Of a chunk. */
  readonly length: number
}

const constant = recipe(
  'constant',
  ({ gridShape, item, length }: ConstantInput): ChunkIndex => ({
    gridShape,
    at: () => ({ kind: 'inline', bytes: repeated(item, length), encoding: 0 }),
    isComplete: () => true,
    weight: () => 400,
  }),
)

export const plainMakers: readonly Maker[] = [runInSource, missing, inline, constant]

/** The same bytes again and again. */
export function repeated(item: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(item.subarray(0, length))
  for (let filled = Math.max(item.length, 1); filled < length; filled *= 2) bytes.copyWithin(filled, 0, filled)
  return bytes
}
