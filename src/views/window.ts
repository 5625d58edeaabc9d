import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import { ASSEMBLED } from '../model/chunk-ref.ts'
import type { Box, SkippedArray, StoredPart, VirtualArray } from '../model/virtual-store.ts'

/**
 * A box of an array as an array of its own. Where it begins with a chunk its chunks stay what they are, byte ranges included;
 * elsewhere they are assembled from those of the whole.
 */
export function windowOf(array: VirtualArray, box: Box): VirtualArray {
  const { shape, chunkShape, masked, reduced } = array
  if (box.shape.every((length, axis) => length === shape[axis])) return array
  const maskedBy = array.maskedBy === undefined ? undefined : maskWindow(array.maskedBy, box)
  const own = { ...array, shape: box.shape, maskedBy }
  if (masked !== undefined) {
    const mask = windowOf(masked.mask, lastAxes(box, masked.mask.shape.length))
    const chunks = assembledIndex(own.shape, chunkShape)
    return { ...own, masked: { values: windowOf(masked.values, box), mask }, chunks }
  }
  const edges = reduced === undefined ? edgesWithin(array, box) : undefined
  if (edges === undefined)
    return assembledFrom(array, { ...own, chunkShape: withinShape(chunkShape, box.shape) }, box.origin)
  return { ...own, edges, ...movedParts(array, box.origin), chunks: movedIndex(array, box) }
}

/** The values of an array in other chunks. */
export function rechunked(array: VirtualArray, chunkShape: readonly number[]): VirtualArray {
  return assembledFrom(
    array,
    { ...array, chunkShape },
    chunkShape.map(() => 0),
  )
}

function assembledFrom(array: VirtualArray, like: VirtualArray, at: readonly number[]): VirtualArray {
  const { masked: _masked, reduced: _reduced, joined: _joined, ...own } = like
  const origin = at.map((from) => (from === 0 ? 0 : -from))
  const chunks = assembledIndex(like.shape, like.chunkShape)
  return { ...own, encodings: [], edges: 'padded', stored: [{ array, origin }], chunks }
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

/**
 * How the chunks of a box are stored at its far edge, where it lies on the grid of the array; undefined where they would have to
 * be cut or filled up one by one.
 */
function edgesWithin({ shape, chunkShape, edges }: VirtualArray, box: Box): VirtualArray['edges'] | undefined {
  if (box.origin.some((at, axis) => at % (chunkShape[axis] ?? 1) !== 0)) return undefined
  if (edges === 'padded') return 'padded'
  const ends = box.origin.map((at, axis) => at + (box.shape[axis] ?? 0))
  const isOnGrid = ends.every((end, axis) => end === shape[axis] || end % (chunkShape[axis] ?? 1) === 0)
  if (isOnGrid) return 'cropped'
  const areWhole = ends.every((end, axis) => {
    const length = chunkShape[axis] ?? 1
    return Math.ceil(end / length) * length <= (shape[axis] ?? 0)
  })
  return areWhole ? 'padded' : undefined
}

/** What an array is made of, counted from elsewhere. */
function movedParts(
  { stored, joined }: VirtualArray,
  from: readonly number[],
): Pick<VirtualArray, 'stored' | 'joined'> {
  const moved = (part: StoredPart): StoredPart => ({
    ...part,
    origin: part.origin.map((at, axis) => at - (from[axis] ?? 0)),
  })
  if (joined === undefined) return { stored: stored?.map(moved), joined: undefined }
  return {
    stored: undefined,
    joined: {
      within: async ({ origin, shape }, signal) =>
        (await joined.within({ origin: origin.map((at, axis) => at + (from[axis] ?? 0)), shape }, signal)).map(moved),
    },
  }
}

function movedIndex({ chunks, chunkShape }: VirtualArray, box: Box): ChunkIndex {
  const first = box.origin.map((at, axis) => at / (chunkShape[axis] ?? 1))
  return {
    gridShape: gridShapeOf(box.shape, chunkShape),
    at: (coords, signal) =>
      chunks.at(
        coords.map((at, axis) => at + (first[axis] ?? 0)),
        signal,
      ),
    weight: () => chunks.weight(),
  }
}

function assembledIndex(shape: readonly number[], chunkShape: readonly number[]): ChunkIndex {
  return { gridShape: gridShapeOf(shape, chunkShape), at: () => ASSEMBLED, weight: () => 200 }
}
