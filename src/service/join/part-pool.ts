import { isVirtualZarrError, VirtualZarrError } from '../../errors.ts'
import type { SourceList } from '../../joins/sources/source-list.ts'
import type { FileVersions } from '../../source/file-versions.ts'
import { publicUrl } from '../../source/public-url.ts'
import { parseSourceUrl } from '../../source/source-url.ts'
import { isBelow } from '../parse-context.ts'
import type { StoreOptions } from '../store-options.ts'
import type { JoinSources, JoinWorld, OpenedPart, PartAddress } from './join-world.ts'
import { MemberVersions, type WrittenVersions } from './member-versions.ts'
import { areUnchanged, type FoundFiles, isUnchanged, type WatchedPart } from './watch.ts'

/** Sources of one list of a document, numbered from `start`. */
interface Range {
  readonly start: number
  readonly list: SourceList
  readonly options: StoreOptions
  /** On whose word its URLs are read, where that is not the join's. */
  readonly referrerOf: ((url: string) => string | undefined) | undefined
}

/**
 * All sources of a join by their numbers. What isn't open costs nothing but its place in a list; of what was opened the version
 * is remembered, so that no two versions of one file stand in a join (VERSION-1).
 */
export class PartPool implements JoinSources {
  readonly #base: string
  readonly #isDocument: boolean
  readonly #world: JoinWorld
  readonly #ranges: Range[] = []
  readonly #versions = new Map<number, string>()
  /** What the origins said of their versions, by which they are asked again; absent for what is made of several files. */
  readonly #told = new MemberVersions()
  /** Versions of the files that sources refer to: these stay known when a source is opened again. */
  readonly #files = new Map<number, FileVersions>()
  #refersElsewhere = false
  #count = 0
  /** Ends the opening of the join when it takes too long; sources that are opened later have their own time. */
  #opening: AbortSignal | undefined
  #found: FoundFiles | undefined
  #watched: readonly WatchedPart[] = []
  /** When the watched sources were asked last, and had not changed. */
  #watchedAt = Number.NEGATIVE_INFINITY

  constructor(base: string, isDocument: boolean, world: JoinWorld, opening: AbortSignal) {
    this.#opening = opening
    this.#base = base
    this.#isDocument = isDocument
    this.#world = world
  }

  get count(): number {
    return this.#count
  }

  /** Sources that were opened so far. */
  get read(): ReadonlyMap<number, string> {
    return this.#versions
  }

  /** Whether values were read of files that the versions of the sources do not name. */
  get refersElsewhere(): boolean {
    return this.#refersElsewhere
  }

  /** The number of the first source of a list. */
  add(list: SourceList, options: StoreOptions, referrerOf?: Range['referrerOf']): number {
    const start = this.#count
    this.#ranges.push({ start, list, options, referrerOf })
    this.#count += list.length
    return start
  }

  /** Where a source is, without opening it. */
  addressOf(part: number): PartAddress {
    const range = this.#ranges.findLast(({ start }) => start <= part)
    if (range === undefined) throw new RangeError(`a join has no source ${part}`)
    const url = parseSourceUrl(
      range.list.at(part - range.start),
      this.#isDocument ? new URL(this.#base) : undefined,
    ).href
    const place = range.referrerOf === undefined ? this.placeOf(url) : { url, referrer: range.referrerOf(url) }
    return { ...place, options: range.options }
  }

  /** A URL that the join names, and on whose word: what lies beside the document is read as it was. */
  placeOf(url: string): Omit<PartAddress, 'options'> {
    const referrer = !this.#isDocument || isBelow(url, this.#base) ? undefined : this.#base
    return { url, referrer }
  }

  /** The join is open. From now on these tell whether its sources are others. */
  settle(found: FoundFiles, watched: readonly WatchedPart[]): void {
    this.#opening = undefined
    this.#found = found
    this.#watched = watched
  }

