import type { ChunkLayout, Elements } from '../codecs/codec.ts'
import { type Canvas, copyBox, fixedBytes } from '../codecs/elements.ts'
import { numbersOf } from '../codecs/numbers.ts'
import { type DataType, itemSize, type Scalar } from '../model/data-type.ts'
import { scalarToBytes } from '../model/scalar-bytes.ts'
import type { RegionLayer } from './program.ts'

/** Copies the valid points of a region to where it lies. A mask lies over each of the region's planes. */
export function overlay(
  region: Pick<RegionLayer<unknown>, 'to' | 'invalid' | 'reversed'>,
  layout: ChunkLayout,
  elements: Elements,
  mask: Elements | undefined,
  canvas: Canvas,
  canvasShape: readonly number[],
): void {
  const valid = validPoints(elements, layout, region.invalid, mask)
  const { shape, dataType } = layout
  const { to, reversed } = region
  if (valid === undefined && reversed.length === 0) {
    const box = { from: shape.map(() => 0), to, extent: shape }
    copyBox(elements, shape, canvas, canvasShape, box, itemSize(dataType) ?? 1)
  } else copyValid(elements, valid, { layout, to, reversed }, canvas, canvasShape)
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

function copyValid(
  elements: Elements,
  valid: Uint8Array | undefined,
  { layout, to, reversed }: { readonly layout: ChunkLayout } & Pick<RegionLayer<unknown>, 'to' | 'reversed'>,
  canvas: Canvas,
  canvasShape: readonly number[],
): void {
  const { shape, dataType } = layout
  const size = itemSize(dataType) ?? 1
  const source = fixedBytes(elements, 'overlay')
  const target = fixedBytes(canvas, 'overlay')
  const axis = shape.length - 1
  const width = shape[axis] ?? 1
  const step = reversed.includes(axis) ? -1 : 1
  const index = new Array<number>(Math.max(axis, 0)).fill(0)
  for (let row = 0; row < source.length / size; row += width) {
    const first = rowStart(index, shape, to, canvasShape, reversed) + (step < 0 ? width - 1 : 0)
    for (let at = 0; at < width; ) {
      let end = at + 1
      const isValid = isAt(valid, row + at)
      while (step > 0 && end < width && isAt(valid, row + end) === isValid) end++
      if (isValid) target.set(source.subarray((row + at) * size, (row + end) * size), (first + step * at) * size)
      at = end
    }
    advance(index, shape)
  }
}

function isAt(valid: Uint8Array | undefined, at: number): boolean {
  return valid === undefined || valid[at] !== 0
}

/** Where a row of a region begins on the canvas. */
function rowStart(
  index: readonly number[],
  shape: readonly number[],
  to: readonly number[],
  canvasShape: readonly number[],
  reversed: readonly number[],
): number {
  let start = 0
  for (let axis = 0; axis < canvasShape.length; axis++) {
    const inside = index[axis] ?? 0
    const at = reversed.includes(axis) && axis < index.length ? (shape[axis] ?? 1) - 1 - inside : inside
    start = start * (canvasShape[axis] ?? 1) + (to[axis] ?? 0) + at
  }
  return start
}

function advance(index: number[], shape: readonly number[]): void {
  for (let axis = index.length - 1; axis >= 0; axis--) {
    const next = (index[axis] ?? 0) + 1
    index[axis] = next < (shape[axis] ?? 1) ? next : 0
    if (next < (shape[axis] ?? 1)) return
  }
}
