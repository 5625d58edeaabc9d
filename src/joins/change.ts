import { filledElements } from '../codecs/elements.ts'
import { squeeze } from '../codecs/own/squeeze.ts'
import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import { ASSEMBLED, type ChunkRef } from '../model/chunk-ref.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import { type Encoding, rawEncoding, type StoredCodec } from '../model/encoding.ts'
import type { Overlay, StoredPart, VirtualArray } from '../model/virtual-store.ts'

/** Values that are stored as they are and served as something else: the codec goes from the one to the other. */
export interface Change {
  readonly codec: StoredCodec
  readonly dataType: DataType
  readonly fillValue: Scalar
  /** What marks points that are not valid, once it is changed. */
  readonly invalid: readonly Scalar[]
}

/** The array in another type or meaning, however its chunks are found. */
export function changed(array: VirtualArray, change: Change): VirtualArray {
  const { codec, dataType, fillValue, invalid } = change
  const encodings = array.encodings.map((encoding): Encoding => [codec, ...encoding])
  return {
    ...withParts(array, {
      change: (part) => changed(part, change),
      over: (over) => (over.invalid.length === 0 ? over : { ...over, invalid }),
    }),
    dataType,
    fillValue,
    encodings,
  }
}

/** The array with a first axis of length 1. */
export function withNewAxis(array: VirtualArray, name: string): VirtualArray {
  const codec = squeeze.stored({ axes: 1 })
  const inner = withParts(array, {
    change: (part) => withNewAxis(part, name),
    origin: (origin) => [0, ...origin],
    over: ({ reversed, ...over }) => ({ ...over, reversed: reversed?.map((axis) => axis + 1) }),
  })
  const { chunks } = inner
  return {
    ...inner,
    shape: [1, ...array.shape],
    chunkShape: [1, ...array.chunkShape],
    dimensionNames: [name, ...(array.dimensionNames ?? array.shape.map(() => null))],
    encodings:
      array.shape.length === 0 ? inner.encodings : inner.encodings.map((encoding): Encoding => [codec, ...encoding]),
    chunks: { ...delegated(chunks, (coords) => coords.slice(1)), gridShape: [1, ...chunks.gridShape] },
  }
}

/** An array whose unwritten chunks read as its own fill value, in one where they would read as another. */
export function withOwnFill(array: VirtualArray, fillValue: Scalar): VirtualArray {
  const { shape, chunkShape } = array
  const origin = shape.map(() => 0)
  const below: VirtualArray = { ...array, stored: undefined, joined: undefined, ...filled(array) }
  const parts = [below, array].map((part): StoredPart => ({ array: part, origin }))
  const chunks: ChunkIndex = {
    gridShape: gridShapeOf(shape, chunkShape),
    at: () => ASSEMBLED,
    weight: () => 500,
  }
  return { ...array, fillValue, encodings: [], edges: 'padded', stored: parts, joined: undefined, chunks }
}

function filled({ shape, chunkShape, dataType, fillValue }: VirtualArray) {
  const at = (): ChunkRef => {
    const elements = filledElements({ shape: chunkShape, dataType }, fillValue)
    const bytes = elements.kind === 'fixed' ? elements.bytes : new Uint8Array(0)
    return { kind: 'inline', bytes, encoding: 0 }
  }
  const chunks: ChunkIndex = { gridShape: gridShapeOf(shape, chunkShape), at, weight: () => 500 }
  return { chunks, encodings: [rawEncoding('little')], edges: 'padded' } as const
}

interface PartChange {
  change(part: VirtualArray): VirtualArray
  origin?(origin: readonly number[]): readonly number[]
  over(over: Overlay): Overlay
}

/** The same change made to everything that an array is made of. */
function withParts(
  array: VirtualArray,
  { change, origin: originOf = (origin) => origin, over }: PartChange,
): VirtualArray {
  const { maskedBy: _mask, stored, joined, chunks, ...own } = array
  const known = new WeakMap<VirtualArray, VirtualArray>()
  const changedOnce = (part: VirtualArray): VirtualArray => {
    const made = known.get(part) ?? change(part)
    known.set(part, made)
    return made
  }
  const moved = (part: StoredPart): StoredPart => ({
    ...part,
    array: changedOnce(part.array),
    origin: originOf(part.origin),
    over: part.over === undefined ? undefined : over(part.over),
  })
  if (joined === undefined) return { ...own, chunks, stored: stored?.map(moved) }
  const inner = (origin: readonly number[]) => origin.slice(originOf([]).length)
  return {
    ...own,
    joined: {
      within: async ({ origin, shape }, signal) =>
        (await joined.within({ origin: inner(origin), shape: inner(shape) }, signal)).map(moved),
    },
    chunks: delegated(
      chunks,
      (coords) => coords,
      (ref) => partChanged(ref, changedOnce, originOf),
    ),
  }
}

function partChanged(
  ref: ChunkRef,
  change: (part: VirtualArray) => VirtualArray,
  coordsOf: (coords: readonly number[]) => readonly number[],
): ChunkRef {
  return ref.kind === 'part' ? { ...ref, array: change(ref.array), coords: coordsOf(ref.coords) } : ref
}

function delegated(
  chunks: ChunkIndex,
  coordsOf: (coords: readonly number[]) => readonly number[],
  change: (ref: ChunkRef) => ChunkRef = (ref) => ref,
): ChunkIndex {
  return {
    gridShape: chunks.gridShape,
    at(coords, signal) {
      const ref = chunks.at(coordsOf(coords), signal)
      return ref instanceof Promise ? ref.then(change) : change(ref)
    },
    weight: () => chunks.weight(),
  }
}
