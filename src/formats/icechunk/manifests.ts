import { isVirtualZarrError, malformed, overLimit } from '../../errors.ts'
import { brokenReference } from '../../model/broken-reference.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { RecentParts } from '../../model/recent-parts.ts'
import { recipe } from '../../model/recipe.ts'
import type { ParseContext } from '../format.ts'
import {
  BREAKAGES,
  BROKEN,
  chunkIdAt,
  FIRST_LOCATION,
  INLINE,
  type ManifestContent,
  type RefTable,
  refsOfManifest,
} from './chunk-refs.ts'
import { readLocation } from './locations.ts'
import { withContent } from './metadata-file.ts'

/** Memory for the references of manifests that were used last. */
const KEPT_BYTES = 64 * 2 ** 20
/** Of these, what other processes find again. */
const MOST_HELD_BYTES = 16 * 2 ** 20
/** A manifest of a million native chunks takes 23 MB; what ten requests hold at once must stay bounded. */
const MOST_FILE_BYTES = 32 * 2 ** 20
const MOST_CONTENT_BYTES = 3 * 2 ** 27
const LOCATION_WEIGHT = 300

/** What reading manifests needs of the repository. */
export interface ManifestWorld {
  /** The folder of the repository, with a final slash. */
  readonly root: string
  readonly context: Pick<ParseContext, 'open' | 'reference' | 'referenceIf' | 'room'>
  /** Of the arrays of the snapshot, by the ids of their nodes. */
  readonly grids: ReadonlyMap<string, readonly number[]>
  /** What locations below a container begin with. */
  prefixOf(container: string): string | undefined
}

/** The references of a manifest, with the sources that were looked up. */
interface LoadedManifest {
  readonly content: ManifestContent
  /** By number of the location. */
  readonly sources: Map<number, number>
}

type HeldManifests = readonly (readonly [string, ManifestContent])[]

/** The manifests of a snapshot: each is read when a chunk first asks for it, those used last are kept. */
export class Manifests {
  readonly #world: ManifestWorld
  readonly #recent = new RecentParts<string, LoadedManifest>(KEPT_BYTES, ({ content }) => content.weight)
  #locations = 0
  #chunks: number | undefined

  constructor(world: ManifestWorld, held: HeldManifests = []) {
    this.#world = world
    for (const [id, content] of held) this.#recent.put(id, { content, sources: new Map() })
  }

  /** Those that were used last, as many as are written down. */
  held(): HeldManifests {
    let left = MOST_HELD_BYTES
    const held = this.#recent.entries().toReversed()
    const end = held.findIndex(([, { content }]) => {
      left -= content.weight
      return left < 0
    })
    return held
      .slice(0, end === -1 ? held.length : end)
      .map(([id, { content }]) => [id, content] as const)
      .toReversed()
  }

  get weight(): number {
    return this.#recent.weight + this.#locations * LOCATION_WEIGHT
  }

  /** A manifest that is read, or being read: who asks at the same time shares that. */
  load(id: string, size: number | undefined): LoadedManifest | Promise<LoadedManifest> {
    return this.#recent.load(id, () => this.#read(id, size))
  }

  /** The chunk at a position of an array's grid; undefined where this manifest has none. */
  chunk({ content, sources }: LoadedManifest, nodeId: string, position: number, path: string): ChunkRef | undefined {
    const table = content.arrays.get(nodeId)
    const place = table?.placeOf(position)
    if (table === undefined || place === undefined) return undefined
    const { columns } = table
    const [target = 0, offset = 0, length = 0] = [columns.target[place], columns.offset[place], columns.length[place]]
    if (target === INLINE)
      return { kind: 'inline', bytes: content.inline.subarray(offset, offset + length), encoding: 0 }
    if (target === BROKEN) throw brokenReference(BREAKAGES[offset] ?? 'is broken', path)
    if (target < FIRST_LOCATION) return this.#native(table, place, offset, length)
    const known = sources.get(target)
    const source = known ?? this.#locate(content, target, path)
    if (known === undefined) sources.set(target, source)
    return { kind: 'range', source, offset, length, encoding: 0 }
  }

  #native(table: RefTable, place: number, offset: number, length: number): ChunkRef {
    this.#chunks ??= this.#world.context.reference(`${this.#world.root}chunks/`)
    return { kind: 'range', source: this.#chunks, key: chunkIdAt(table, place), offset, length, encoding: 0 }
  }

  #locate({ locations, dictionary }: ManifestContent, target: number, path: string): number {
    const { context, prefixOf } = this.#world
    const located = readLocation(locations.bytes(target - FIRST_LOCATION), dictionary, prefixOf)
    if (located.kind === 'refused') throw brokenReference(located.reason, path)
    this.#locations++
    const { url, condition } = located
    return condition === undefined ? context.reference(url) : context.referenceIf(url, condition)
  }

  async #read(id: string, size: number | undefined): Promise<LoadedManifest> {
    const { root, context, grids } = this.#world
    const place = { url: `${root}manifests/${id}`, format: 'icechunk' }
    const source = await context.open(place.url, { later: true, length: size })
    const length = size ?? source.size
    if (length > MOST_FILE_BYTES)
      throw overLimit(`a manifest of ${length} bytes, at most ${MOST_FILE_BYTES} are read`, place)
    const file = await source.read({ offset: 0, length }).catch((error: unknown) => {
      // Chunks would read as never written.
      throw isVirtualZarrError(error, 'source-not-found')
        ? malformed(`manifest ${id} is not there`, place, error)
        : error
    })
    const limits = { mostBytes: MOST_CONTENT_BYTES, room: context.room }
    const content = await withContent(file, 'manifest', limits, place, (found) => refsOfManifest(found, grids, place))
    return { content, sources: new Map() }
  }
}

export const manifestsOf = recipe(
  'icechunk.manifests',
  (world: ManifestWorld, held?: HeldManifests) => new Manifests(world, held),
)
