import { copyBox, decodedBytes, filledElements, fixedBytes } from '../codecs/elements.ts'
import { chunkMemory } from '../codecs/kernels/chunk-memory.ts'
import { bytesOf, type Numbers, numbersOf, zeroNumbers } from '../codecs/numbers.ts'
import { unsupported } from '../errors.ts'
import { type DataType, itemSize } from '../model/data-type.ts'
import { elementCount } from '../model/shape.ts'
import type { CoarsenOperation, Reduction } from '../model/virtual-store.ts'
import type { OperationRules } from './operation-rules.ts'
import { canvasOf } from './planning.ts'
import { finerRegion, isSame } from './region.ts'
import { meanOfIntegers, meanOfNumbers, meanOfWideIntegers, type RowMean } from './row-means.ts'

type Coarsening = Pick<CoarsenOperation, 'factors' | 'reduction'>

export const coarsenRules: OperationRules<CoarsenOperation> = {
  async program({ dataType, fillValue, operation: { of, factors, reduction } }, region, layersOf, planning) {
    const finer = await canvasOf(of, finerRegion(region, factors, of.shape), layersOf, planning)
    const layout = { shape: region.shape, dataType }
    const parameters: Coarsening = { factors, reduction }
    return { kind: 'computed', layout, fillValue, operation: 'coarsen', inputs: [finer], parameters }
  },
  compute([elements], { layout, fillValue, inputs: [of], parameters }) {
    if (elements === undefined || of === undefined) throw new TypeError('an overview needs a finer level')
    const { factors, reduction } = parameters as Coarsening
    const { shape, dataType } = of.layout
    const bytes = coarsenedBytes({ bytes: fixedBytes(elements, 'overview'), shape, dataType, factors }, reduction)
    const extent = coarsenedShape(shape, factors)
    if (isSame(layout.shape, extent)) return { kind: 'fixed', bytes }
    const canvas = filledElements(layout, fillValue)
    const origin = extent.map(() => 0)
    const box = { from: origin, to: origin, extent }
    copyBox({ kind: 'fixed', bytes }, extent, canvas, layout.shape, box, itemSize(dataType) ?? 1)
    return canvas
  },
  below: async ({ operation: { of, factors } }, region) => [
    { array: of, region: finerRegion(region, factors, of.shape) },
  ],
  peakBytes: ({ chunkShape, dataType, operation: { factors } }) =>
    decodedBytes({ shape: chunkShape.map((length, axis) => length * (factors[axis] ?? 1)), dataType }),
}

/** Points of a box, some of which become one. */
export interface Blocks {
  /** Fixed-size elements, in C order. */
  readonly bytes: Uint8Array
  readonly shape: readonly number[]
  readonly dataType: DataType
  /** Points of a block along each axis; at the far edge there may be fewer. */
  readonly factors: readonly number[]
}

/** The shape of what blocks become. */
export function coarsenedShape(shape: readonly number[], factors: readonly number[]): number[] {
  return shape.map((length, axis) => Math.ceil(length / (factors[axis] ?? 1)))
}

/** One point for each block. */
export function coarsenedBytes(blocks: Blocks, reduction: Reduction): Uint8Array {
  return reduction.method === 'nearest' ? firstPoints(blocks) : means(blocks, reduction)
}

/** Element by element, whatever they are. */
function firstPoints({ bytes, shape, dataType, factors }: Blocks): Uint8Array {
  const size = itemSize(dataType)
  if (size === undefined) throw unsupported(`levels of ${dataType.kind}`, `${dataType.kind} values have no overviews`)
  const count = shape.at(-1) ?? 1
  const factor = factors.at(-1) ?? 1
  const width = Math.ceil(count / factor)
  const target = chunkMemory.zeros(elementCount(coarsenedShape(shape, factors)) * size)
  let at = 0
  for (const [row = 0] of rowsOfBlocks(shape, factors)) {
    for (let column = 0; column < width; column++, at += size) {
      const from = (row + column * factor) * size
      for (let byte = 0; byte < size; byte++) target[at + byte] = bytes[from + byte] ?? 0
    }
  }
  return target
}

function means({ bytes, shape, factors }: Blocks, { readAs, missing }: Reduction): Uint8Array {
  const source = numbersOf(bytes, readAs)
  const length = shape.at(-1) ?? 1
  const factor = factors.at(-1) ?? 1
  const width = Math.ceil(length / factor)
  const target = zeroNumbers(elementCount(coarsenedShape(shape, factors)), readAs)
  const mean = rowMean(source, target, readAs, missing)
  let at = 0
  for (const rows of rowsOfBlocks(shape, factors)) {
    mean(rows, { length, factor, at, width })
    at += width
  }
  return bytesOf(target)
}

function rowMean(source: Numbers, target: Numbers, type: DataType, missing: Reduction['missing']): RowMean {
  if (source instanceof BigInt64Array || source instanceof BigUint64Array) {
    return meanOfWideIntegers(source, target as BigInt64Array, missing.map(BigInt))
  }
  const plain = target as Exclude<Numbers, BigInt64Array | BigUint64Array>
  const numbers = missing.map(Number)
  if (type.kind !== 'float' && numbers.length === 0) return meanOfIntegers(source, plain)
  return meanOfNumbers(source, plain, numbers, type.kind !== 'float')
}

/** Where the rows of each row of blocks begin, in the order of the blocks. */
function* rowsOfBlocks(shape: readonly number[], factors: readonly number[]): Generator<readonly number[]> {
  const axes = Math.max(shape.length - 1, 0)
  const steps = shape.map((_length, axis) => elementCount(shape.slice(axis + 1)))
  const index = new Array<number>(axes).fill(0)
  if (elementCount(shape) === 0) return
  for (;;) {
    let rows = [0]
    for (let axis = 0; axis < axes; axis++) {
      const [at, factor, length, step] = [index[axis] ?? 0, factors[axis] ?? 1, shape[axis] ?? 1, steps[axis] ?? 1]
      const count = Math.min(factor, length - at)
      rows = rows.flatMap((row) => Array.from({ length: count }, (_, i) => row + (at + i) * step))
    }
    yield rows
    let axis = axes - 1
    for (; axis >= 0; axis--) {
      index[axis] = (index[axis] ?? 0) + (factors[axis] ?? 1)
      if ((index[axis] ?? 0) < (shape[axis] ?? 1)) break
      index[axis] = 0
    }
    if (axis < 0) return
  }
}
