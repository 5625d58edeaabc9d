import { unsupported } from '../errors.ts'
import type { ChunkIndex } from './chunk-index.ts'
import type { Encoding } from './encoding.ts'
import { recipe } from './recipe.ts'
import type {
  ArraySpec,
  Box,
  ComposedArray,
  Members,
  Operation,
  Overlay,
  StoredArray,
  VirtualArray,
} from './virtual-store.ts'

/** An array composed by an operation; `spec` says all of it but where its values come from. */
export function composedArray(spec: ArraySpec, operation: Operation): ComposedArray {
  return { ...specOf(spec), operation }
}

/** An array of stored chunks, described as another is. */
export function storedArray(
  spec: ArraySpec,
  { encodings, edges, chunks }: Pick<StoredArray, 'encodings' | 'edges' | 'chunks'>,
): StoredArray {
  return { ...specOf(spec), encodings, edges, chunks }
}

type AnyArray = ArraySpec &
  Partial<Pick<StoredArray, 'encodings' | 'edges' | 'chunks'>> & { readonly operation?: Operation }

/** Without what an array is besides: members that are absent stay so, since what is kept of an array is compared. */
export function specOf(array: ArraySpec): ArraySpec {
  const { operation: _composed, encodings: _encodings, edges: _edges, chunks: _chunks, ...spec } = array as AnyArray
  return spec
}

/** How chunks of an array are stored, the usual way first; nothing where they are made of others. */
export function encodingsOf(array: VirtualArray): readonly Encoding[] {
  if (array.operation === undefined) return array.encodings
  switch (array.operation.kind) {
    case 'concat':
    case 'mosaic':
      return array.operation.encodings
    case 'member':
      return encodingsOf(array.operation.of)
    case 'window':
    case 'rechunk':
    case 'mask':
    case 'coarsen':
    case 'reverse':
      return []
  }
}

/** An array that is known to be stored; anything else is a mistake of the program. */
export function requireStored(array: VirtualArray): StoredArray {
  if (array.operation === undefined) return array
  throw new TypeError(`an array is composed (${array.operation.kind}) where a stored one is expected`)
}

/** An array with some axes the other way round. */
export function reversedArray(array: VirtualArray, axes: readonly number[]): VirtualArray {
  return axes.length === 0 ? array : composedArray(array, { kind: 'reverse', of: array, axes })
}

/** An array and where it begins in another. */
export interface PlacedArray {
  readonly array: VirtualArray
  readonly origin: readonly number[]
}

/** Members that are at hand. */
interface ListedMembers extends Members {
  readonly list: readonly PlacedArray[]
}

/** Arrays at hand as members of another; later ones lie over earlier ones. */
export function listedMembers(list: readonly PlacedArray[]): Members {
  return listed(list)
}

export const listed = recipe('listed-members', (list: readonly PlacedArray[]): ListedMembers => {
  const boxes = list.map(({ array, origin }): Box => ({ origin, shape: array.shape }))
  return {
    list,
    reaching: (box) => boxes.flatMap((own, number) => (areOverlapping(own, box) ? [number] : [])),
    boxOf: (member) => boxes[member] ?? { origin: [], shape: [] },
    open: async (member) => list[member],
    weight: () => 300 * list.length,
  }
})

function areOverlapping(one: Box, other: Box): boolean {
  return one.origin.every((at, axis) => {
    const start = other.origin[axis] ?? 0
    return at < start + (other.shape[axis] ?? 0) && start < at + (one.shape[axis] ?? 0)
  })
}

/** One change of all arrays that another is composed of: of their values, or of their axes. */
export interface ArrayChange {
  array(of: VirtualArray): VirtualArray
  /** How chunks that were stored so are stored then. */
  encoding(encoding: Encoding): Encoding
  overlay?(overlay: Overlay): Overlay
  /** Of axes: where a box lies then, and the other way. */
  readonly axes?: { outward(box: Box): Box; inward(box: Box): Box } | undefined
}

