import { LRUCache } from 'lru-cache'
import type { RecodeWorkers } from '../delivery/delivery.ts'
import { isVirtualZarrError } from '../errors.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import { PageCache } from '../source/page-cache.ts'
import type { Sources } from '../source/source.ts'
import { chunkWorld, joinedWorld, type SharedByChunks, sharedByChunks } from './chunk-world.ts'
import type { JoinWorld } from './join/join-world.ts'
import { openAny, partAddress, type SourceAddress, sourcesFor } from './join/open-any.ts'
import { OpeningProgress } from './join/progress.ts'
import type { Keeper, KeptRoot } from './kept/keeper.ts'
import { openSource, type ParsedSource } from './open-source.ts'
import type { OpenStore } from './open-store.ts'
import { OpenedSource, type SourceOwner, type WorldWith } from './opened-source.ts'
import { Openings } from './openings.ts'
import { MAKING_BYTES, roomOf } from './room.ts'
import { assertVersion, type StoreAddress } from './store-address.ts'
import { FAILURE_MILLISECONDS, type StoreServiceSettings, type StoreStatistics } from './store-settings.ts'

/** A store together with the source it is made of. */
export interface Opened {
  readonly source: OpenedSource
  readonly store: OpenStore
}

/** Sources that are known to be too large to be opened as a whole. */
const MAX_DIVIDED = 1000

/** Memory for opens that failed; strangers choose their URLs. */
const MOST_FAILED_BYTES = 8 * 2 ** 20

/** The sources that are open, weighed in bytes; concurrent opens of one are one. */
export class OpenedSources implements SourceOwner {
  readonly sources: Sources
  readonly settings: StoreServiceSettings
  readonly progress = new OpeningProgress()
  readonly #entries: LRUCache<string, OpenedSource, SourceAddress>
  readonly #failures: LRUCache<string, { readonly error: unknown }>
  readonly #shared: SharedByChunks
  readonly #counts = { opens: 0, failedOpens: 0, diagnostics: new Map<string, number>() }

  readonly #keeper: Keeper | undefined
  /** Sources of too many objects, by their keys: the groups that `;group=` names are opened one by one. */
  readonly #divided = new LRUCache<string, true>({ max: MAX_DIVIDED })

