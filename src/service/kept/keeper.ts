import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ManifestStatistics, ManifestStore } from '../../manifests/manifests.ts'
import type { PageCache } from '../../source/page-cache.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Source, Sources } from '../../source/source.ts'
import { type Document, digest, documentOf } from '../document.ts'
import type { LearnedStore } from '../join/join-world.ts'
import type { SourceAddress } from '../join/open-any.ts'
import type { ParsedSource } from '../open-source.ts'
import { Openings } from '../openings.ts'
import type { ParseLimits } from '../parse-context.ts'
import type { StoreAddress } from '../store-address.ts'
import { decodeBody, decodeHead, documentsOf, type KeptHead } from './entry.ts'
import { KeptSource } from './kept-source.ts'

export interface KeeperInput {
  readonly manifests: ManifestStore
  readonly sources: Sources
  readonly limits: ParseLimits
  readonly freshSeconds: number
}

/** A head that the origins have confirmed. */
interface Confirmed {
  readonly head: KeptHead
  readonly documents: readonly Source[]
  checkedAt: number
}

/** The root of a store, known without its tree. */
export interface KeptRoot extends Pick<ParsedSource, 'version' | 'isGuessed' | 'publicUrl'> {
  readonly document: Document
}

/** What became of questions to the places, and how many sources were opened without parsing them. */
export interface KeeperStatistics extends ManifestStatistics {
  readonly restored: number
}

/** Heads of sources that are not open here, by their bytes. */
const MOST_HEAD_BYTES = 64 * 2 ** 20
/** An entry that is not there is not asked for again at once: looking for the root's document, and opening, are two questions. */
const ABSENT_MILLISECONDS = 500
const MOST_ABSENT_BYTES = 2 ** 20
/** While another process parses a source it is looked for this often, and no longer than that in all. */
const POLL_MILLISECONDS = 40
const MOST_WAIT_MILLISECONDS = 10_000

/**
 * Keeps opened sources where other processes find them. What it finds counts only once the origins were asked whether they still
 * have that version; whatever fails here, the source is parsed as if there were no keeper.
 */
