import { plane } from '../codecs/own/plane.ts'
import { unsupported } from '../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { Encoding } from '../model/encoding.ts'
import type { Box, StoredPart, VirtualArray } from '../model/virtual-store.ts'
import { isEqual } from './joined-array.ts'

/** A box of an array as an array. The whole is the array itself, so that its chunks stay what they are. */
export function windowOf(array: VirtualArray, { origin, shape }: Box): VirtualArray {
  const { maskedBy: _mask, masked: _masked, joined: _joined, ...own } = array
  if (origin.every((at) => at === 0) && isEqual(shape, array.shape)) return array
  const chunkShape = array.chunkShape
  return {
    ...own,
    shape,
    encodings: [],
    edges: 'padded',
    stored: [{ array, origin: origin.map((at) => (at === 0 ? 0 : -at)) }],
    chunks: assembledIndex(shape, chunkShape),
  }
}

function assembledIndex(shape: readonly number[], chunkShape: readonly number[]): ChunkIndex {
  return { gridShape: gridShapeOf(shape, chunkShape), at: () => ({ kind: 'assembled' }), weight: () => 200 }
}

const known = new WeakMap<VirtualArray, Map<number, VirtualArray>>()

/** One plane of an array along its first axis: the same object for the same plane. */
export function planeOf(array: VirtualArray, at: number): VirtualArray {
  const planes = known.get(array) ?? new Map<number, VirtualArray>()
  known.set(array, planes)
  const made = planes.get(at) ?? takenPlane(array, at)
  planes.set(at, made)
  return made
}

function takenPlane(array: VirtualArray, at: number): VirtualArray {
  const { maskedBy, masked: _masked, stored, joined, ...rest } = array
  const shape = array.shape.slice(1)
  const chunkShape = array.chunkShape.slice(1)
  const own = { ...rest, shape, chunkShape, dimensionNames: array.dimensionNames?.slice(1), maskedBy }
  const cut = (part: StoredPart) => partPlane(part, at)
  if (stored !== undefined) {
    return { ...own, encodings: [], stored: stored.flatMap(cut), chunks: assembledIndex(shape, chunkShape) }
  }
  const count = array.chunkShape[0] ?? 1
  if ((array.shape[0] ?? 0) % count !== 0)
    throw unsupported(
      'planes of uneven chunks',
      `a band of an image whose chunks hold ${count} bands is not served alone`,
    )
  const codec = plane.stored({ index: at % count, count })
  const chunks = planeIndex(array, at, count)
  const encodings = array.encodings.map((encoding): Encoding => [codec, ...encoding])
  if (joined === undefined) return { ...own, encodings, chunks }
  const within = async ({ origin, shape: extent }: Box, signal?: AbortSignal) =>
    (await joined.within({ origin: [at, ...origin], shape: [1, ...extent] }, signal)).flatMap(cut)
  return { ...own, encodings, chunks, joined: { within } }
}

function partPlane(part: StoredPart, at: number): StoredPart[] {
  const { array, origin, over } = part
  const local = at - (origin[0] ?? 0)
  if (local < 0 || local >= (array.shape[0] ?? 0)) return []
  const mask =
    over?.mask !== undefined && over.mask.shape.length === array.shape.length ? planeOf(over.mask, local) : over?.mask
  const reversed = over?.reversed?.flatMap((axis) => (axis === 0 ? [] : [axis - 1]))
  return [
    {
      ...part,
      array: planeOf(array, local),
      origin: origin.slice(1),
      over: over === undefined ? undefined : { ...over, mask, reversed },
    },
  ]
}

function planeIndex({ chunks }: VirtualArray, at: number, count: number): ChunkIndex {
  const first = Math.floor(at / count)
  const changed = (ref: ChunkRef): ChunkRef => {
    if (ref.kind !== 'part') return ref
    const [place = 0, ...coords] = ref.coords
    const inside = place * (ref.array.chunkShape[0] ?? 1) + (at % count)
    return { ...ref, array: planeOf(ref.array, inside), coords }
  }
  const { isComplete } = chunks
  return {
    gridShape: chunks.gridShape.slice(1),
    at(coords, signal) {
      const ref = chunks.at([first, ...coords], signal)
      return ref instanceof Promise ? ref.then(changed) : changed(ref)
    },
    ...(isComplete === undefined ? {} : { isComplete: (signal) => isComplete.call(chunks, signal) }),
    weight: () => chunks.weight(),
  }
}
