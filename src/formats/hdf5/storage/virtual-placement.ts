// HDF5 File Format Specification, section III.E "Global Heap Block for Virtual Datasets": source and virtual selections.
import { unsupported } from '../../../errors.ts'
import { gridShapeOf } from '../../../model/chunk-index.ts'
import { otherGrid } from '../../../model/other-grid.ts'
import type { StoredPart, VirtualArray } from '../../../model/virtual-store.ts'
import type { BoxSelection, Selection } from '../elements/selection.ts'

/** A box of known extent. */
interface Box {
  readonly start: readonly number[]
  readonly extent: readonly number[]
}

const MOST_BOXES = 4096

/** Where a source, or the boxes of it that are selected, lie in a virtual dataset of this shape. */
export function placedParts(
  array: VirtualArray,
  from: Selection,
  to: Selection,
  shape: readonly number[],
): readonly StoredPart[] {
  if (array.stored !== undefined) throw unsupported('HDF5 virtual dataset', 'a virtual source that is virtual itself')
  const whole: Box = { start: array.shape.map(() => 0), extent: array.shape }
  const source = from.kind === 'box' ? boxOf(from, array.shape) : whole
  const target = to.kind === 'box' ? to : { kind: 'box' as const, start: shape.map(() => 0), extent: shape }
  if (target.start.length !== shape.length || source.start.length !== array.shape.length) {
    throw unsupported('HDF5 virtual dataset', 'a selection of another rank than its dataset')
  }
  return target.repeated === undefined ? [onePart(array, source, target)] : repeatedParts(array, source, target)
}

/** A selection of a source; what is open ends where the source does. */
function boxOf({ start, extent, repeated }: BoxSelection, shape: readonly number[]): Box {
  if (repeated !== undefined) throw unsupported('HDF5 virtual dataset', 'every so many values of a virtual source')
  const lengths = extent.map((length, axis) => length ?? (shape[axis] ?? 0) - (start[axis] ?? 0))
  // A selection may be made for more than the source has (yet).
  return { start, extent: lengths.map((length, axis) => Math.min(length, (shape[axis] ?? 0) - (start[axis] ?? 0))) }
}

function onePart(array: VirtualArray, source: Box, target: BoxSelection): StoredPart {
  return { array: spread(cut(array, source), target.extent), origin: target.start }
}

/** The source cut along one axis, and its pieces laid out with gaps between them. */
function repeatedParts(array: VirtualArray, source: Box, target: BoxSelection): readonly StoredPart[] {
  const { axis, stride, count } = target.repeated ?? { axis: 0, stride: 1, count: 1 }
  const block = target.extent[axis] ?? 1
  const length = source.extent[axis] ?? 0
  if (source.extent.length !== target.extent.length) {
    throw unsupported('HDF5 virtual dataset', 'a source of fewer dimensions, in pieces')
  }
  const pieces = Math.min(count ?? Number.POSITIVE_INFINITY, Math.ceil(length / block))
  if (pieces > MOST_BOXES)
    throw unsupported('HDF5 virtual dataset', `a source in ${pieces} pieces, at most ${MOST_BOXES}`)
  return Array.from({ length: pieces }, (_, i) => {
    const start = source.start.map((first, a) => (a === axis ? first + i * block : first))
    const extent = source.extent.map((most, a) => (a === axis ? Math.min(block, most - i * block) : most))
    const origin = target.start.map((first, a) => (a === axis ? first + i * stride : first))
    return { array: cut(array, { start, extent }), origin }
  })
}

/** A box of an array that begins where a chunk does; what of stored chunks lies behind its end is not looked at. */
function cut(array: VirtualArray, { start, extent }: Box): VirtualArray {
  const { shape, chunkShape, chunks, edges } = array
  const isWhole = start.every((first) => first === 0) && extent.join() === shape.join()
  if (isWhole) return array
  const first = start.map((at, axis) => at / (chunkShape[axis] ?? 1))
  const isCut = (axis: number) => ((start[axis] ?? 0) + (extent[axis] ?? 0)) % (chunkShape[axis] ?? 1) !== 0
  const isEnd = (axis: number) => (start[axis] ?? 0) + (extent[axis] ?? 0) === shape[axis]
  const isServed =
    first.every(Number.isInteger) && extent.every((_, axis) => edges === 'padded' || !isCut(axis) || isEnd(axis))
  if (!isServed)
    throw unsupported('HDF5 virtual dataset', 'a part of a virtual source that does not begin with a chunk')
  return {
    ...array,
    shape: extent,
    chunks: otherGrid({ chunks, gridShape: gridShapeOf(extent, chunkShape), from: [...first.keys()], first }),
  }
}

/** A source of fewer dimensions, with dimensions of length 1 where the virtual dataset has them. */
function spread(array: VirtualArray, extent: readonly (number | undefined)[]): VirtualArray {
  const { shape, chunkShape, chunks } = array
  const misfit = () => unsupported('HDF5 virtual dataset', `a source of shape [${shape}] seen as [${extent}]`)
  const isWithin = (length: number, axis: number) => length <= (extent[axis] ?? length)
  if (shape.length === extent.length) {
    if (shape.every(isWithin)) return array
    throw misfit()
  }
  const axes: (number | undefined)[] = []
  let next = 0
  for (const length of extent)
    axes.push(next < shape.length && shape[next] === (length ?? shape[next]) ? next++ : undefined)
  if (next !== shape.length || axes.some((axis, i) => axis === undefined && extent[i] !== 1)) throw misfit()
  const filled = (lengths: readonly number[]) => axes.map((axis) => (axis === undefined ? 1 : (lengths[axis] ?? 1)))
  const kept = axes.flatMap((axis, i) => (axis === undefined ? [] : [i]))
  return {
    ...array,
    shape: filled(shape),
    chunkShape: filled(chunkShape),
    dimensionNames: undefined,
    chunks: otherGrid({ chunks, gridShape: filled(chunks.gridShape), from: kept }),
  }
}
