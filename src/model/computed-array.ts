import { type ChunkIndex, gridShapeOf } from './chunk-index.ts'
import { rawEncoding } from './encoding.ts'
import { type Maker, recipe } from './recipe.ts'
import { runRange } from './run-chunks.ts'
import { elementCount } from './shape.ts'
import { type Attributes, NO_SENTINELS, type StoredArray } from './virtual-store.ts'

/** Numbers in one chunk of a coordinate. */
const CHUNK_LENGTH = 65_536
const ITEM_BYTES = 8

/** A coordinate variable that is arithmetic: however long, nothing of it is held. It can be written down where `value` has a recipe. */
export function computedCoordinate(
  name: string,
  length: number,
  value: (index: number) => number,
  attributes: Attributes,
): StoredArray {
  return computedArray([name], [length], value, attributes)
}

/** The same of any rank; `value` is asked by the place in C order. */
export function computedArray(
  dimensionNames: readonly string[],
  shape: readonly number[],
  value: (index: number) => number,
  attributes: Attributes,
): StoredArray {
  const inner = elementCount(shape.slice(1))
  const rows = Math.max(1, Math.min(shape[0] ?? 1, Math.floor(CHUNK_LENGTH / Math.max(1, inner))))
  const chunkShape = shape.map((length, axis) => (axis === 0 ? rows : Math.max(1, length)))
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType: { kind: 'float', bits: 64 },
    fillValue: { kind: 'number', value: 0 },
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes,
    dimensionNames,
    encodings: [rawEncoding('little')],
    edges: 'cropped',
    chunks: computed({ shape, chunkShape, value }),
  }
}

interface ComputedInput {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly value: (index: number) => number
}

/** Values at equal distances. */
export const evenly = recipe(
  'evenly',
  ({ first, step }: { readonly first: number; readonly step: number }) =>
    (index: number): number =>
      first + index * step,
)

const computed = recipe('computed', ({ shape, chunkShape, value }: ComputedInput): ChunkIndex => {
  const bytesAt = (coords: readonly number[]) => {
    const { offset, length } = runRange(shape, chunkShape, ITEM_BYTES, coords)
    const view = new DataView(new ArrayBuffer(length))
    for (let at = 0; at < length; at += ITEM_BYTES) view.setFloat64(at, value((offset + at) / ITEM_BYTES), true)
    return new Uint8Array(view.buffer)
  }
  return {
    gridShape: gridShapeOf(shape, chunkShape),
    at: (coords) => ({ kind: 'inline', bytes: bytesAt(coords), encoding: 0 }),
    isComplete: () => true,
    weight: () => 512,
  }
})

export const computedMakers: readonly Maker[] = [computed, evenly]
