import { plane } from '../codecs/own/plane.ts'
import { unsupported } from '../errors.ts'
import { composedArray, storedArray } from '../model/composed-array.ts'
import { type Encoding, rawEncoding } from '../model/encoding.ts'
import { otherGrid } from '../model/other-grid.ts'
import { missingIndex } from '../model/plain-indexes.ts'
import type { ArraySpec, Box, Members, Operation, Overlay, StoredArray, VirtualArray } from '../model/virtual-store.ts'
import { isEqual } from './joined-array.ts'

/** A box of an array as an array. The whole is the array itself, so that its chunks stay what they are. */
export function windowOf(array: VirtualArray, { origin, shape }: Box): VirtualArray {
  if (origin.every((at) => at === 0) && isEqual(shape, array.shape)) return array
  return composedArray({ ...array, shape, maskedBy: undefined }, { kind: 'window', of: array, origin })
}

const known = new WeakMap<VirtualArray, Map<number, VirtualArray>>()

/** One plane of an array along its first axis: the same object for the same plane. */
export function planeOf(array: VirtualArray, at: number): VirtualArray {
  const planes = known.get(array) ?? new Map<number, VirtualArray>()
  known.set(array, planes)
  const found = planes.get(at) ?? takenPlane(array, at)
  planes.set(at, found)
  return found
}

function takenPlane(array: VirtualArray, at: number): VirtualArray {
  const shape = array.shape.slice(1)
  const chunkShape = array.chunkShape.slice(1)
  const spec = { ...array, shape, chunkShape, dimensionNames: array.dimensionNames?.slice(1) }
  if (array.operation === undefined) return storedPlane(spec, array, at)
  const operation = planeOperation(array, array.operation, at)
  if (operation !== undefined) return composedArray(spec, operation)
  const chunks = missingIndex(shape, chunkShape)
  return storedArray(spec, { encodings: [rawEncoding('little')], edges: 'padded', chunks })
}

function storedPlane(spec: ArraySpec, array: StoredArray, at: number): StoredArray {
  const { chunks, edges, encodings, shape } = array
  const { encoding, first } = planeInChunks(array, at)
  const from = shape.map((_, axis) => (axis === 0 ? undefined : axis - 1))
  const firsts = shape.map((_, axis) => (axis === 0 ? first : 0))
  const moved = otherGrid({ chunks, gridShape: chunks.gridShape.slice(1), from, first: firsts })
  return storedArray(spec, { encodings: encodings.map(encoding), edges, chunks: moved })
}

/** Which chunks hold a plane, and how it is taken of them. */
function planeInChunks({ shape, chunkShape }: VirtualArray, at: number) {
  const count = chunkShape[0] ?? 1
  if ((shape[0] ?? 0) % count !== 0)
    throw unsupported(
      'planes of uneven chunks',
      `a band of an image whose chunks hold ${count} bands is not served alone`,
    )
  const codec = plane.stored({ index: at % count, count })
  return { first: Math.floor(at / count), encoding: (stored: Encoding): Encoding => [codec, ...stored] }
}

/** The same operation on planes; undefined where the plane lies outside of what the array is composed of. */
function planeOperation(array: VirtualArray, operation: Operation, at: number): Operation | undefined {
  switch (operation.kind) {
    case 'window': {
      const { of, origin } = operation
      const inside = at + (origin[0] ?? 0)
      if (inside < 0 || inside >= (of.shape[0] ?? 0)) return undefined
      return { kind: 'window', of: planeOf(of, inside), origin: origin.slice(1) }
    }
    case 'rechunk':
    case 'member':
      return { ...operation, of: planeOf(operation.of, at) }
    case 'reverse': {
      const { of, axes } = operation
      const inside = axes.includes(0) ? (array.shape[0] ?? 0) - 1 - at : at
      const others = axes.filter((axis) => axis > 0).map((axis) => axis - 1)
      return { kind: 'reverse', of: planeOf(of, inside), axes: others }
    }
    case 'concat':
    case 'mosaic': {
      // Lists are of parts that are cut as they are stored; others say how their chunks are.
      const encodings =
        operation.encodings.length === 0 ? [] : operation.encodings.map(planeInChunks(array, at).encoding)
      return { ...operation, encodings, members: planeMembers(operation.members, at) }
    }
    case 'mask': {
      const { values, mask } = operation
      return { ...operation, values: planeOf(values, at), mask: planeOfMask(mask, array, at) }
    }
    case 'coarsen':
      throw unsupported('planes of overviews', 'a band of an overview is not served alone')
  }
}

function planeMembers(members: Members, at: number): Members {
  const without = ({ origin, shape }: Box): Box => ({ origin: origin.slice(1), shape: shape.slice(1) })
  return {
    reaching: ({ origin, shape }) => members.reaching({ origin: [at, ...origin], shape: [1, ...shape] }),
    boxOf: (member) => without(members.boxOf(member)),
    async open(member, signal) {
      const opened = await members.open(member, signal)
      if (opened === undefined) return undefined
      const { array, overlay } = opened
      const local = at - (members.boxOf(member).origin[0] ?? 0)
      return {
        ...opened,
        array: planeOf(array, local),
        overlay: overlay === undefined ? undefined : planeOverlay(overlay, array, local),
      }
    },
    weight: () => members.weight(),
  }
}

function planeOverlay(overlay: Overlay, array: VirtualArray, at: number): Overlay {
  const { mask } = overlay
  return { ...overlay, mask: mask === undefined ? undefined : planeOfMask(mask, array, at) }
}

/** Masks that lie over all planes are that of each. */
function planeOfMask(mask: VirtualArray, { shape }: VirtualArray, at: number): VirtualArray {
  return mask.shape.length === shape.length ? planeOf(mask, at) : mask
}
