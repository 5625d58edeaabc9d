import { LRUCache } from 'lru-cache'
import type { DeliveryWorld, RecodeWorkers } from '../delivery/delivery.ts'
import { VirtualZarrError } from '../errors.ts'
import type { ChunkIndex } from '../model/chunk-index.ts'
import type { Sources } from '../source/source.ts'
import { chunkWorld, joinedWorld, type MadeChunks, madeChunks } from './chunk-world.ts'
import { isCurrentVersion } from './freshness.ts'
import { openAny, partAddress, type SourceAddress, sourcesFor } from './join/open-any.ts'
import { OpeningProgress } from './join/progress.ts'
import type { ParsedSource } from './open-source.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { Openings } from './openings.ts'
import { MAKING_BYTES, roomOf } from './room.ts'
import { SourceWeight } from './source-weight.ts'
import { assertVersion, type StoreAddress } from './store-address.ts'
import { FAILURE_MILLISECONDS, type StoreServiceSettings, type StoreStatistics } from './store-settings.ts'

/** Most stores (profiles, groups, variables) kept of one source. */
const MOST_STORES = 32

/**
 * A parsed source, the stores made of it, and what is known of its being current. They are weighed, revalidated and dropped
 * together, and nobody else changes any of that.
 */
export class OpenedSource {
  readonly parsed: ParsedSource
  /** The way to the sources of its chunks. */
  readonly world: DeliveryWorld
  readonly #owner: OpenedSources
  readonly #key: string
  readonly #stores = new Map<string, OpenStore>()
  /** Stores being made, which concurrent requests await together. */
  readonly #making = new Map<string, Promise<OpenStore>>()
  /** When the origin last said that the source is unchanged (milliseconds of the monotonic clock). */
  #checkedAt = performance.now()
  #asking: Promise<boolean> | undefined
  #isChanged = false
  /** The sources of this join are others now: the metadata is made anew when it is asked for, and chunks are each source's matter. */
  #isOutdated = false
  #partsCheckedAt = performance.now()
  readonly #weight: SourceWeight

  constructor(parsed: ParsedSource, world: DeliveryWorld, key: string, owner: OpenedSources) {
    this.parsed = parsed
    this.world = world
    this.#key = key
    this.#owner = owner
    this.#weight = new SourceWeight(parsed.root)
    // A source that was inflated as a whole is held in memory; those of a join are weighed by themselves.
    if (parsed.parts === undefined && parsed.documents[0] !== parsed.source) this.#weight.add(parsed.source.size)
  }

