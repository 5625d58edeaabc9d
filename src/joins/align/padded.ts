import { overLimit } from '../../errors.ts'
import { composedArray, listedMembers, type PlacedArray } from '../../model/composed-array.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
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
  const spec = { ...array, shape, maskedBy: undefined }
  const pieces = piecesOf(array, axes)
  const [only] = pieces
  if (only !== undefined && pieces.length === 1 && only.array === array)
    return composedArray(spec, { kind: 'window', of: array, origin: only.origin.map((at) => 0 - at) })
  return composedArray(spec, { kind: 'concat', members: listedMembers(pieces), encodings: [] })
}

function piecesOf(array: VirtualArray, axes: readonly (Placement | undefined)[]): PlacedArray[] {
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
  const spec = { ...array, shape: box.map(({ length }) => length), maskedBy: undefined }
  return composedArray(spec, { kind: 'window', of: array, origin: box.map(({ from }) => from) })
}
