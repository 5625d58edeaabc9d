import { type ErrorContext, malformed, unsupported } from '../../../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../../../model/chunk-index.ts'
import type { RunLayout } from '../../../model/plain-indexes.ts'
import { inlineIndex, missingIndex, runIndex } from '../../../model/plain-indexes.ts'
import { recipe } from '../../../model/recipe.ts'
import { valuesChunkShape } from '../../../model/run-chunks.ts'
import { elementCount } from '../../../model/shape.ts'
import type { StoredArray } from '../../../model/virtual-store.ts'
import { maskedEncodings } from '../../hdf5-elements/masked-encodings.ts'
import { chunkIndexOf } from '../chunks/chunk-index.ts'
import type { ElementPlan } from '../elements/plan.ts'
import type { ChunkedLayout } from '../messages/data-layout.ts'
import type { Dataspace } from '../messages/dataspace.ts'
import type { Hdf5World, NamedDataset } from '../world.ts'
import { filterCodecs } from './filters.ts'

/** What an array says of how and where it is stored. */
export type Storage = Pick<StoredArray, 'chunkShape' | 'encodings' | 'edges' | 'chunks'>

/** How and where a dataset's elements are stored, those in other files and virtual ones excepted. */
export function storageOf(named: NamedDataset, plan: ElementPlan, world: Hdf5World, place: ErrorContext): Storage {
  const { layout } = named.dataset
  return layout.kind === 'chunked'
    ? chunkedStorage(named, layout, plan, world, place)
    : runStorage(named, plan, world, place)
}

/** Values that lie together: in the file, or in the object header itself. */
function runStorage(named: NamedDataset, plan: ElementPlan, world: Hdf5World, place: ErrorContext): Storage {
  const { file } = world
  const { layout, type, space } = named.dataset
  const outer = world.dimensions.shapeOf(named)
  if (outer.join() !== shapeIn(space).join())
    throw unsupported('NetCDF dimension', 'an unlimited dimension without chunks')
  const shape = [...outer, ...plan.innerShape]
  const itemSize = plan.stored.size
  const chunkShape = valuesChunkShape(shape, plan.dataType, itemSize)
  const count = elementCount(shape)
  const storage = { chunkShape, encodings: [plan.codecs], edges: 'cropped' as const }
  if (layout.kind === 'compact') {
    const needed = count * itemSize
    if (layout.bytes.length < needed)
      throw malformed(`compact values of ${layout.bytes.length} bytes, expected ${needed}`)
    return {
      ...storage,
      chunkShape: shape.map((length) => Math.max(length, 1)),
      chunks: inlineIndex(shape, shape, layout.bytes.subarray(0, needed), 0),
    }
  }
  if (layout.kind !== 'contiguous' || layout.address === undefined || count === 0) {
    return { ...storage, chunks: missingIndex(shape, chunkShape) }
  }
  if (layout.size !== undefined && layout.size < count * itemSize) {
    throw malformed(
      `${layout.size} bytes of values where type ${type.class} and shape [${shape}] need ${count * itemSize}`,
    )
  }
  const start = file.base + layout.address
  return { ...storage, chunks: runInFile({ shape, chunkShape, itemSize, start, end: file.base + file.end, place }) }
}

function chunkedStorage(
  named: NamedDataset,
  layout: ChunkedLayout,
  plan: ElementPlan,
  world: Hdf5World,
  place: ErrorContext,
): Storage {
  const { file } = world
  const { type, space, filters } = named.dataset
  const stored = shapeIn(space)
  if (layout.chunkShape.length !== stored.length || stored.length === 0) {
    throw malformed(`chunks of ${layout.chunkShape.length} dimensions in an array of ${stored.length}`)
  }
  if (layout.elementSize !== type.size) {
    throw malformed(`chunks of elements of ${layout.elementSize} bytes, where the type has ${type.size}`)
  }
  const outer = world.dimensions.shapeOf(named)
  const chunkShape = [...layout.chunkShape, ...plan.innerShape]
  const shape = [...outer, ...plan.innerShape]
  const storage = { chunkShape, edges: 'padded' as const }
  if (layout.address === undefined || shape.includes(0)) {
    return { ...storage, encodings: [plan.codecs], chunks: missingIndex(shape, chunkShape) }
  }
  const chunkBytes = layout.chunkShape.reduce((product, length) => product * length, type.size)
  const planned = maskedEncodings(plan.codecs, filterCodecs(filters, type))
  const chunks: ChunkIndex = chunkIndexOf({
    file,
    layout,
    address: layout.address,
    grid: {
      gridShape: gridShapeOf(outer, layout.chunkShape),
      mostChunks: mostChunksOf(space, layout.chunkShape),
      chunkShape: layout.chunkShape,
      chunkBytes,
      isFiltered: filters.length > 0,
    },
    shape: stored,
    gridShape: gridShapeOf(shape, chunkShape),
    encodingOf: planned.encodingOf,
    place,
  })
  return { ...storage, encodings: planned.encodings, chunks }
}

function shapeIn(space: Dataspace): readonly number[] {
  return space.kind === 'simple' ? space.shape : []
}

function mostChunksOf(space: Dataspace, chunkShape: readonly number[]): readonly (number | undefined)[] {
  if (space.kind !== 'simple') return []
  return space.maximum.map((most, axis) => (most === undefined ? undefined : Math.ceil(most / (chunkShape[axis] ?? 1))))
}

interface RunInput extends Omit<RunLayout, 'refAt'> {
  readonly start: number
  /** Of the file. */
  readonly end: number
  readonly place: ErrorContext
}

/** Values in one run of the parsed file. */
export const runInFile = recipe('hdf5.run', ({ start, end, place, ...layout }: RunInput): ChunkIndex => {
  const refAt: RunLayout['refAt'] = (offset, length) => {
    if (start + offset + length > end) {
      throw malformed(`the values end at byte ${start + offset + length} of a file of ${end} bytes`, {
        ...place,
        offset: start,
      })
    }
    return { kind: 'range', source: 0, offset: start + offset, length, encoding: 0 }
  }
  return runIndex({ ...layout, refAt })
})
