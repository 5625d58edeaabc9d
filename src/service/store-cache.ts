import { LRUCache } from 'lru-cache'
import type { VirtualNode } from '../model/virtual-store.ts'
import type { ParsedSource } from './open-source.ts'
import { type OpenStore, openStore } from './open-store.ts'
import type { StoreAddress } from './store-address.ts'

/** A parsed source and the stores made of it: they are weighed, revalidated and dropped together. */
export interface CachedSource {
  readonly parsed: ParsedSource
  readonly stores: Map<string, OpenStore>
  /** Stores being made, which concurrent requests await together. */
  readonly making: Map<string, Promise<OpenStore>>
  /** When the origin last said that the source is unchanged (milliseconds of the monotonic clock). */
  checkedAt: number
  /** The origin has another version now: chunk requests are refused until the metadata is asked for again. */
  changed: boolean
  weight: number
}

export interface StoreCacheSettings {
  readonly maxBytes: number
  /** How long a failed open is remembered, so that a bad URL is no way to hammer an origin. */
  readonly failureMilliseconds: number
}

/** Most stores (profiles, groups, variables) kept of one source. */
const MAX_STORES = 32

/** Opened sources, weighed in bytes; concurrent opens of one source are one. */
export class StoreCache {
  readonly #entries: LRUCache<string, CachedSource, StoreAddress>
  readonly #failures: LRUCache<string, { readonly error: unknown }>

  constructor(settings: StoreCacheSettings, parse: (address: StoreAddress) => Promise<ParsedSource>) {
    this.#failures = new LRUCache({ max: 10_000, ttl: settings.failureMilliseconds })
    this.#entries = new LRUCache<string, CachedSource, StoreAddress>({
      maxSize: settings.maxBytes,
      // What alone is larger than the cache is kept alone: without it each of its chunks would cost a whole open.
      sizeCalculation: (entry) => Math.min(entry.weight, settings.maxBytes),
      // Others wait for this open: neither one client's leaving nor an eviction may end it.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { context }) => cachedSource(await parse(context)),
    })
  }

  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }

  peek(address: StoreAddress): CachedSource | undefined {
    return this.#entries.get(address.sourceKey)
  }

  async open(address: StoreAddress): Promise<CachedSource> {
    const key = address.sourceKey
    const failure = this.#failures.get(key)
    if (failure !== undefined) throw failure.error
    try {
      const entry = await this.#entries.fetch(key, { context: address })
      if (entry === undefined) throw new Error(`the open of ${key} gave nothing`)
      return entry
    } catch (error) {
      this.#failures.set(key, { error })
      throw error
    }
  }

  /** Forgets a source; its next open reads it anew. An entry that another request has replaced meanwhile stays. */
  drop(address: StoreAddress, entry: CachedSource): void {
    const key = address.sourceKey
    if (this.#entries.peek(key) === entry) this.#entries.delete(key)
  }

  /** The store that an address names within its opened source; no promise once it is made. */
  store(address: StoreAddress, entry: CachedSource): OpenStore | Promise<OpenStore> {
    const { viewKey } = address
    const known = entry.stores.get(viewKey) ?? entry.making.get(viewKey)
    if (known !== undefined) return known
    const making = this.#make(address, entry).finally(() => entry.making.delete(viewKey))
    entry.making.set(viewKey, making)
    return making
  }

  async #make(address: StoreAddress, entry: CachedSource): Promise<OpenStore> {
    const store = await openStore(entry.parsed, address.options)
    for (const [key, { weight }] of entry.stores) {
      if (entry.stores.size < MAX_STORES) break
      entry.stores.delete(key)
      entry.weight -= weight
    }
    entry.stores.set(address.viewKey, store)
    this.grow(address, entry, store.weight)
    return store
  }

  /** Weighs an entry anew: a lazy chunk index has loaded more of itself. */
  grow(address: StoreAddress, entry: CachedSource, bytes: number): void {
    if (bytes === 0) return
    entry.weight = Math.max(1, entry.weight + bytes)
    const key = address.sourceKey
    if (this.#entries.peek(key) === entry) this.#entries.set(key, entry)
  }
}

function cachedSource(parsed: ParsedSource): CachedSource {
  // A source that was inflated as a whole is held in memory.
  const held = parsed.documents[0] === parsed.source ? 0 : parsed.source.size
  return {
    parsed,
    stores: new Map(),
    making: new Map(),
    checkedAt: performance.now(),
    changed: false,
    weight: weightOf(parsed.root) + held + 4096,
  }
}

/** What a tree takes in memory, roughly: its chunk indexes know exactly, the rest is estimated. */
function weightOf(node: VirtualNode): number {
  if (node.kind === 'array') return 2000 + node.attributes.size * 200 + node.chunks.weight()
  let weight = 500 + node.attributes.size * 200
  for (const member of node.members.values()) weight += member.kind === 'skipped' ? 200 : weightOf(member)
  return weight
}
