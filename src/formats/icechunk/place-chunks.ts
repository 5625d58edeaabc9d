import { type ChunkIndex, gridCoordinates, gridPosition } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { after } from '../../model/recent-parts.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'
import type { SkippedArray } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import type { PlaceArrays } from '../zarr-documents/to-tree.ts'
import { gridOf } from '../zarr-documents/zarr-array.ts'
import { type Manifests, type ManifestWorld, manifestsOf } from './manifests.ts'
import type { ArrayNode, Snapshot } from './snapshot.ts'

/** Whether larger grids are complete is not looked up. */
const MOST_COUNTED = 2 ** 24

/** Gives each array the manifests that its node names. */
export function placeChunks(snapshot: Snapshot, world: Omit<ManifestWorld, 'grids'>): PlaceArrays {
  return async (arrays) => {
    const grids = new Map<string, readonly number[]>()
    for (const [path, array] of arrays) {
      const node = snapshot.arrays.get(path)
      if (node !== undefined && isCountable(gridOf(array))) grids.set(node.nodeId, gridOf(array))
    }
    const manifests = manifestsOf({ ...world, grids })
    let isFirst = true
    return (path, array) => {
      const gridShape = gridOf(array)
      const node = snapshot.arrays.get(path)
      if (node === undefined || !isCountable(gridShape)) return tooLarge(gridShape)
      const chunks = manifestIndex({ path, gridShape, node, manifests, isFirst })
      isFirst = false
      return { encodings: [array.encoding], chunks }
    }
  }
}

function isCountable(gridShape: readonly number[]): boolean {
  return Number.isSafeInteger(elementCount(gridShape))
}

function tooLarge(gridShape: readonly number[]): SkippedArray {
  const reason = `a grid of ${elementCount(gridShape)} chunks, at most 2^53 are served`
  return { kind: 'skipped', code: 'limit-exceeded', reason }
}

interface IndexParts {
  readonly path: string
  readonly gridShape: readonly number[]
  readonly node: ArrayNode
  readonly manifests: Manifests
  /** What the arrays share is weighed with one of them. */
  readonly isFirst: boolean
}

/** The chunks of one array, as its manifests say. */
class ManifestIndex implements ChunkIndex {
  readonly gridShape: readonly number[]
  readonly #parts: IndexParts

  constructor(parts: IndexParts) {
    this.gridShape = parts.gridShape
    this.#parts = parts
  }

  at(coords: readonly number[]): ChunkRef | Promise<ChunkRef> {
    return this.#from(0, coords, gridPosition(coords, this.gridShape))
  }

  async isComplete(): Promise<boolean> {
    const count = elementCount(this.gridShape)
    if (count > MOST_COUNTED) return false
    for (let position = 0; position < count; position++) {
      const wait = turn()
      if (wait !== undefined) await wait
      const found = this.at(gridCoordinates(position, this.gridShape))
      if ((found instanceof Promise ? await found : found).kind === 'missing') return false
    }
    return true
  }

  weight(): number {
    const { node, manifests, isFirst } = this.#parts
    return node.manifests.weight + (isFirst ? manifests.weight : 0) + 300
  }

  /** Extents of manifests may reach into each other: the first that has the chunk counts. */
  #from(first: number, coords: readonly number[], position: number): ChunkRef | Promise<ChunkRef> {
    const { node, manifests, path } = this.#parts
    const place = node.manifests.next(coords, first)
    if (place === undefined) return MISSING
    const loaded = manifests.load(node.manifests.id(place), node.manifests.size(place))
    return after(loaded, (manifest) => {
      return manifests.chunk(manifest, node.nodeId, position, path) ?? this.#from(place + 1, coords, position)
    })
  }
}

export const manifestIndex = recipe('icechunk.chunks', (parts: IndexParts): ChunkIndex => new ManifestIndex(parts))
