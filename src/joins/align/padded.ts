import { overLimit } from '../../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import { ASSEMBLED, MISSING } from '../../model/chunk-ref.ts'
import type { StoredPart, VirtualArray } from '../../model/virtual-store.ts'
import type { Run } from './labels.ts'

/** How an axis becomes longer: how long, and which parts of it go where. */
export interface Placement {
  readonly length: number
  readonly runs: readonly Run[]
}

/** Pieces that an array is put down in: each costs its reader a look. */
const MOST_PIECES = 4096

/** An array among missing values: what no piece of it covers reads as its fill value. */
export function padded(array: VirtualArray, axes: readonly (Placement | undefined)[]): VirtualArray {
  if (axes.every((axis) => axis === undefined)) return array
  const shape = array.shape.map((length, axis) => axes[axis]?.length ?? length)
  const stored = piecesOf(array, axes)
  const [only] = stored
  const { maskedBy: _mask, joined: _joined, ...own } = array
  const isWhole = stored.length === 1 && only?.array === array
  const at = isWhole ? movedIndex(array, only.origin) : () => ASSEMBLED
  const chunks: ChunkIndex = {
    gridShape: gridShapeOf(shape, array.chunkShape),
    at,
    weight: () => array.chunks.weight(),
  }
  const encodings = isWhole && array.joined === undefined ? array.encodings : []
  return { ...own, shape, edges: 'padded', encodings, stored, chunks }
}

function piecesOf(array: VirtualArray, axes: readonly (Placement | undefined)[]): StoredPart[] {
  const boxes = boxesOf(
    array.shape,
    axes.map((axis) => axis?.runs),
  )
  return boxes.map((box) => ({ array: cut(array, box), origin: box.map(({ to }) => to) }))
}

/** The boxes that runs along each axis make; an axis without any is one run. */
export function boxesOf(
  shape: readonly number[],
  runs: readonly (readonly Run[] | undefined)[],
): readonly (readonly Run[])[] {
  const all = shape.map((length, axis) => runs[axis] ?? [{ from: 0, to: 0, length }])
  const count = all.reduce((product, { length }) => product * length, 1)
  if (count > MOST_PIECES) {
    throw overLimit(`a variable is put down in ${count} pieces, at most ${MOST_PIECES} are: its coordinates alternate`)
  }
  let boxes: (readonly Run[])[] = [[]]
  for (const axis of all) boxes = boxes.flatMap((box) => axis.map((run) => [...box, run]))
  return boxes
}

/** A box of an array, as an array that is made of it. */
function cut(array: VirtualArray, box: readonly Run[]): VirtualArray {
  if (box.every(({ from, length }, axis) => from === 0 && length === array.shape[axis])) return array
  const shape = box.map(({ length }) => length)
  const { maskedBy: _mask, joined: _joined, ...own } = array
  return {
    ...own,
    shape,
    edges: 'padded',
    encodings: [],
    stored: [{ array, origin: box.map(({ from }) => -from) }],
    chunks: { gridShape: gridShapeOf(shape, array.chunkShape), at: () => ASSEMBLED, weight: () => 0 },
  }
}

/** Chunks that are whole chunks of the array stay that, as long as it begins where one of them does. */
function movedIndex({ shape, chunkShape, chunks }: VirtualArray, origin: readonly number[]): ChunkIndex['at'] {
  const isAligned = origin.every((at, axis) => at % (chunkShape[axis] ?? 1) === 0)
  return (coords, signal) => {
    const low = coords.map((at, axis) => at * (chunkShape[axis] ?? 1) - (origin[axis] ?? 0))
    const high = low.map((at, axis) => at + (chunkShape[axis] ?? 1))
    if (low.some((at, axis) => at >= (shape[axis] ?? 0) || (high[axis] ?? 0) <= 0)) return MISSING
    const isInside = low.every((at, axis) => at >= 0 && (high[axis] ?? 0) <= (shape[axis] ?? 0))
    if (!isAligned || !isInside) return ASSEMBLED
    return chunks.at(
      low.map((at, axis) => at / (chunkShape[axis] ?? 1)),
      signal,
    )
  }
}
