import type { DeliveryWorld } from '../delivery/delivery.ts'
import { VirtualZarrError } from '../errors.ts'
import type { ChunkIndex } from '../model/chunk-index.ts'
import { indexesOf, indexWeight } from '../model/composed-array.ts'
import type { Diagnostic, VirtualNode } from '../model/virtual-store.ts'
import { FileVersions, nameOf } from '../source/file-versions.ts'
import type { Sources } from '../source/source.ts'
import { isCurrentVersion } from './freshness.ts'
import type { ParsedSource } from './open-source.ts'
import { type OpenStore, openStore } from './open-store.ts'
import type { StoreAddress } from './store-address.ts'
import type { StoreServiceSettings } from './store-settings.ts'

/** Who holds opened sources, and is told what becomes of them. */
export interface SourceOwner {
  readonly sources: Sources
  readonly settings: Pick<StoreServiceSettings, 'freshSeconds'>
  /** It takes another room now. */
  weigh(key: string, source: OpenedSource): void
  made(parsed: ParsedSource, address: StoreAddress, store: OpenStore): void
  /** An index has read more of itself. */
  grown(parsed: ParsedSource): void
  /** Something was noticed after the source was opened. */
  noticed(parsed: ParsedSource, diagnostic: Diagnostic): void
}

/** Makes the way to the sources of chunks; `confirm` throws where the source has another version by now. */
export type WorldWith = (files: FileVersions, confirm: () => Promise<void> | undefined) => DeliveryWorld

export const REFERENCE_OUTDATED = 'reference-outdated'

/** Most stores (profiles, groups, variables) kept of one source. */
const MOST_STORES = 32

/**
 * A parsed source, the stores made of it, and what is known of its being current. They are weighed, revalidated and dropped
 * together, and nobody else changes any of that.
 */
export class OpenedSource {
  readonly parsed: ParsedSource
  readonly #worldWith: WorldWith
  #files: FileVersions
  #world: DeliveryWorld
  readonly #owner: SourceOwner
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
  /** What the versions of its files took in memory when this was weighed last. */
  #heldBytes: number

  constructor(parsed: ParsedSource, worldWith: WorldWith, key: string, owner: SourceOwner) {
    this.parsed = parsed
    this.#worldWith = worldWith
    this.#files = new FileVersions({
      documents: versionsOfDocuments(parsed),
      modified: parsed.documents[0]?.modified,
      onOutdated: () => {
        for (const diagnostic of this.diagnostics) owner.noticed(parsed, diagnostic)
      },
    })
    this.#world = worldWith(this.#files, this.#confirm)
    this.#key = key
    this.#owner = owner
    this.#weight = new SourceWeight(parsed.root)
    this.#heldBytes = this.#bytesHeld()
    // A source that was inflated as a whole is held in memory; those of a join are weighed by themselves.
    if (parsed.parts === undefined && parsed.documents[0] !== parsed.source) this.#weight.add(parsed.source.size)
  }

  /** The way to the sources of its chunks; another one, with keys of its own, once changes of referenced files are accepted. */
  get world(): DeliveryWorld {
    return this.#world
  }

  /** Versions of the files that its chunks are read from besides the documents. */
  get files(): FileVersions {
    return this.#files
  }

  /** What was noticed since it was opened. */
  get diagnostics(): readonly Diagnostic[] {
    const { count, urls } = this.#files.outdated
    if (count === 0) return []
    const files = count === 1 ? '1 data file is' : `${count} data files are`
    const message = `${files} newer than the document that points into ${count === 1 ? 'it' : 'them'}, as far as they were read: it may describe earlier versions`
    return [{ code: REFERENCE_OUTDATED, message, values: [...urls] }]
  }

  /** The metadata was asked for: referenced files that changed are read in their new version from now on. */
  acceptChangedFiles(): void {
    if (!this.#files.hasChanges) return
    this.#files = this.#files.renewed()
    this.#world = this.#worldWith(this.#files, this.#confirm)
  }

  #bytesHeld(): number {
    return this.#files.weight
  }

  get weight(): number {
    return Math.max(1, this.#weight.bytes + this.#heldBytes)
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
    const isGrown = this.#weight.weighAgain(chunks)
    const heldBytes = this.#bytesHeld()
    if (!isGrown && heldBytes === this.#heldBytes) return
    this.#heldBytes = heldBytes
    this.#owner.weigh(this.#key, this)
    if (isGrown) this.#owner.grown(this.parsed)
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
    for (const node of store.nodes.values())
      if (node.kind === 'array') for (const index of indexesOf(node.array)) this.#weight.weighAgain(index)
    this.#stores.set(address.viewKey, store)
    this.#owner.made(this.parsed, address, store)
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
    return !this.#isOutdated && !this.#files.hasChanges && this.isRecent() && this.#arePartsRecent()
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

  /** The same for what is answered without reading the source; nothing to wait for where the origin has said so a short while ago. */
  readonly #confirm = (): Promise<void> | undefined => (this.isRecent() ? undefined : this.assertFresh())

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

/** Files that were read with the metadata: chunks of theirs are of the same versions. Not those whose version is a guess. */
function versionsOfDocuments({ documents, parts }: ParsedSource): ReadonlyMap<string, string> {
  const versions = new Map<string, string>()
  if (parts !== undefined) return versions
  for (const document of documents.slice(1)) {
    const name = document.isGuessed === true ? undefined : nameOf(document)
    if (name !== undefined) versions.set(document.url, name)
  }
  return versions
}

/** What an opened source takes in memory, roughly: chunk indexes know exactly, the rest is estimated. */
export class SourceWeight {
  #bytes = 4096
  /** What indexes weighed when they were last looked at: lazy ones load more of themselves. */
  readonly #indexes = new WeakMap<ChunkIndex, number>()

  constructor(root: VirtualNode) {
    this.#addTree(root)
  }

  get bytes(): number {
    return this.#bytes
  }

  add(bytes: number): void {
    this.#bytes += bytes
  }

  /**
   * Weighs an index anew; true where it weighs something else. One that is new here is of a view, which is made of an index that
   * was weighed. What several requests have waited for counts once.
   */
  weighAgain(index: ChunkIndex): boolean {
    let chunks = index
    while (chunks.of !== undefined) chunks = chunks.of
    const weight = chunks.weight()
    const before = this.#indexes.get(chunks)
    if (before === weight) return false
    this.#indexes.set(chunks, weight)
    if (before === undefined) return false
    this.#bytes += weight - before
    return true
  }

  #addTree(node: VirtualNode): void {
    this.#bytes += (node.kind === 'array' ? 2000 : 500) + node.attributes.size * 200
    if (node.kind === 'array') {
      this.#bytes += indexWeight(node)
      for (const index of indexesOf(node)) this.weighAgain(index)
      return
    }
    for (const member of node.members.values()) {
      if (member.kind === 'skipped') this.#bytes += 200
      else this.#addTree(member)
    }
  }
}
