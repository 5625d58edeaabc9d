import { composedArray } from '../../model/composed-array.ts'
import { computedCoordinate } from '../../model/computed-array.ts'
import { NO_SENTINELS, type Reduction, type VirtualArray } from '../../model/virtual-store.ts'

/** Points in the plane of a chunk: 512 x 512, what a map viewer asks for at a time. */
const WANTED_POINTS = 2 ** 18
const MOST_POINTS = 2 ** 20
/** The same of a whole chunk, which may hold many planes. */
const WANTED_VALUES = 2 ** 20
const LEAST_POINTS = 2 ** 12

/** An overview of an array: half as many points along its rows and columns. */
export function levelArray(values: VirtualArray, axes: readonly number[], reduction: Reduction): VirtualArray {
  const factors = values.shape.map((_length, axis) => (axes.includes(axis) ? 2 : 1))
  const shape = values.shape.map((length, axis) => Math.ceil(length / (factors[axis] ?? 1)))
  const chunkShape = levelChunkShape(values.chunkShape, shape, axes)
  const spec = { ...values, shape, chunkShape, maskedBy: undefined }
  return composedArray(spec, { kind: 'coarsen', of: values, factors, reduction })
}

/**
 * The chunks of the finer level, shorter where they are too large and longer where they are small: always by factors of two, so
 * that a chunk lies over whole ones below it, and each of those is needed once. Chunks of strips grow square level by level.
 */
function levelChunkShape(finer: readonly number[], shape: readonly number[], axes: readonly number[]): number[] {
  const chunk = finer.map((length, axis) => Math.max(1, Math.min(length, shape[axis] ?? 1)))
  const planes = chunk.reduce((product, length, axis) => (axes.includes(axis) ? product : product * length), 1)
  const wanted = Math.min(WANTED_POINTS, Math.max(LEAST_POINTS, Math.floor(WANTED_VALUES / planes)))
  const points = () => axes.reduce((product, axis) => product * (chunk[axis] ?? 1), 1)
  const lengthOf = (axis: number) => chunk[axis] ?? 1
  while (points() > Math.max(wanted, (MOST_POINTS / WANTED_POINTS) * wanted)) {
    const longest = axes.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one))
    chunk[longest] = Math.ceil(lengthOf(longest) / 2)
  }
  while (points() < wanted) {
    const growing = axes.filter((axis) => lengthOf(axis) < (shape[axis] ?? 1))
    if (growing.length === 0) break
    const shortest = growing.reduce((one, other) => (lengthOf(other) < lengthOf(one) ? other : one))
    chunk[shortest] = Math.min(2 * lengthOf(shortest), shape[shortest] ?? 1)
  }
  return chunk
}

/** A coordinate variable of an overview: the means of those below it, or in steps where the grid is regular. */
export function levelCoordinate(
  name: string,
  values: VirtualArray,
  reduction: Reduction,
  steps: { readonly first: number; readonly step: number } | undefined,
): VirtualArray {
  const { dataType, attributes, shape } = values
  const length = Math.ceil((shape[0] ?? 0) / 2)
  const isPlain = dataType.kind === 'float' && dataType.bits === 64 && values.sentinels === NO_SENTINELS
  if (steps !== undefined && isPlain)
    return computedCoordinate(name, length, (i) => steps.first + i * steps.step, attributes)
  const level = levelArray(values, [0], reduction)
  return { ...level, chunkShape: [Math.max(1, length)] }
}

/** Whether one chunk holds all rows and columns. */
export function isOneChunk({ shape, chunkShape }: VirtualArray, axes: readonly number[]): boolean {
  return axes.every((axis) => (chunkShape[axis] ?? 1) >= (shape[axis] ?? 0))
}
