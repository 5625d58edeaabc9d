import { recipe } from '../../model/recipe.ts'
import { FILE_ID_BYTES, idText } from './object-id.ts'

interface HeldRefs {
  readonly ids: Uint8Array
  readonly sizes: Float64Array
  readonly extents: Uint32Array
}

/** The manifests of one array, and which part of its grid each has: some bytes each, since a large array has many. */
export class ManifestRefs {
  readonly count: number
  readonly #rank: number
  readonly #ids: Uint8Array
  readonly #sizes: Float64Array
  /** First and end of each axis; none where a manifest may have any chunk. */
  readonly #extents: Uint32Array

  constructor(count: number, rank: number, held?: HeldRefs) {
    this.count = count
    this.#rank = rank
    this.#ids = held?.ids ?? new Uint8Array(count * FILE_ID_BYTES)
    this.#sizes = held?.sizes ?? new Float64Array(count)
    this.#extents = held?.extents ?? new Uint32Array(count * rank * 2)
  }

  held(): HeldRefs {
    return { ids: this.#ids, sizes: this.#sizes, extents: this.#extents }
  }

  get weight(): number {
    return this.#ids.byteLength + this.#sizes.byteLength + this.#extents.byteLength
  }

  /** `size` is 0 where it isn't known. */
  set(place: number, id: Uint8Array, size: number, extents: readonly number[]): void {
    this.#ids.set(id, place * FILE_ID_BYTES)
    this.#sizes[place] = size
    this.#extents.set(extents, place * this.#rank * 2)
  }

  id(place: number): string {
    return idText(this.#ids.subarray(place * FILE_ID_BYTES, (place + 1) * FILE_ID_BYTES))
  }

  size(place: number): number | undefined {
    const size = this.#sizes[place] ?? 0
    return size === 0 ? undefined : size
  }

  /** The first manifest from a place on that may have a chunk; undefined where none has. */
  next(coords: readonly number[], from: number): number | undefined {
    for (let place = from; place < this.count; place++) if (this.#holds(place, coords)) return place
    return undefined
  }

  #holds(place: number, coords: readonly number[]): boolean {
    let at = place * this.#rank * 2
    for (let axis = 0; axis < this.#rank; axis++, at += 2) {
      const coordinate = coords[axis] ?? 0
      if (coordinate < (this.#extents[at] ?? 0) || coordinate >= (this.#extents[at + 1] ?? 0)) return false
    }
    return true
  }
}

interface RefsSize {
  readonly count: number
  readonly rank: number
}

export const manifestRefs = recipe(
  'icechunk.manifest-refs',
  ({ count, rank }: RefsSize, held?: HeldRefs) => new ManifestRefs(count, rank, held),
)