export class Keeper {
  readonly #input: KeeperInput
  readonly #confirmed: LRUCache<string, Confirmed>
  readonly #absent = new LRUCache<string, true>({
    maxSize: MOST_ABSENT_BYTES,
    sizeCalculation: (_absent, key) => key.length + 100,
    ttl: ABSENT_MILLISECONDS,
  })
  readonly #asking = new Map<string, Promise<Confirmed | undefined>>()
  readonly #kept = new WeakMap<ParsedSource, KeptSource>()
  /** Those that have grown since they were written. */
  readonly #grown = new Set<KeptSource>()
  /** What is being written now. */
  readonly #writing = new Set<Promise<void>>()
  readonly #openings = new Openings()
  #restored = 0
  #pages: PageCache | undefined

  constructor(input: KeeperInput) {
    this.#input = input
    this.#confirmed = new LRUCache({ maxSize: MOST_HEAD_BYTES, sizeCalculation: ({ head }) => weightOf(head) })
  }

  get statistics(): KeeperStatistics {
    return { outcomes: this.#input.manifests.outcomes, restored: this.#restored }
  }

  /** The root's document of a store that is not open here. */
  async root(address: StoreAddress): Promise<KeptRoot | undefined> {
    const known = await this.#current(address, this.#input.sources)
    const bytes = known?.head.roots.get(viewOf(address))
    if (known === undefined || bytes === undefined) return undefined
    const { version } = known.head
    return { document: documentOf(bytes, version), version, isGuessed: false, publicUrl: publicUrl(address.sourceUrl) }
  }

  /** What restored sources read their indexes through. */
  usePages(pages: PageCache): void {
    this.#pages = pages
  }

  /** Opens a source as it is kept, or has it parsed: here, or, where several processes are asked at once, by one of them. */
  async open(address: SourceAddress, sources: Sources, parse: () => Promise<ParsedSource>): Promise<ParsedSource> {
    const name = this.#nameOf(address)
    if (name === undefined) return await parse()
    const kept = await this.#restore(address, sources)
    if (kept !== undefined) return kept
    const until = performance.now() + MOST_WAIT_MILLISECONDS
    while (performance.now() < until) {
      const lease = await this.#input.manifests.lease(name)
      if (lease.kind === 'none') break
      if (lease.kind === 'own') return await this.#parseFor(name, address, sources, parse, lease.end)
      await delay(POLL_MILLISECONDS)
      this.#absent.delete(address.sourceKey)
      const made = await this.#restore(address, sources)
      if (made !== undefined) return made
    }
    return this.#keep(name, await parse(), () => undefined)
  }

  /** Notes the root's document, once a store is made. */
  addRoot(parsed: ParsedSource, address: StoreAddress, document: Uint8Array): void {
    const kept = this.#kept.get(parsed)
    if (kept !== undefined) this.#await(kept.addRoot(viewOf(address), document))
  }

  /** Where a join persists what it learns of its members; undefined for what is no source of one place. */
  learnedOf(address: SourceAddress): LearnedStore | undefined {
    const name = this.#nameOf(address)
    if (name === undefined) return undefined
    const { manifests } = this.#input
    const nameOf = (words: readonly string[]) => manifests.nameOf('learned', name, ...words)
    return {
      read: (words) => manifests.get(nameOf(words)),
      write: (words, bytes) => this.#await(manifests.put(nameOf(words), bytes).then(() => undefined)),
    }
  }

  /** An index of the source has read more of itself. */
  grown(parsed: ParsedSource): void {
    const kept = this.#kept.get(parsed)
    if (kept === undefined) return
    this.#grown.add(kept)
    kept.grown(() => this.#grown.delete(kept))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#writing, ...[...this.#grown].map((kept) => kept.flush())])
    await this.#input.manifests.close()
  }

  /** The others wait until it is written; another one may have finished just before the lease was given. */
  async #parseFor(
    name: string,
    address: SourceAddress,
    sources: Sources,
    parse: () => Promise<ParsedSource>,
    end: () => Promise<void>,
  ): Promise<ParsedSource> {
    try {
      this.#absent.delete(address.sourceKey)
      const made = await this.#restore(address, sources)
      if (made !== undefined) {
        void end()
        return made
      }
      return this.#keep(name, await parse(), () => void end())
    } catch (error) {
      void end()
      throw error
    }
  }

  #keep(name: string, parsed: ParsedSource, done: () => void): ParsedSource {
    const kept = this.#note(name, parsed, undefined)
    this.#await(kept.write().finally(done))
    return parsed
  }

  #await(writing: Promise<void>): void {
    this.#writing.add(writing)
    void writing.finally(() => this.#writing.delete(writing))
  }

  #note(name: string, parsed: ParsedSource, head: KeptHead | undefined): KeptSource {
    const { manifests, sources } = this.#input
    const kept = new KeptSource({ manifests, sources, name, parsed, head })
    this.#kept.set(parsed, kept)
    return kept
  }

  async #restore(address: SourceAddress, sources: Sources): Promise<ParsedSource | undefined> {
    const known = await this.#current(address, sources)
    const name = this.#nameOf(address)
    if (known === undefined || name === undefined) return undefined
    const { head, documents } = known
    const body = await this.#input.manifests.get(head.body)
    if (body === undefined) return this.#forget(address)
    try {
      const { limits } = this.#input
      const { sourceUrl: url, options } = address
      const parsed = await decodeBody(
        { url, options, head, documents, body },
        { sources, limits, openings: this.#openings, pages: this.#pages },
      )
      this.#note(name, parsed, head)
      this.#restored++
      return parsed
    } catch {
      // Its checksum was right: somebody wrote nonsense on purpose, or there is a mistake here. The source itself is the truth.
      return this.#forget(address)
    }
  }

  #forget({ sourceKey }: SourceAddress): undefined {
    this.#confirmed.delete(sourceKey)
    this.#absent.set(sourceKey, true)
  }

  /** A head of the version that the origins have now; asked once for all. */
  async #current(address: SourceAddress, sources: Sources): Promise<Confirmed | undefined> {
    const { sourceKey } = address
    if (this.#absent.has(sourceKey)) return undefined
    const known = this.#confirmed.get(sourceKey)
    if (known !== undefined && performance.now() - known.checkedAt < this.#input.freshSeconds * 1000) return known
    const asking =
      this.#asking.get(sourceKey) ??
      this.#confirm(address, sources, known).finally(() => this.#asking.delete(sourceKey))
    this.#asking.set(sourceKey, asking)
    return await asking
  }

  async #confirm(
    address: SourceAddress,
    sources: Sources,
    known: Confirmed | undefined,
  ): Promise<Confirmed | undefined> {
    const refused = new Set<string>()
    for await (const found of this.#candidates(address, sources, known)) {
      const { version, isNamed } = found.head
      if (refused.has(version)) continue
      const askedAt = performance.now()
      const answers = await Promise.all(found.documents.map((document) => sources.isFresh(document)))
      if (!answers.every(Boolean)) {
        if (!isNamed) refused.add(version)
        continue
      }
      found.checkedAt = askedAt
      this.#confirmed.set(address.sourceKey, found)
      return found
    }
    return this.#forget(address)
  }

  /** What was confirmed before, and what the places have: another process may have kept a newer version in one of them. */
  async *#candidates(
    address: SourceAddress,
    sources: Sources,
    known: Confirmed | undefined,
  ): AsyncGenerator<Confirmed> {
    if (known !== undefined) yield known
    const name = this.#nameOf(address)
    if (name === undefined) return
    for await (const bytes of this.#input.manifests.entries(name)) {
      const found = headIn(bytes, address, sources)
      if (found !== undefined) yield found
    }
  }

  /** Undefined for what is no source of one place. */
  #nameOf({ sourceKey, sourceUrl }: SourceAddress): string | undefined {
    const { manifests, sources } = this.#input
    try {
      return manifests.nameOf('source', sourceKey, sources.scopeOf(sourceUrl))
    } catch {
      return undefined
    }
  }
}

/** Undefined for what nobody wrote so. */
function headIn(bytes: Uint8Array, { sourceUrl }: SourceAddress, sources: Sources): Confirmed | undefined {
  try {
    const head = decodeHead(bytes)
    return { head, documents: documentsOf(sourceUrl, head, sources), checkedAt: Number.NEGATIVE_INFINITY }
  } catch {
    return undefined
  }
}

function viewOf({ viewKey }: StoreAddress): string {
  return digest(viewKey)
}

function weightOf({ roots }: KeptHead): number {
  return [...roots.values()].reduce((sum, { length }) => sum + length, 4096)
}
