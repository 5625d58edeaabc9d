/** A chunk as an index names it. */
export interface StoredChunk {
  readonly address: number
  readonly size: number
  /** Bit n: filter n of the pipeline was left out. */
  readonly mask: number
}

/** A node of an index that must be read to get any further. */
export interface NodeRequest {
  readonly address: number
  readonly length: number
  /** Throws unless the bytes are that node. */
  check(bytes: Uint8Array): void
  /** How many of the node's bytes hold entries, where a node may be partly empty; `bytes` were checked. */
  usedBytes?(bytes: Uint8Array): number
}

/** One step on the way to a chunk. */
export type Step =
  | { readonly kind: 'found'; readonly chunk: StoredChunk }
  | { readonly kind: 'absent' }
  | { readonly kind: 'read'; readonly request: NodeRequest }

/** The chunk was never written. */
export const ABSENT: Step = { kind: 'absent' }

/** Nodes that have been read, by address. */
export type Nodes = (address: number) => Uint8Array | undefined

/** What is known of the nodes that those of one level of a tree point to, and of all below them. */
export interface NodesBelow {
  /** What these nodes, and those of this level, begin with. */
  readonly signatures: readonly string[]
  /** Bytes that every one of them takes. */
  readonly length: number
  /** Fewest children that a node of this level has as a rule. */
  readonly fewest: number
}

/** Reads many nodes at once and hands over each as it comes, by its place in the list. */
export type ReadNodes = (
  requests: readonly NodeRequest[],
  visit: (bytes: Uint8Array, index: number) => void,
  below?: NodesBelow,
) => Promise<void>

/** Takes the chunks of a whole index: `position` counts over the grid in C order. */
export type Emit = (position: number, address: number, size: number, mask: number) => void

/** How one kind of index finds its chunks; it holds no nodes itself. */
export interface Locator {
  /** Goes as far as the nodes at hand allow. */
  locate(coords: readonly number[], nodes: Nodes): Step
  /** Walks the whole index, level by level. */
  scan(read: ReadNodes, emit: Emit): Promise<void>
}

/** What every locator must know of its dataset. */
export interface ChunkGrid {
  readonly gridShape: readonly number[]
  /** The most chunks each dimension may ever have; undefined where it may grow without limit. */
  readonly mostChunks: readonly (number | undefined)[]
  readonly chunkShape: readonly number[]
  /** Bytes of a chunk without filters. */
  readonly chunkBytes: number
  readonly isFiltered: boolean
}

/** The position of a chunk in the grid, of coordinates that an index holds; undefined outside of it. */
export function positionOf(gridShape: readonly number[], coordinate: (axis: number) => number): number | undefined {
  let position = 0
  for (let axis = 0; axis < gridShape.length; axis++) {
    const length = gridShape[axis] ?? 0
    const at = coordinate(axis)
    if (at >= length) return undefined
    position = position * length + at
  }
  return position
}