  get weight(): number {
    return Math.max(1, this.#weight.bytes)
  }

  /** The origin has another version now: chunk requests are refused until the metadata is asked for again. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  /** A chunk was found to be of another version: of a join that is one source's matter, and the others' chunks stay. */
  hasChanged(): void {
    if (this.parsed.parts === undefined) this.#isChanged = true
    else this.#isOutdated = true
  }

  /** Whoever needs it next asks the origin first. */
  doubt(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  /** A chunk index that was used may have loaded more of itself; one that was not met yet counts from here on. */
  weigh(chunks: ChunkIndex): void {
    if (this.#weight.weighAgain(chunks)) this.#owner.weigh(this.#key, this)
  }

  /** The store that an address names, where it is made already. */
  madeStore(viewKey: string): OpenStore | undefined {
    return this.#stores.get(viewKey)
  }

  async store(address: StoreAddress): Promise<OpenStore> {
    const { viewKey } = address
    const known = this.#stores.get(viewKey) ?? this.#making.get(viewKey)
    if (known !== undefined) return await known
    const making = this.#make(address).finally(() => this.#making.delete(viewKey))
    this.#making.set(viewKey, making)
    return await making
  }

  async #make(address: StoreAddress): Promise<OpenStore> {
    const store = await openStore(this.parsed, address.options)
    for (const [key, { weight }] of this.#stores) {
      if (this.#stores.size < MOST_STORES) break
      this.#stores.delete(key)
      this.#weight.add(-weight)
    }
    for (const node of store.nodes.values()) if (node.kind === 'array') this.#weight.weighAgain(node.array.chunks)
    this.#stores.set(address.viewKey, store)
    this.#weight.add(store.weight)
    this.#owner.weigh(this.#key, this)
    return store
  }

  /** Whether this version is asked for by its name, which says little of its bytes: each answer asks first whether it still is there. */
  isGuessedPin({ options }: Pick<StoreAddress, 'options'>): boolean {
    return options.version !== undefined && this.parsed.isGuessed
  }

  /** Whether the origin need not be asked: it has said so a short while ago. */
  isRecent(seconds = this.#owner.settings.freshSeconds): boolean {
    return !this.#isChanged && performance.now() - this.#checkedAt < seconds * 1000
  }

  /** Whether the origin still has this version; it is asked when its last answer is older than `seconds`, once for all. */
  async isFresh(seconds?: number): Promise<boolean> {
    if (this.isRecent(Math.min(this.#owner.settings.freshSeconds, seconds ?? Number.POSITIVE_INFINITY))) return true
    if (this.#isChanged) return false
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return await this.#asking
  }

  /** Whether its metadata may be given without asking anybody. */
  isCurrentSurely(): boolean {
    return !this.#isOutdated && this.isRecent() && this.#arePartsRecent()
  }

  /** Whether metadata made of it is that of now: of a join by its sources, too. */
  async isCurrent(seconds?: number): Promise<boolean> {
    if (this.#isOutdated || !(await this.isFresh(seconds))) return false
    if (this.#arePartsRecent(seconds)) return true
    const askedAt = performance.now()
    const isCurrent = (await this.parsed.parts?.isCurrent()) !== false
    if (isCurrent) this.#partsCheckedAt = askedAt
    else this.#isOutdated = true
    return isCurrent
  }

  #arePartsRecent(seconds = this.#owner.settings.freshSeconds): boolean {
    const { parts } = this.parsed
    return parts === undefined || performance.now() - this.#partsCheckedAt < seconds * 1000
  }

  /** Throws `source-changed` when the origin has another version. */
  async assertFresh(seconds?: number): Promise<void> {
    if (!(await this.isFresh(seconds))) throw this.changed()
  }

  changed(): VirtualZarrError {
    return new VirtualZarrError(
      'source-changed',
      'the source has changed since this store was opened; its zarr.json opens the new version',
      { url: this.parsed.publicUrl },
    )
  }

  async #ask(): Promise<boolean> {
    const isFresh = await isCurrentVersion(this.parsed, this.#owner.sources)
    if (isFresh) this.#checkedAt = performance.now()
    else this.#isChanged = true
    return isFresh
  }
}

/** A store together with the source it is made of. */
export interface Opened {
  readonly source: OpenedSource
  readonly store: OpenStore
}

/** The sources that are open, weighed in bytes; concurrent opens of one are one. */
export class OpenedSources {
  readonly sources: Sources
  readonly settings: StoreServiceSettings
  readonly progress = new OpeningProgress()
  readonly #entries: LRUCache<string, OpenedSource, SourceAddress>
  readonly #failures: LRUCache<string, { readonly error: unknown }>
  readonly #made: MadeChunks
  readonly #counts = { opens: 0, failedOpens: 0, diagnostics: new Map<string, number>() }

  constructor(sources: Sources, workers: RecodeWorkers, settings: StoreServiceSettings) {
    this.sources = sources
    this.settings = settings
    // Opened stores save whole parses and recoded chunks only their decoding, hence the larger share.
    this.#made = madeChunks(Math.ceil(settings.cacheBytes / 4))
    const [room, openings] = [roomOf(MAKING_BYTES), new Openings()]
    const maxSize = Math.ceil((settings.cacheBytes * 3) / 4)
    this.#failures = new LRUCache({ max: 10_000, ttl: FAILURE_MILLISECONDS })
    this.#entries = new LRUCache<string, OpenedSource, SourceAddress>({
      maxSize,
      // What alone is larger than the cache is kept alone: without it each of its chunks would cost a whole open.
      sizeCalculation: (entry) => Math.min(entry.weight, maxSize),
      // Others wait for this open: neither one client's leaving nor an eviction may end it.
      ignoreFetchAbort: true,
      fetchMethod: async (key, _stale, { context }) => {
        const own = sourcesFor(context, sources)
        const progress = this.progress.begin(key)
        const parsed = await openAny(context, {
          sources: own,
          progress,
          formats: settings.formats,
          limits: settings.parse,
          openings,
          openPart: (part, which) => this.#openPart(partAddress(part), which),
          readFrom: (part) => joinedWorld(part, workers, room),
        }).finally(progress.done)
        this.#count(parsed)
        return new OpenedSource(parsed, chunkWorld(parsed, own, this.#made, workers, room), key, this)
      },
    })
  }

  async #openPart(address: SourceAddress, which: 'current' | 'open'): Promise<OpenedSource> {
    if (which === 'current') return await this.#currentSource(address)
    return this.#entries.get(address.sourceKey) ?? (await this.#open(address))
  }

  /** What is open and known to be current without asking anybody: the way of a warm document. */
  warm(address: StoreAddress): Opened | undefined {
    const source = this.#entries.get(address.sourceKey)
    const store = source?.madeStore(address.viewKey)
    if (source === undefined || store === undefined || !source.isCurrentSurely()) return undefined
    if (source.isGuessedPin(address)) return undefined
    assertVersion(address, source.parsed)
    return { source, store }
  }

  /** For metadata: the current version, opened anew when the source has changed. */
  async current(address: StoreAddress): Promise<Opened> {
    const source = await this.#currentSource(address)
    assertVersion(address, source.parsed)
    return { source, store: await source.store(address) }
  }

  /** For chunks: the version that is open; throws `source-changed` once it is known to be the past. */
  pinned(address: StoreAddress): Opened | Promise<Opened> {
    const source = this.#entries.get(address.sourceKey)
    const store = source?.madeStore(address.viewKey)
    if (source === undefined || store === undefined) return this.#pinnedAnew(address)
    if (source.isChanged) throw source.changed()
    assertVersion(address, source.parsed)
    return { source, store }
  }

  async #pinnedAnew(address: StoreAddress): Promise<Opened> {
    const source = this.#entries.get(address.sourceKey) ?? (await this.#open(address))
    if (source.isChanged) throw source.changed()
    assertVersion(address, source.parsed)
    return { source, store: await source.store(address) }
  }

  /** Weighs an entry anew, unless another has replaced it; what is set again as it is would keep its old size. */
  weigh(key: string, source: OpenedSource): void {
    if (this.#entries.peek(key) === source && this.#entries.delete(key)) this.#entries.set(key, source)
  }

  get statistics(): StoreStatistics {
    const { size, calculatedSize } = this.#entries
    return { ...this.#counts, cachedSources: size, cachedBytes: calculatedSize, recodedBytes: this.#made.recoded.bytes }
  }

  async #currentSource(address: SourceAddress): Promise<OpenedSource> {
    const key = address.sourceKey
    const source = this.#entries.get(key)
    if (source === undefined) return await this.#open(address)
    if (await source.isCurrent(source.isGuessedPin(address) ? 0 : undefined)) return source
    // Another request may have replaced it meanwhile.
    if (this.#entries.peek(key) === source) this.#entries.delete(key)
    return await this.#open(address)
  }

  async #open(address: SourceAddress): Promise<OpenedSource> {
    const key = address.sourceKey
    const failure = this.#failures.get(key)
    if (failure !== undefined) throw failure.error
    try {
      const source = await this.#entries.fetch(key, { context: address })
      if (source === undefined) throw new Error(`the open of ${key} gave nothing`)
      return source
    } catch (error) {
      if (this.#failures.get(key)?.error !== error) this.#counts.failedOpens++
      this.#failures.set(key, { error })
      throw error
    }
  }

  #count({ diagnostics }: ParsedSource): void {
    this.#counts.opens++
    for (const { code } of diagnostics) {
      this.#counts.diagnostics.set(code, (this.#counts.diagnostics.get(code) ?? 0) + 1)
    }
  }
}