/** The operation on arrays that are changed, which gives the changed array. */
export function withArrays(operation: Operation, change: ArrayChange): Operation {
  const { axes } = change
  switch (operation.kind) {
    case 'window': {
      const { of, origin } = operation
      return { ...operation, of: change.array(of), origin: axes?.outward({ origin, shape: of.shape }).origin ?? origin }
    }
    case 'rechunk':
    case 'member':
      return { ...operation, of: change.array(operation.of) }
    case 'reverse':
      return {
        ...operation,
        of: change.array(operation.of),
        axes: operation.axes.map((axis) => axisAfter(change, axis)),
      }
    case 'concat':
    case 'mosaic': {
      const encodings = operation.encodings.map((encoding) => change.encoding(encoding))
      return { ...operation, encodings, members: changedMembers(operation.members, change) }
    }
    case 'mask':
      return { ...operation, values: change.array(operation.values) }
    case 'coarsen':
      // Means of changed values are not the changed means.
      throw unsupported('overviews', 'overviews are made of values as they are served, and not changed afterwards')
  }
}

/** Which axis an axis is once axes are changed. */
function axisAfter({ axes }: ArrayChange, axis: number): number {
  if (axes === undefined) return axis
  const origin = Array.from({ length: axis + 1 }, (_, at) => (at === axis ? 1 : 0))
  return axes.outward({ origin, shape: origin }).origin.indexOf(1)
}

function changedMembers(members: Members, { array, overlay, axes }: ArrayChange): Members {
  const known = new WeakMap<VirtualArray, VirtualArray>()
  const changed = (of: VirtualArray): VirtualArray => {
    const before = known.get(of) ?? array(of)
    known.set(of, before)
    return before
  }
  const outward = axes?.outward ?? ((box: Box) => box)
  const inward = axes?.inward ?? ((box: Box) => box)
  const { list } = members as Partial<ListedMembers>
  if (list !== undefined)
    return listed(
      list.map(({ array: of, origin }) => ({
        array: changed(of),
        origin: outward({ origin, shape: of.shape }).origin,
      })),
    )
  return {
    reaching: (box) => members.reaching(inward(box)),
    boxOf: (member) => outward(members.boxOf(member)),
    async open(member, signal) {
      const opened = await members.open(member, signal)
      if (opened === undefined) return undefined
      const over = opened.overlay
      const own = over === undefined || overlay === undefined ? over : overlay(over)
      return { ...opened, array: changed(opened.array), overlay: own }
    },
    weight: () => members.weight(),
  }
}

/** The arrays at hand that an operation puts beside each other, and where each begins; undefined for one that does something else. */
export function placedArrays(operation: Operation): readonly PlacedArray[] | undefined {
  switch (operation.kind) {
    case 'window':
      return [{ array: operation.of, origin: operation.origin.map((at) => 0 - at) }]
    case 'rechunk':
      return [{ array: operation.of, origin: operation.of.shape.map(() => 0) }]
    case 'concat':
      return (operation.members as Partial<ListedMembers>).list
    case 'mosaic':
    case 'mask':
    case 'coarsen':
    case 'member':
    case 'reverse':
      return undefined
  }
}

/** The arrays that another is composed of, but for members that are not at hand. */
export function composedOf({ operation }: VirtualArray): readonly VirtualArray[] {
  switch (operation?.kind) {
    case undefined:
      return []
    case 'window':
    case 'rechunk':
    case 'member':
    case 'coarsen':
    case 'reverse':
      return [operation.of]
    case 'mask':
      return [operation.values, operation.mask]
    case 'concat':
    case 'mosaic':
      return (operation.members as Partial<ListedMembers>).list?.map(({ array }) => array) ?? []
  }
}

/** The indexes of all stored chunks of an array, but for those of members that are not at hand. */
export function* indexesOf(array: VirtualArray): Generator<ChunkIndex> {
  if (array.operation === undefined) yield array.chunks
  else for (const inner of composedOf(array)) yield* indexesOf(inner)
}

/** Bytes of memory that finding the chunks of an array holds. */
export function indexWeight(array: VirtualArray): number {
  const { operation } = array
  if (operation === undefined) return array.chunks.weight()
  const members = operation.kind === 'concat' || operation.kind === 'mosaic' ? operation.members.weight() : 200
  return composedOf(array).reduce((sum, inner) => sum + indexWeight(inner), members)
}

/** Whether every chunk is known to be stored (FV-19); may read an index. */
export function isComplete(array: VirtualArray, signal?: AbortSignal): boolean | Promise<boolean> {
  return array.operation === undefined && (array.chunks.isComplete?.(signal) ?? false)
}
