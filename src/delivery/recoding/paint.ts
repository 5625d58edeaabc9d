import type { ChunkLayout, Elements } from '../../codecs/codec.ts'
import { type Canvas, copyBox, filledElements, fixedBytes } from '../../codecs/elements.ts'
import { numbersOf } from '../../codecs/numbers.ts'
import { type DataType, itemSize, type Scalar } from '../../model/data-type.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import type { Layer, Painting } from '../delivery.ts'
import { isLayer } from '../layers.ts'

/** Copies a stored chunk, named by its place, to where it lies. */
export type CopyPiece = (place: number, canvas: Canvas, layout: ChunkLayout) => Promise<void>

/** The elements of a box, from stored chunks and layers that lie over each other. */
export async function painted(
  painting: Painting,
  layout: ChunkLayout,
  fillValue: Scalar,
  copy: CopyPiece,
): Promise<Elements> {
  const canvas = filledElements(layout, fillValue)
  for (const item of painting) {
    if (isLayer(item)) await paint(item, canvas, layout, copy)
    else await copy(item, canvas, layout)
  }
  return canvas
}

async function paint(layer: Layer<number>, canvas: Canvas, { shape }: ChunkLayout, copy: CopyPiece): Promise<void> {
  const { pieces, layout, fillValue, mask, invalid } = layer
  const elements = await painted(pieces, layout, fillValue, copy)
  const over = mask === undefined ? undefined : await painted(mask.pieces, mask.layout, mask.fillValue, copy)
  paintValid(elements, validPoints(elements, layout, invalid, over), layer, canvas, shape)
}

/** One byte for each point, not zero where it is valid; undefined where all are. A mask lies over each of the planes. */
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

/** Copies the valid points of a layer to where it lies. */
function paintValid(
  elements: Elements,
  valid: Uint8Array | undefined,
  { layout, to, reversed }: Pick<Layer<never>, 'layout' | 'to' | 'reversed'>,
  canvas: Canvas,
  canvasShape: readonly number[],
): void {
  const { shape, dataType } = layout
  const size = itemSize(dataType) ?? 1
  if (valid === undefined && reversed.length === 0) {
    copyBox(elements, shape, canvas, canvasShape, { from: shape.map(() => 0), to, extent: shape }, size)
    return
  }
  const source = fixedBytes(elements, 'overlay')
  const target = fixedBytes(canvas, 'overlay')
  const axis = shape.length - 1
  const width = shape[axis] ?? 1
  const step = reversed.includes(axis) ? -1 : 1
  const index = new Array<number>(Math.max(axis, 0)).fill(0)
  for (let row = 0; row < source.length / size; row += width) {
    const first = placeOf(index, shape, to, canvasShape, reversed) + (step < 0 ? width - 1 : 0)
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

function isAt(valid: Uint8Array | undefined, place: number): boolean {
  return valid === undefined || valid[place] !== 0
}

/** Where the row of a layer begins on the canvas. */
function placeOf(
  index: readonly number[],
  shape: readonly number[],
  to: readonly number[],
  canvasShape: readonly number[],
  reversed: readonly number[],
): number {
  let place = 0
  for (let axis = 0; axis < canvasShape.length; axis++) {
    const inside = index[axis] ?? 0
    const at = reversed.includes(axis) && axis < index.length ? (shape[axis] ?? 1) - 1 - inside : inside
    place = place * (canvasShape[axis] ?? 1) + (to[axis] ?? 0) + at
  }
  return place
}

function advance(index: number[], shape: readonly number[]): void {
  for (let axis = index.length - 1; axis >= 0; axis--) {
    const next = (index[axis] ?? 0) + 1
    index[axis] = next < (shape[axis] ?? 1) ? next : 0
    if (next < (shape[axis] ?? 1)) return
  }
}
