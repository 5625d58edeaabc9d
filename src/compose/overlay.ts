import type { ChunkLayout, Elements } from '../codecs/codec.ts'
import { type Canvas, copyBox, fixedBytes } from '../codecs/elements.ts'
import { numbersOf } from '../codecs/numbers.ts'
import { type DataType, itemSize, type Scalar } from '../model/data-type.ts'
import { scalarToBytes } from '../model/scalar-bytes.ts'
import type { RegionLayer } from './program.ts'

/** Copies the valid points of a region to where it lies. A mask lies over each of the region's planes. */
export function overlay(
  { to, invalid }: Pick<RegionLayer<unknown>, 'to' | 'invalid'>,
  layout: ChunkLayout,
  elements: Elements,
  mask: Elements | undefined,
  canvas: Canvas,
  canvasShape: readonly number[],
): void {
  const valid = validPoints(elements, layout, invalid, mask)
  const { shape, dataType } = layout
  const size = itemSize(dataType) ?? 1
  if (valid === undefined)
    copyBox(elements, shape, canvas, canvasShape, { from: shape.map(() => 0), to, extent: shape }, size)
  else
    copyValid(fixedBytes(elements, 'overlay'), valid, { shape, to, size }, fixedBytes(canvas, 'overlay'), canvasShape)
}

/** One byte for each point, not zero where it is valid; undefined where all are. */
function validPoints(
  elements: Elements,
  { dataType }: ChunkLayout,
  invalid: readonly Scalar[],
  mask: Elements | undefined,
): Uint8Array | undefined {
  if (invalid.length === 0 && mask === undefined) return undefined
  const bytes = fixedBytes(elements, 'overlay')
  const valid = new Uint8Array(bytes.length / (itemSize(dataType) ?? 1)).fill(1)
  if (invalid.length > 0) markInvalid(valid, bytes, dataType, invalid)
  if (mask !== undefined) {
    const over = fixedBytes(mask, 'overlay')
    for (let at = 0; at < valid.length; at++) if (over[at % over.length] === 0) valid[at] = 0
  }
  return valid
}

/** Complex numbers are not valid where one of their halves is no number. */
function markInvalid(valid: Uint8Array, bytes: Uint8Array, type: DataType, invalid: readonly Scalar[]): void {
  if (type.kind === 'complex') {
    const halves = numbersOf(bytes, { kind: 'float', bits: type.bits === 64 ? 32 : 64 })
    for (const [at, half] of halves.entries()) if (Number.isNaN(half)) valid[at >> 1] = 0
    return
  }
  const numbers = numbersOf(bytes, type)
  for (const scalar of invalid) {
    // As the type holds it.
    const [value] = numbersOf(scalarToBytes(scalar, type), type)
    if (Number.isNaN(value)) for (const [at, number] of numbers.entries()) if (Number.isNaN(number)) valid[at] = 0
    for (let at = 0; at < numbers.length; at++) if (numbers[at] === value) valid[at] = 0
  }
}

/** Row by row, in runs of points that are valid. */
function copyValid(
  source: Uint8Array,
  valid: Uint8Array,
  { shape, to, size }: { readonly shape: readonly number[]; readonly to: readonly number[]; readonly size: number },
  target: Uint8Array,
  targetShape: readonly number[],
): void {
  const width = shape.at(-1) ?? 1
  const index = new Array<number>(Math.max(shape.length - 1, 0)).fill(0)
  for (let row = 0; row < valid.length; row += width) {
    const first = rowStart(index, to, targetShape)
    for (let at = 0; at < width; ) {
      const isValid = valid[row + at] !== 0
      let end = at + 1
      while (end < width && (valid[row + end] !== 0) === isValid) end++
      if (isValid) target.set(source.subarray((row + at) * size, (row + end) * size), (first + at) * size)
      at = end
    }
    advance(index, shape)
  }
}

/** Where a row of a region begins on the canvas. */
function rowStart(index: readonly number[], to: readonly number[], shape: readonly number[]): number {
  return shape.reduce((start, length, axis) => start * length + (to[axis] ?? 0) + (index[axis] ?? 0), 0)
}

function advance(index: number[], shape: readonly number[]): void {
  for (let axis = index.length - 1; axis >= 0; axis--) {
    const next = (index[axis] ?? 0) + 1
    index[axis] = next < (shape[axis] ?? 1) ? next : 0
    if (next < (shape[axis] ?? 1)) return
  }
}
