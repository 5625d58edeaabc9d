import { LRUCache } from 'lru-cache'
import type { DeliveryWorld } from '../delivery/delivery.ts'
import { type ChunkFiles, filesOf } from '../delivery/files-of.ts'
import { inParallel } from '../in-parallel.ts'
import type { ChunkPlace } from './chunk-place.ts'
import { digest } from './document.ts'

/** Files that are asked for their versions at the same time. */
const PARALLEL_QUESTIONS = 16

/** Chunks that are put together of others, whose files are remembered: a coarse overview is made of thousands. */
const MAX_REMEMBERED = 1000

const rememberedOf = new WeakMap<DeliveryWorld, LRUCache<string, ChunkFiles>>()

type File = readonly [world: DeliveryWorld, index: number]

/** Names the bytes of a chunk: by the version of its store, and by those of all other files that they come from. */
export class ChunkIdentity {
  /** What the version of the store says of the chunk. */
  readonly name: string
  readonly #chunk: ChunkFiles | undefined
  readonly #files: readonly File[]
  readonly #isWeakStore: boolean

  private constructor(name: string, chunk: ChunkFiles | undefined, isWeakStore: boolean) {
    this.name = name
    this.#isWeakStore = isWeakStore
    this.#chunk = chunk
    this.#files = [...(chunk?.files ?? [])].flatMap(([world, indexes]) =>
      [...indexes].map((index): File => [world, index]),
    )
  }

  /** Finds the files of a chunk where the version of its store does not name them all; throws `source-changed` where one was replaced. */
  static async of(place: ChunkPlace, signal: AbortSignal | undefined): Promise<ChunkIdentity> {
    const { coords, found, tag } = place
    const name = `${tag}-${coords.join('.')}`
    const isSure = !place.refersElsewhere && !(found.kind === 'stored' && found.ref.kind === 'object')
    const files = isSure ? undefined : await filesAt(name, place, signal)
    const identity = new ChunkIdentity(name, files, place.isWeak)
    for (const [own, index] of identity.#files) own.files?.known(index)
    return identity
  }

  /** Whether it is made of objects, whose versions come with their bytes. */
  get hasObjects(): boolean {
    return this.#chunk?.hasObjects === true
  }

  /** Whether another version of one of its files may have the same name: the ETag is a weak one then. */
  get isWeak(): boolean {
    return this.#isWeakStore || this.#files.some(([world, index]) => world.files?.isWeak(index) === true)
  }

  /** The chunk's ETag; undefined while nothing was read of one of its files, and for what objects are part of. */
  get etag(): string | undefined {
    if (this.#chunk === undefined) return this.#tag(this.name)
    if (this.#chunk.hasObjects) return undefined
    const versions = this.#files.map(([world, index]) => world.files?.known(index))
    if (versions.includes(undefined)) return undefined
    return this.#tag(`${this.name}-${digest([this.#chunk.locations, ...versions].join('\n'))}`)
  }

  #tag(name: string): string {
    return this.isWeak ? `W/"${name}"` : `"${name}"`
  }

  /** Has the versions of all files confirmed by their origins, of those that nobody has read yet, too. */
  async confirm(): Promise<void> {
    await ask(this.#files)
  }

  /** The same of files that were read before: the others will be, when the chunk is. */
  async confirmKnown(): Promise<void> {
    await ask(this.#files.filter(([world, index]) => world.files?.known(index) !== undefined))
  }

  /** Whether the version of the store fixes the bytes; undefined where it names all that they are read from. */
  get isFixed(): boolean | undefined {
    if (this.#chunk === undefined) return undefined
    return !this.hasObjects && this.#files.every(([world, index]) => world.files?.isFixed(index) === true)
  }
}

/** Indexes don't change while they are open. */
async function filesAt(name: string, place: ChunkPlace, signal: AbortSignal | undefined): Promise<ChunkFiles> {
  const { array, coords, found, world, versions = '' } = place
  if (found.kind !== 'composed') return await filesOf({ array, coords, found, signal }, world)
  const remembered = rememberedOf.get(world) ?? new LRUCache({ max: MAX_REMEMBERED })
  rememberedOf.set(world, remembered)
  const key = `${name} ${versions}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const files = await filesOf({ array, coords, found, signal }, world)
  remembered.set(key, files)
  return files
}

async function ask(files: readonly File[]): Promise<void> {
  await inParallel(files, PARALLEL_QUESTIONS, async ([world, index]) => await world.files?.confirm(index))
}
