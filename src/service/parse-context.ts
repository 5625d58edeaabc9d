import { isVirtualZarrError, VirtualZarrError } from '../errors.ts'
import type { NamedVersion, ParseContext } from '../formats/format.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import { type PageCache, sharedPages } from '../source/page-cache.ts'
import { forParsing, type HeadBytes } from '../source/parsing.ts'
import { publicUrl } from '../source/public-url.ts'
import type { OpenOptions, Source, SourceCondition, Sources } from '../source/source.ts'
import { nameOfBytes } from './foreign-bytes.ts'
import { HEAD_BYTES } from './join-formats.ts'
import type { Opening, Openings } from './openings.ts'
import type { StoreOptions } from './store-options.ts'

export interface ParseLimits {
  /** Whole-file inflation and other whole reads. */
  readonly wholeBytes: number
  readonly bytes: number
  readonly requests: number
  readonly milliseconds: number
}

/** What a parse needs of the world. */
export interface ParsingInput {
  readonly sources: Sources
  readonly limits: ParseLimits
  readonly openings: Pick<Openings, 'indexes'>
  /** What was read of remote files; absent: each parse has its own. */
  readonly pages?: PageCache | undefined
}

/** A source that is being opened: as its origin has it, and what is in it. */
export interface Begun {
  readonly opened: Source
  readonly source: Source
  readonly opening: Opening
  readonly signal: AbortSignal
  /** Files beside it that are being opened already, by URL. */
  readonly beside?: Map<string, Promise<Source>> | undefined
}

/** A document that was read besides the source. */
interface OtherDocument {
  /** As its origin has it. */
  readonly opened: Source
  /** As the format reads it. */
  readonly reader: Source
  /** It does not lie below the source's folder: it is read as a stranger would. */
  readonly isReference: boolean
}

/** A document that was looked for, of which the origin said that there is none. */
export interface AbsentDocument {
  /** Asks again. */
  isStillAbsent(): Promise<boolean>
}

/** What formats read through, and what indexes go on reading through. */
export interface Reading extends Numbered {
  readonly source: Source
  readonly context: ParseContext
  readonly others: readonly OtherDocument[]
  /** Parts of indexes that are opened when chunks ask for them, of versions that the store's does not name. */
  readonly late: { documents: number }
}

/** What was read and named before, where nothing is parsed again. */
export interface KnownReading extends Numbered {
  readonly others: readonly Omit<OtherDocument, 'reader'>[]
}

/** A parse under way: what a format is given, and what it has asked for. */
export interface Parsing extends Reading {
  head(): HeadBytes
  readonly documents: Source[]
  readonly absent: AbsentDocument[]
  readonly diagnostics: Diagnostic[]
  /** The version by the name that the source has for it. */
  named(): NamedVersion | undefined
  done(): void
}

/** Most diagnostics kept for one source: a hostile file must not fill the memory with complaints. */
const MOST_DIAGNOSTICS = 10_000