  constructor(sources: Sources, workers: RecodeWorkers, settings: StoreServiceSettings) {
    this.sources = sources
    this.settings = settings
    this.#keeper = settings.keeper
    // Opened stores save whole parses and recoded chunks only their decoding, hence the larger share.
    const [room, openings] = [roomOf(MAKING_BYTES), new Openings()]
    const part = Math.ceil(settings.cacheBytes / 8)
    const pages = new PageCache({ indexBytes: part, dataBytes: part })
    settings.keeper?.usePages(pages)
    this.#shared = sharedByChunks(2 * part, settings.freshSeconds, workers, room, pages)
    const maxSize = 4 * part
    this.#failures = new LRUCache({
      maxSize: MOST_FAILED_BYTES,
      // The error, its cause and what they say of where they were made; URLs may be long.
      sizeCalculation: (_failure, key) => 2 * key.length + 2000,
      ttl: FAILURE_MILLISECONDS,
    })
    const visitPart: JoinWorld['visitPart'] = async (part, use) => {
      const address = this.#part(partAddress(part))
      if (this.#entries.peek(address.sourceKey) !== undefined) return await use(await this.#currentSource(address))
      const own = sourcesFor(address, sources)
      const { formats, parse: limits } = settings
      const parse = () =>
        openSource(address.sourceUrl, address.options, { sources: own, formats, limits, openings, pages })
      const parsed = await (settings.around === undefined ? parse() : settings.around(address.sourceKey, parse))
      this.#count(parsed)
      try {
        return await use(
          new OpenedSource(
            parsed,
            (files, confirm) => chunkWorld(parsed, own, this.#shared, files, confirm),
            address.sourceKey,
            this,
          ),
        )
      } finally {
        parsed.kept?.release()
      }
    }
    this.#entries = new LRUCache<string, OpenedSource, SourceAddress>({
      maxSize,
      // What alone is larger than the cache is kept alone: without it each of its chunks would cost a whole open.
      sizeCalculation: (entry) => Math.min(entry.weight, maxSize),
      // Others wait for this open: neither one client's leaving nor an eviction may end it.
      ignoreFetchAbort: true,
      fetchMethod: async (key, _stale, { context }) => {
        const own = sourcesFor(context, sources)
        const progress = this.progress.begin(key)
        const parse = async () => {
          const parsed = await openAny(context, {
            sources: own,
            progress,
            formats: settings.formats,
            limits: settings.parse,
            openings,
            pages,
            openPart: (part, which) => this.#openPart(partAddress(part), which),
            visitPart,
            learned: this.#keeper?.learnedOf(context),
            freshSeconds: settings.freshSeconds,
            readFrom: (part) => joinedWorld(part, workers, room),
          })
          this.#count(parsed)
          return parsed
        }
        const open = () => this.#keeper?.open(context, own, parse) ?? parse()
        const opening = settings.around === undefined ? open() : settings.around(key, open)
        const parsed = await opening.finally(progress.done)
        const worldWith: WorldWith = (files, confirm) => chunkWorld(parsed, own, this.#shared, files, confirm)
        return new OpenedSource(parsed, worldWith, key, this)
      },
    })
  }

  async #openPart(asked: SourceAddress, which: 'current' | 'open'): Promise<OpenedSource> {
    const address = this.#part(asked)
    if (which === 'current') return await this.#currentSource(address)
    return this.#entries.get(address.sourceKey) ?? (await this.#open(address))
  }

  /** What is open and known to be current without asking anybody: the way of a warm document. */
  warm(asked: StoreAddress): Opened | undefined {
    const address = this.#part(asked)
    const source = this.#entries.get(address.sourceKey)
    const store = source?.madeStore(address.viewKey)
    if (source === undefined || store === undefined || !source.isCurrentSurely()) return undefined
    if (source.isGuessedPin(address)) return undefined
    assertVersion(address, source.parsed)
    return { source, store }
  }

  /** For metadata: the current version, opened anew when the source has changed. */
  async current(asked: StoreAddress): Promise<Opened> {
    const source = await this.#currentSource(asked)
    assertVersion(asked, source.parsed)
    return { source, store: await source.store(this.#part(asked)) }
  }

  /** For chunks: the version that is open; throws `source-changed` once it is known to be the past. */
  pinned(asked: StoreAddress): Opened | Promise<Opened> {
    const address = this.#part(asked)
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
    return { source, store: await source.store(this.#part(address)) }
  }

  /** The root of a store whose source is not open here, as it is kept. */
  async keptRoot(asked: StoreAddress): Promise<KeptRoot | undefined> {
    const address = this.#part(asked)
    if (this.#keeper === undefined || this.#entries.peek(address.sourceKey) !== undefined) return undefined
    const root = await this.#keeper.root(address)
    if (root !== undefined) assertVersion(address, root)
    return root
  }

  /** Another process may answer for the root of this store. */
  made(parsed: ParsedSource, address: StoreAddress, { nodes }: OpenStore): void {
    const root = nodes.get('')
    if (root === undefined || root.kind === 'skipped') return
    this.#keeper?.addRoot(parsed, address, root.document.identity.bytes)
  }

  noticed({ url }: ParsedSource, diagnostic: Diagnostic): void {
    this.#countDiagnostic(diagnostic, url)
  }

  grown(parsed: ParsedSource): void {
    this.#keeper?.grown(parsed)
  }

  async close(): Promise<void> {
    await this.#keeper?.close()
  }

  /** Weighs an entry anew, unless another has replaced it; what is set again as it is would keep its old size. */
  weigh(key: string, source: OpenedSource): void {
    if (this.#entries.peek(key) === source && this.#entries.delete(key)) this.#entries.set(key, source)
  }

  get statistics(): StoreStatistics {
    const { size, calculatedSize } = this.#entries
    return {
      ...this.#counts,
      cachedSources: size,
      cachedBytes: calculatedSize,
      recodedBytes: this.#shared.recoded.bytes,
      pages: this.#shared.pages.statistics,
      kept: this.#keeper?.statistics,
    }
  }

  async #currentSource(asked: SourceAddress): Promise<OpenedSource> {
    const address = this.#part(asked)
    const key = address.sourceKey
    const source = this.#entries.get(key)
    if (source === undefined) return await this.#open(address)
    if (await source.isCurrent(source.isGuessedPin(address) ? 0 : undefined)) {
      source.acceptChangedFiles()
      return source
    }
    // Another request may have replaced it meanwhile.
    if (this.#entries.peek(key) === source) this.#entries.delete(key)
    return await this.#open(address)
  }

  /** Of a source of too many objects, the group that is asked for: another source, as far as its opening goes. */
  #part<Address extends SourceAddress>(address: Address): Address {
    const { options, sourceKey } = address
    const { group, parse } = options
    if (this.#divided.size === 0 || group === undefined || !this.#divided.has(sourceKey)) return address
    const key = `${sourceKey} group=${group}`
    return { ...address, sourceKey: key, options: { ...options, parse: { ...parse, group } } }
  }

  async #open(asked: SourceAddress): Promise<OpenedSource> {
    const address = this.#part(asked)
    try {
      return await this.#openWhole(address)
    } catch (error) {
      const isTooLarge = isVirtualZarrError(error, 'limit-exceeded') && error.context.option === 'group'
      const { group, parse } = address.options
      if (!isTooLarge || group === undefined || parse.group !== undefined) throw error
      this.#divided.set(address.sourceKey, true)
      return await this.#openWhole(this.#part(address))
    }
  }

  async #openWhole(address: SourceAddress): Promise<OpenedSource> {
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

  #count({ url, parts, diagnostics }: ParsedSource): void {
    this.#counts.opens++
    // The sources of a join are counted and told of when each is opened.
    for (const diagnostic of diagnostics) this.#countDiagnostic(diagnostic, parts === undefined ? url : undefined)
  }

  /** Counts it; with a URL it is logged as well. */
  #countDiagnostic(diagnostic: Diagnostic, url: string | undefined): void {
    const { code } = diagnostic
    if (url !== undefined) this.settings.onDiagnostic?.(url, diagnostic)
    this.#counts.diagnostics.set(code, (this.#counts.diagnostics.get(code) ?? 0) + 1)
  }
}
