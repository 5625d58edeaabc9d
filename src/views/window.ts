import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import { composedArray, storedArray } from '../model/composed-array.ts'
import type { Box, SkippedArray, StoredArray, VirtualArray } from '../model/virtual-store.ts'

/**
 * A box of an array as an array of its own. Where it begins with a chunk its chunks stay what they are, byte ranges included;
 * elsewhere they are composed of those of the whole.
 */
export function windowOf(array: VirtualArray, box: Box): VirtualArray {
  const { shape, chunkShape, operation } = array
  if (box.shape.every((length, axis) => length === shape[axis])) return array
  const maskedBy = array.maskedBy === undefined ? undefined : maskWindow(array.maskedBy, box)
  const spec = { ...array, shape: box.shape, maskedBy }
  if (operation === undefined) {
    const edges = edgesWithin(array, box)
    if (edges !== undefined) return storedArray(spec, { ...array, edges, chunks: movedIndex(array, box) })
  } else if (operation.kind === 'mask') {
    const mask = windowOf(operation.mask, lastAxes(box, operation.mask.shape.length))
    return composedArray(spec, { kind: 'mask', values: windowOf(operation.values, box), mask })
  }
  const keepsChunks = operation !== undefined && operation.kind !== 'coarsen' && isOnGrid(array, box)
  const ownChunks = keepsChunks ? chunkShape : withinShape(chunkShape, box.shape)
  return composedArray({ ...spec, chunkShape: ownChunks }, { kind: 'window', of: array, origin: box.origin })
}

/** The values of an array in other chunks. */
export function rechunked(array: VirtualArray, chunkShape: readonly number[]): VirtualArray {
  return composedArray({ ...array, chunkShape }, { kind: 'rechunk', of: array })
}

function maskWindow(mask: VirtualArray | SkippedArray, box: Box): VirtualArray | SkippedArray {
  return mask.kind === 'skipped' ? mask : windowOf(mask, lastAxes(box, mask.shape.length))
}

function lastAxes({ origin, shape }: Box, count: number): Box {
  const first = shape.length - count
  return { origin: origin.slice(first), shape: shape.slice(first) }
}

/** A chunk that is many times as long as what is left of the array would only be filled up. */
function withinShape(chunkShape: readonly number[], shape: readonly number[]): readonly number[] {
  return chunkShape.map((length, axis) => Math.min(length, Math.max(1, shape[axis] ?? 1)))
}

function isOnGrid({ chunkShape }: VirtualArray, { origin }: Box): boolean {
  return origin.every((at, axis) => at % (chunkShape[axis] ?? 1) === 0)
}

/**
 * How the chunks of a box are stored at its far edge, where it lies on the grid of the array; undefined where they would have to
 * be cut or filled up one by one.
 */
function edgesWithin(array: StoredArray, box: Box): StoredArray['edges'] | undefined {
  const { shape, chunkShape, edges } = array
  if (!isOnGrid(array, box)) return undefined
  if (edges === 'padded') return 'padded'
  const ends = box.origin.map((at, axis) => at + (box.shape[axis] ?? 0))
  const endsOnGrid = ends.every((end, axis) => end === shape[axis] || end % (chunkShape[axis] ?? 1) === 0)
  if (endsOnGrid) return 'cropped'
  const areWhole = ends.every((end, axis) => {
    const length = chunkShape[axis] ?? 1
    return Math.ceil(end / length) * length <= (shape[axis] ?? 0)
  })
  return areWhole ? 'padded' : undefined
}

function movedIndex({ chunks, chunkShape }: StoredArray, box: Box): ChunkIndex {
  const first = box.origin.map((at, axis) => at / (chunkShape[axis] ?? 1))
  return {
    gridShape: gridShapeOf(box.shape, chunkShape),
    of: chunks,
    at: (coords, signal) =>
      chunks.at(
        coords.map((at, axis) => at + (first[axis] ?? 0)),
        signal,
      ),
    weight: () => chunks.weight(),
  }
}
