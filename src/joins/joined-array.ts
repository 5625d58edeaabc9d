import { composedArray } from '../model/composed-array.ts'
import type { Encoding } from '../model/encoding.ts'
import type { ArraySpec, Box, Members, VirtualArray } from '../model/virtual-store.ts'
import type { OpenPart, Parts } from './parts.ts'

/** Everything of a joined array but where its values are. */
export interface JoinedSpec extends ArraySpec {
  /** How chunks of the usual source are stored: as such they are advertised. */
  readonly encodings: readonly Encoding[]
}

/** How one variable is joined. */
export interface Joining {
  /** Its length along `axis` is that of all parts. */
  readonly like: JoinedSpec
  readonly axis: number
  /**
   * The variable of one source, as a part of the joined array: of its type, rank and meaning. Undefined where the source lacks
   * it; throws what differs. The same object for the same source.
   */
  fitted(part: OpenPart, position: number): VirtualArray | undefined
  /** A source that does not exist reads as missing; throws where there is no value that says so. */
  requireMissing(position: number): void
}

/** An array of many sources' arrays, one after the other along an axis. */
export function joinedArray(joining: Joining, parts: Parts): VirtualArray {
  const { like } = joining
  return composedArray(like, { kind: 'concat', members: membersAlong(joining, parts), encodings: like.encodings })
}

function membersAlong({ like, axis, fitted, requireMissing }: Joining, { cuts, open }: Parts): Members {
  const lengthOf = (position: number) => cuts.startOf(position + 1) - cuts.startOf(position)
  return {
    reaching({ origin, shape }: Box) {
      const from = Math.max(origin[axis] ?? 0, 0)
      const to = Math.min((origin[axis] ?? 0) + (shape[axis] ?? 0), cuts.total)
      if (from >= to) return []
      const first = cuts.holding(from)
      const positions = Array.from({ length: cuts.holding(to - 1) - first + 1 }, (_, place) => first + place)
      return positions.filter((position) => lengthOf(position) > 0)
    },
    boxOf: (position) => ({
      origin: like.shape.map((_length, at) => (at === axis ? cuts.startOf(position) : 0)),
      shape: like.shape.with(axis, lengthOf(position)),
    }),
    async open(position, signal) {
      const part = await open(position, signal)
      if (part === undefined) requireMissing(position)
      const array = part === undefined ? undefined : fitted(part, position)
      return part === undefined || array === undefined ? undefined : { array, file: part.part }
    },
    weight: () => 1000,
  }
}

export function isEqual(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((length, axis) => length === other[axis])
}

/** An array that all sources share, read from one of them: its references count from that one. */
export function sharedArray(array: VirtualArray, part: number): VirtualArray {
  return composedArray({ ...array, maskedBy: undefined }, { kind: 'member', of: array, file: part })
}