  async isCurrent(): Promise<boolean> {
    const areSame = this.#found?.areSame() ?? true
    const askedAt = performance.now()
    const answers = await Promise.all([areSame, areUnchanged(this.#watched, this.#world.sources)])
    const isCurrent = answers.every(Boolean)
    if (isCurrent) this.#watchedAt = askedAt
    return isCurrent
  }

  /** The source is asked whether it changed before it is used for another open. */
  async doubt(part: number): Promise<void> {
    try {
      const opened = await this.#world.openPart(this.addressOf(part), 'open')
      opened.doubt()
    } catch (error) {
      // What is wrong with it is told by the open that follows.
      if (!isVirtualZarrError(error)) throw error
    }
  }

  async opened(part: number): Promise<OpenedPart> {
    this.#opening?.throwIfAborted()
    const address = this.addressOf(part)
    const known = this.#versions.get(part)
    const opened = await this.#world
      .openPart(address, known === undefined ? 'current' : 'open')
      .catch((error: unknown) => {
        throw ofSource(error, address.url)
      })
    this.#note(part, opened)
    return opened
  }

  /** Opens a source for one task; of what is not open already nothing is kept but its version. */
  async visit<T>(part: number, use: (opened: OpenedPart) => Promise<T>): Promise<T> {
    this.#opening?.throwIfAborted()
    const address = this.addressOf(part)
    try {
      return await this.#world.visitPart(address, async (opened) => {
        this.#note(part, opened, true)
        return await use(opened)
      })
    } catch (error) {
      throw ofSource(error, address.url)
    }
  }

  /** Whether its origin can be asked for its version without opening it. */
  isKnown(part: number): boolean {
    return this.#told.has(part)
  }

  /** Asks its origin whether it still is the version that was seen first; one that does not answer is a matter of its own chunks. */
  async isFresh(part: number): Promise<boolean> {
    const told = this.#told.get(part)
    if (told === undefined) return true
    const isRecent = performance.now() - this.#watchedAt < this.#world.freshSeconds * 1000
    if (isRecent && this.#watched.some((watched) => watched.part === part)) return true
    const { url, referrer } = this.addressOf(part)
    const { sources } = this.#world
    return await isUnchanged(() => sources.isFresh(sources.known(url, told, referrer)))
  }

  /** Whether a source that was absent still is. */
  async isStillAbsent(part: number): Promise<boolean> {
    const { url, referrer } = this.addressOf(part)
    const { sources } = this.#world
    try {
      const source = referrer === undefined ? await sources.open(url) : await sources.openReference(url, referrer)
      source.settle?.()
      return false
    } catch (error) {
      if (isVirtualZarrError(error)) return true
      throw error
    }
  }

  /** What is known of the versions of some sources, to be persisted. */
  versionsOf(start: number, count: number): WrittenVersions {
    return this.#told.written(start, count)
  }

  /** Versions of sources as they were persisted; those that were opened here stay. */
  restore(start: number, versions: WrittenVersions): void {
    this.#told.adopt(start, versions)
  }

  /** A source turned out to be another before anything of it was used here. */
  forget(part: number): void {
    this.#told.delete(part)
  }

  #note(part: number, opened: OpenedPart, isVisit = false): void {
    const { version, refersElsewhere, documents, absent = [] } = opened.parsed
    const known = this.#versions.get(part)
    if (opened.isChanged || (known !== undefined && known !== version)) throw opened.changed()
    if (refersElsewhere) this.#keepFiles(part, opened)
    const [document, ...others] = documents
    const { url, referrer } = this.addressOf(part)
    const isOne = document?.url === url && others.length === 0 && absent.length === 0 && !refersElsewhere
    const told = isOne ? this.#world.sources.tell(document) : undefined
    const before = this.#told.get(part)
    if (before !== undefined && this.#world.sources.known(url, before, referrer).validator !== document?.validator)
      throw opened.changed()
    // Of one that was only visited its origin's own words are enough to know it again.
    if (!isVisit || told === undefined) this.#versions.set(part, version)
    if (told !== undefined) this.#told.set(part, told)
  }

  #keepFiles(part: number, opened: OpenedPart): void {
    this.#refersElsewhere = true
    const before = this.#files.get(part)
    if (before === opened.files) return
    if (before !== undefined && !opened.files.adopt(before)) throw opened.changed()
    this.#files.set(part, opened.files)
  }
}

/** An error that says which of the sources it is about. */
function ofSource(error: unknown, url: string): unknown {
  if (!isVirtualZarrError(error)) return error
  const shown = publicUrl(url)
  const message = error.message.includes(shown) ? error.message : `${shown}: ${error.message}`
  return new VirtualZarrError(error.code, message, { ...error.context, url: shown }, error)
}