/** Begins a parse of a source. */
export function beginParsing(
  { opened, source, opening, signal, beside }: Begun,
  options: StoreOptions,
  { sources, limits, openings, pages }: ParsingInput,
  before?: KnownReading,
): Parsing {
  const budget = { ...limits, read: opening.read }
  const late = { documents: 0 }
  const absolute = (url: string) => new URL(url, source.url).href
  const pagesOf = (document: Source) =>
    sharedPages(pages, document, sources, isBelow(document.url, source.url) ? undefined : source.url)
  // What was inflated is another file than its origin's.
  const own = forParsing(source, budget, source === opened ? sharedPages(pages, source, sources) : undefined)
  const readers = [own]
  const documents: Source[] = []
  const absent: AbsentDocument[] = []
  const diagnostics: Diagnostic[] = []
  let version: NamedVersion | undefined
  const referred = referencesFrom(source.url, before)
  const others: OtherDocument[] = (before?.others ?? []).map((other) => {
    const reader = forParsing(other.opened, budget, pagesOf(other.opened))
    readers.push(reader)
    return { ...other, reader: reader.source }
  })
  const openDocument = (url: string, reading: OpenOptions) => {
    const target = absolute(url)
    if (isBelow(target, source.url)) return sources.open(target, reading)
    return sources.openReference(target, source.url, reading)
  }
  const context: ParseContext = {
    options: options.parse,
    signal,
    async open(url, { later, length, accepts, check, mayBeAbsent, ...reading } = {}) {
      if (later === true) late.documents++
      if (later === true && length !== undefined) return sources.reference(absolute(url), source.url)
      if (later === true) {
        const document = await openDocument(url, reading)
        return forParsing(document, limits, pagesOf(document)).source
      }
      const target = absolute(url)
      const begun = beside?.get(target)
      // A second parse of the same document opens it anew.
      beside?.delete(target)
      const opening = begun ?? openDocument(url, { signal, check, headBytes: reading.headBytes })
      const document = await opening.catch((error: unknown) => {
        if (mayBeAbsent === true && isVirtualZarrError(error, 'source-not-found'))
          absent.push({ isStillAbsent: () => isAbsent(openDocument(url, { check })) })
        throw error
      })
      const reader = forParsing(document, budget, pagesOf(document))
      readers.push(reader)
      if (accepts !== undefined) await checkAccepted(reader.source, accepts, signal)
      documents.push(document)
      others.push({ opened: document, reader: reader.source, isReference: !isBelow(absolute(url), source.url) })
      return reader.source
    },
    list: (folder) => sources.list(absolute(folder), { signal }),
    reference: referred.reference,
    referenceIf: referred.referenceIf,
    isVersion(named) {
      version = named
    },
    room: (bytes, work) => openings.indexes.within(bytes, work),
    warn(diagnostic) {
      if (diagnostics.length < MOST_DIAGNOSTICS) diagnostics.push(diagnostic)
    },
  }
  const done = () => {
    for (const reader of readers) reader.done()
  }
  return {
    ...referred,
    ...own,
    context,
    documents,
    absent,
    others,
    late,
    diagnostics,
    named: () => version,
    done,
  }
}

/** What chunks of a source refer to, by number; the source itself is 0. */
export interface Numbered {
  readonly references: readonly string[]
  readonly alternatives: ReadonlyMap<number, readonly string[]>
  readonly conditions: ReadonlyMap<number, SourceCondition>
}

type References = Numbered & Pick<ParseContext, 'reference' | 'referenceIf'>

function referencesFrom(base: string, before?: Numbered): References {
  const references = [...(before?.references ?? [base])]
  const alternatives = new Map(before?.alternatives)
  const conditions = new Map(before?.conditions)
  const keyOf = (target: string, index: number) => {
    const condition = conditions.get(index)
    return condition === undefined
      ? [target, ...(alternatives.get(index) ?? [])].join('\n')
      : conditionKey(target, condition)
  }
  const indexOf = new Map(references.map((target, index) => [keyOf(target, index), index]))
  const indexFor = (target: string, key: string) => {
    const known = indexOf.get(key)
    if (known !== undefined) return known
    const index = references.push(target) - 1
    indexOf.set(key, index)
    return index
  }
  return {
    references,
    alternatives,
    conditions,
    reference(...urls) {
      const [target = base, ...rest] = urls.map((url) => new URL(url, base).href)
      // Two files that may be at the same places in another order are two references.
      const index = indexFor(target, [target, ...rest].join('\n'))
      if (rest.length > 0) alternatives.set(index, rest)
      return index
    },
    referenceIf(url, condition) {
      const target = new URL(url, base).href
      const index = indexFor(target, conditionKey(target, condition))
      conditions.set(index, condition)
      return index
    },
  }
}

function conditionKey(target: string, { etag, unmodifiedSince }: SourceCondition): string {
  return `${target}\n${etag ?? ''}\n${unmodifiedSince ?? ''}\n`
}

/** An origin may answer with a page of its own for what it has not got. */
async function checkAccepted(source: Source, accepts: (head: Uint8Array) => boolean, signal: AbortSignal) {
  const head = await source.read({ offset: 0, length: Math.min(HEAD_BYTES, source.size) }, { signal })
  if (accepts(head)) return
  const message = `the document is ${nameOfBytes(head) ?? 'of no known kind'}`
  throw new VirtualZarrError('unknown-format', message, { url: publicUrl(source.url) })
}

/** Only an origin that says so: one that fails has said nothing. */
async function isAbsent(opening: Promise<unknown>): Promise<boolean> {
  try {
    await opening
    return false
  } catch (error) {
    if (isVirtualZarrError(error, 'source-not-found')) return true
    throw error
  }
}

/** Whether a URL lies in the folder of a document, so that it may be read as that document was. */
export function isBelow(url: string, document: string): boolean {
  return url.startsWith(new URL('.', document).href)
}
