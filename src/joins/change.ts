import { filledElements } from '../codecs/elements.ts'
import { squeeze } from '../codecs/own/squeeze.ts'
import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { type ArrayChange, composedArray, listedMembers, storedArray, withArrays } from '../model/composed-array.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import { type Encoding, rawEncoding, type StoredCodec } from '../model/encoding.ts'
import { otherGrid } from '../model/other-grid.ts'
import type { ArraySpec, Overlay, StoredArray, VirtualArray } from '../model/virtual-store.ts'

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
  const spec: ArraySpec = { ...array, dataType, fillValue, maskedBy: undefined }
  const encoding = (stored: Encoding): Encoding => [codec, ...stored]
  if (array.operation === undefined) return storedArray(spec, { ...array, encodings: array.encodings.map(encoding) })
  const overlay = (over: Overlay): Overlay => (over.invalid.length === 0 ? over : { ...over, invalid })
  return composedArray(spec, withArrays(array.operation, { array: (of) => changed(of, change), encoding, overlay }))
}

/** The array with a first axis of length 1. */
export function withNewAxis(array: VirtualArray, name: string): VirtualArray {
  const { shape, chunkShape, dimensionNames } = array
  const spec: ArraySpec = {
    ...array,
    shape: [1, ...shape],
    chunkShape: [1, ...chunkShape],
    dimensionNames: [name, ...(dimensionNames ?? shape.map(() => null))],
    maskedBy: undefined,
  }
  const codec = squeeze.stored({ axes: 1 })
  const encoding = (stored: Encoding): Encoding => (shape.length === 0 ? stored : [codec, ...stored])
  if (array.operation === undefined) {
    const { encodings, edges, chunks } = array
    const moved = otherGrid({ chunks, gridShape: [1, ...chunks.gridShape], from: shape.map((_, axis) => axis + 1) })
    return storedArray(spec, { encodings: encodings.map(encoding), edges, chunks: moved })
  }
  return composedArray(
    spec,
    withArrays(array.operation, { array: (of) => withNewAxis(of, name), encoding, axes: NEW_AXIS }),
  )
}

const NEW_AXIS: ArrayChange['axes'] = {
  outward: ({ origin, shape }) => ({ origin: [0, ...origin], shape: [1, ...shape] }),
  inward: ({ origin, shape }) => ({ origin: origin.slice(1), shape: shape.slice(1) }),
}

/** An array whose unwritten chunks read as its own fill value, in one where they would read as another. */
export function withOwnFill(array: VirtualArray, fillValue: Scalar): VirtualArray {
  const origin = array.shape.map(() => 0)
  const below = storedArray({ ...array, maskedBy: undefined }, filled(array))
  const members = listedMembers([below, array].map((part) => ({ array: part, origin })))
  return composedArray({ ...array, fillValue }, { kind: 'concat', members, encodings: [] })
}

function filled({
  shape,
  chunkShape,
  dataType,
  fillValue,
}: VirtualArray): Pick<StoredArray, 'encodings' | 'edges' | 'chunks'> {
  const at = (): ChunkRef => {
    const elements = filledElements({ shape: chunkShape, dataType }, fillValue)
    const bytes = elements.kind === 'fixed' ? elements.bytes : new Uint8Array(0)
    return { kind: 'inline', bytes, encoding: 0 }
  }
  const chunks: ChunkIndex = { gridShape: gridShapeOf(shape, chunkShape), at, weight: () => 500 }
  return { chunks, encodings: [rawEncoding('little')], edges: 'padded' }
}
