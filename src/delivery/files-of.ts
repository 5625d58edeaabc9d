import { createHash, type Hash } from 'node:crypto'
import type { StoredChunkRef } from '../compose/found-chunk.ts'
import { planChunk } from '../compose/plan-region.ts'
import type { RegionChunk } from '../compose/planning.ts'
import { chunkLayers } from '../compose/program.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { planningOf } from './composed-chunk.ts'
import type { ChunkRequest, DeliveryWorld } from './delivery.ts'
import { memberWorld } from './member-world.ts'

/** All that the bytes of a chunk are read from. */
export interface ChunkFiles {
  /** Numbers of the files besides the parsed one, by what they are numbered in: the store, or a source of a join. */
  readonly files: ReadonlyMap<DeliveryWorld, ReadonlySet<number>>
  /** A digest of where in which files the bytes lie, and of those that lie in the index itself. */
  readonly locations: string
  /** Whether whole objects are among them, whose versions only their host knows. */
  readonly hasObjects: boolean
}

type WantedChunk = Pick<ChunkRequest, 'array' | 'coords' | 'found' | 'signal'>

/** Finds by indexes alone what a chunk is made of; no values are read. */
export async function filesOf(chunk: WantedChunk, world: DeliveryWorld): Promise<ChunkFiles> {
  const search = new FileSearch()
  await search.add(chunk, world)
  return search.result
}

class FileSearch {
  readonly #files = new Map<DeliveryWorld, Set<number>>()
  readonly #hash: Hash = createHash('sha256')
  #hasObjects = false

  get result(): ChunkFiles {
    return { files: this.#files, locations: this.#hash.digest('base64url'), hasObjects: this.#hasObjects }
  }

  async add({ array, coords, found, signal }: WantedChunk, world: DeliveryWorld): Promise<void> {
    if (found.kind === 'stored') this.#addStored(found.ref, await memberWorld(world, found.file))
    else if (found.kind === 'composed') await this.#addComposed(array, coords, world, signal)
    else this.#hash.update('missing\n')
  }

  async #addComposed(
    array: VirtualArray,
    coords: readonly number[],
    world: DeliveryWorld,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const program = await planChunk(array, coords, planningOf(world, signal))
    for (const { chunk } of chunkLayers(program)) await this.#addChunk(chunk, world, signal)
  }

  async #addChunk(chunk: RegionChunk, world: DeliveryWorld, signal: AbortSignal | undefined): Promise<void> {
    const own = await memberWorld(world, chunk.file)
    if (chunk.kind === 'stored') this.#addStored(chunk.ref, own)
    else if (chunk.stored === undefined) await this.#addComposed(chunk.array, chunk.coords, own, signal)
    else this.#addStored(chunk.stored.ref, own)
  }

  #addStored(ref: StoredChunkRef, world: DeliveryWorld): void {
    const hash = this.#hash.update(`${ref.kind}\n`)
    switch (ref.kind) {
      case 'object':
        this.#hasObjects = true
        return
      case 'inline':
        hash.update(`${ref.encoding} ${ref.bytes.length}\n`).update(ref.bytes)
        if (ref.source !== undefined) this.#addFile(ref.source, world)
        return
      case 'range':
        hash.update(`${ref.encoding} ${ref.offset} ${ref.length} ${ref.key ?? ''} ${ref.prefix?.length ?? 0}\n`)
        if (ref.prefix !== undefined) hash.update(ref.prefix)
        break
      case 'strided':
        hash.update(`${ref.encoding} ${ref.offset} ${ref.length} ${ref.stride} ${ref.count}\n`)
        break
      case 'ranges':
        hash.update(`${ref.encoding} ${ref.parts.map(({ offset, length }) => `${offset}+${length}`).join(' ')}\n`)
        break
    }
    // An object below a folder that has a name of its own never changes.
    if (ref.kind === 'range' && ref.key !== undefined) hash.update(`${world.files?.urlOf(ref.source)}\n`)
    else this.#addFile(ref.source, world)
  }

  #addFile(index: number, world: DeliveryWorld): void {
    // The version of the store names what was parsed.
    if (index === 0) return
    this.#hash.update(`${world.files?.urlOf(index)}\n`)
    const files = this.#files.get(world) ?? new Set()
    this.#files.set(world, files.add(index))
  }
}
