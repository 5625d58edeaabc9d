import { inParallel } from '../in-parallel.ts'
import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import { ASSEMBLED, type ChunkRef } from '../model/chunk-ref.ts'
import type { Box, JoinedParts, StoredPart, VirtualArray } from '../model/virtual-store.ts'
import type { OpenPart, Parts } from './parts.ts'

/** How one variable is joined. */
export interface Joining {
  /** Everything of the joined array but where its values are; its length along `axis` is that of all parts. */
  readonly like: VirtualArray
  readonly axis: number
  /**
   * The variable of one source, as a part of the joined array: of its type, rank and meaning. Undefined where the source lacks
   * it; throws what differs. The same object for the same source.
   */
  fitted(part: OpenPart, position: number): VirtualArray | undefined
  /** A source that does not exist reads as missing; throws where there is no value that says so. */
  requireMissing(position: number): void
}

/** Sources that are opened at the same time for one chunk. */
const OPENED_AT_ONCE = 16

/** An array of many sources' arrays, one after the other along an axis. */
export function joinedArray(joining: Joining, parts: Parts): VirtualArray {
  const { like } = joining
  return { ...like, stored: undefined, joined: partsOf(joining, parts), chunks: joinIndex(joining, parts) }
}

function partsOf(joining: Joining, { cuts, open }: Parts): JoinedParts {
  const { like, axis } = joining
  return {
    async within({ origin, shape }: Box, signal) {
      const from = Math.max(origin[axis] ?? 0, 0)
      const to = Math.min((origin[axis] ?? 0) + (shape[axis] ?? 0), cuts.total)
      if (from >= to) return []
      const first = cuts.holding(from)
      const count = cuts.holding(to - 1) - first + 1
      const found = await inParallel(range(first, count), OPENED_AT_ONCE, async (position) => {
        if (cuts.startOf(position + 1) === cuts.startOf(position)) return undefined
        const part = await open(position, signal)
        if (part === undefined) joining.requireMissing(position)
        const array = part === undefined ? undefined : joining.fitted(part, position)
        if (part === undefined || array === undefined) return undefined
        const at = like.shape.map((_length, place) => (place === axis ? cuts.startOf(position) : 0))
        return { array, origin: at, part: part.part } satisfies StoredPart
      })
      return found.filter((part) => part !== undefined)
    },
  }
}

function* range(first: number, count: number): Generator<number> {
  for (let place = 0; place < count; place++) yield first + place
}

/**
 * A chunk that lies in one source and is one of its chunks is that chunk; what crosses a cut, or is stored in other chunks, is
 * assembled.
 */
function joinIndex({ like, axis, fitted }: Joining, { cuts, open }: Parts): ChunkIndex {
  const { chunkShape } = like
  const length = chunkShape[axis] ?? 1
  const at = async (coords: readonly number[], signal?: AbortSignal): Promise<ChunkRef> => {
    const from = (coords[axis] ?? 0) * length
    const position = cuts.holding(from)
    const start = cuts.startOf(position)
    const last = Math.min(from + length, cuts.total) - 1
    if (cuts.holding(last) !== position || (from - start) % length !== 0) return ASSEMBLED
    const part = await open(position, signal)
    const array = part === undefined ? undefined : fitted(part, position)
    if (part === undefined || array === undefined || !isEqual(array.chunkShape, chunkShape)) return ASSEMBLED
    const local = coords.map((at, place) => (place === axis ? (from - start) / length : at))
    if (part.part !== undefined) return { kind: 'part', part: part.part, array, coords: local }
    const ref = await array.chunks.at(local, signal)
    return ref.kind === 'part' ? ref : ASSEMBLED
  }
  return { gridShape: gridShapeOf(like.shape, chunkShape), at, weight: () => 1000 }
}

export function isEqual(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((length, axis) => length === other[axis])
}

/** An array that all sources share, read from one of them: its references count from that one. */
export function sharedArray(array: VirtualArray, part: number): VirtualArray {
  const { maskedBy: _mask, stored: _stored, masked: _masked, ...own } = array
  const origin = array.shape.map(() => 0)
  return {
    ...own,
    joined: { within: async () => [{ array, origin, part }] },
    chunks: {
      gridShape: array.chunks.gridShape,
      at: (coords) => ({ kind: 'part', part, array, coords }),
      weight: () => array.chunks.weight(),
    },
  }
}
