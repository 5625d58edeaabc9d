import { invalidRequest, isVirtualZarrError, unsupported, VirtualZarrError } from '../errors.ts'
import type { Format, NamedVersion } from '../formats/format.ts'
import { formats } from '../formats/registry.ts'
import { isPattern } from '../joins/sources/braces.ts'
import type { Diagnostic, VirtualNode } from '../model/virtual-store.ts'
import { codingOfHead, inflatedSource } from '../source/inflated.ts'
import type { HeadBytes } from '../source/parsing.ts'
import { publicUrl } from '../source/public-url.ts'
import type { Source, SourceCondition } from '../source/source.ts'
import { digest } from './document.ts'
import { checkForced, formatOf } from './format-of.ts'
import type { JoinSources } from './join/join-world.ts'
import { JOIN_NAMES, type JoinFormat, joinFormatOf } from './join-formats.ts'
import { type FolderWays, openFolder } from './open-folder.ts'
import type { Opening, Openings } from './openings.ts'
import {
  type AbsentDocument,
  type Begun,
  beginParsing,
  type Numbered,
  type ParseLimits,
  type ParsingInput,
  type Reading,
} from './parse-context.ts'
import type { StoreOptions } from './store-options.ts'

/** A source once read: its tree, and what must be known to read its chunks and to notice that it changed. */
export interface ParsedSource {
  readonly url: string
  /** The URL without what may be secret in it: the one to show. */
  readonly publicUrl: string
  readonly format: string
  readonly root: VirtualNode
  /** Names this version of everything that was read. */
  readonly version: string
  /** Some of it came from an origin that tells nothing of versions, or is not there yet: a change may be missed, so nothing is promised for ever. */
  readonly isGuessed: boolean
  /** Two versions may have this name: what tells them apart is a hash of the head, a date of a moment ago, or a weak tag. */
  readonly isWeak: boolean
  /** Chunks may lie in files whose versions `version` does not name. */
  readonly refersElsewhere: boolean
  readonly diagnostics: readonly Diagnostic[]
  /** What chunks are read from when they name no other: the file, inflated if it was compressed as a whole. */
  readonly source: Source
  /** Of a source of a join: bytes of it that were read with its metadata and are still there. */
  readonly kept?: HeadBytes | undefined
  /** Everything that was read to make the tree, as its origins have it: what is asked whether it changed. */
  readonly documents: readonly Source[]
  /** What was looked for besides, and is not there: what is asked whether it still isn't. */
  readonly absent?: readonly AbsentDocument[] | undefined
  /** What `ChunkRef.source` counts; 0 is `source`. */
  readonly references: readonly string[]
  /** Where a reference may be besides, by its number: the first that exists counts. */
  readonly alternatives: ReadonlyMap<number, readonly string[]>
  /** What a reference must be, by its number. */
  readonly conditions: ReadonlyMap<number, SourceCondition>
  /** Where the source has names for its versions itself. */
  readonly named?: NamedVersion | undefined
  /** What its tree was read through; of a join, that is each source's own. */
  readonly reading?: (Reading & { readonly isInflated: boolean }) | undefined
  /** The sources of a join, which `StoredPart.part` counts. */
  readonly parts?: JoinSources | undefined
}

export interface OpeningWorld extends FolderWays, ParsingInput {
  readonly openings: Openings
  /** Absent where a join would stand within another. */
  readonly joins?: JoinOpener
}

/** Opens joins: a document that says of itself that it is one, or a URL that names many files. */
export interface JoinOpener {
  openDocument(document: Source, options: StoreOptions, signal: AbortSignal): Promise<ParsedSource>
  /** GDAL's virtual rasters. */
  openVrt(document: Source, signal: AbortSignal): Promise<ParsedSource>
  /** Items of a SpatioTemporal Asset Catalog. */
  openStac(document: Source, options: StoreOptions, signal: AbortSignal): Promise<ParsedSource>
  openPattern(url: string, options: StoreOptions, signal: AbortSignal): Promise<ParsedSource>
}

/** Opens and parses a source; a change seen while parsing starts the parse again, once. */
export async function openSource(url: string, options: StoreOptions, world: OpeningWorld): Promise<ParsedSource> {
  try {
    return await openInTime(url, options, world)
  } catch (error) {
    if (!isVirtualZarrError(error, 'source-changed')) throw error
    return await openInTime(url, options, world)
  }
}

async function openInTime(url: string, options: StoreOptions, world: OpeningWorld): Promise<ParsedSource> {
  const { milliseconds } = world.limits
  const signal = AbortSignal.timeout(milliseconds)
  try {
    return await openOnce(url, options, world, signal)
  } catch (error) {
    if (!signal.aborted || isVirtualZarrError(error)) throw error
    const message = `reading the metadata took more than ${milliseconds / 1000} seconds`
    throw new VirtualZarrError('source-timeout', message, { url: publicUrl(url) }, error)
  }
}

const GUESSED: Diagnostic = {
  code: 'version-guessed',
  message:
    'the origin gives neither a strong ETag nor a date: the version is known by size and a hash of the first bytes, which are compared before and after each read; nothing is immutable, and a body that breaks off can not be gone on with',
}

async function openOnce(
  url: string,
  options: StoreOptions,
  world: OpeningWorld,
  signal: AbortSignal,
): Promise<ParsedSource> {
  if (options.assets !== undefined && isPattern(url)) throw assetsOfOthers()
  if (world.joins !== undefined && isPattern(url)) return await world.joins.openPattern(url, options, signal)
  checkForced(options.format, world.formats)
  const beside = openBeside(url, options, world, signal)
  const opened = await openFolder(url, world, signal)
  const opening = world.openings.begin(signal)
  let joined: JoinFormat | undefined
  try {
    const source = await inflated(opened, world.limits, signal, opening)
    joined = await joinFormatOf(source, options.format, signal)
    if (options.assets !== undefined && joined !== 'stac') throw assetsOfOthers()
    if (joined === undefined) return await parsed(url, { opened, source, opening, signal, beside }, options, world)
  } finally {
    // The sources of a join are opened one by one.
    opening.end()
  }
  if (world.joins === undefined)
    throw unsupported('join: nested documents', `a source of a join is ${JOIN_NAMES[joined]} itself`)
  if (joined === 'stac') return await world.joins.openStac(opened, options, signal)
  if (joined === 'vrt') return await world.joins.openVrt(opened, signal)
  return await world.joins.openDocument(opened, options, signal)
}

/** Opens what a format will look for beside a file of this name, together with the file: it costs no round of its own. */
function openBeside(url: string, options: StoreOptions, world: OpeningWorld, signal: AbortSignal) {
  const among = (world.formats ?? formats).filter(({ name }) => (options.format ?? name) === name)
  const urls = among.flatMap((format) => format.sidecars?.(url, options.parse) ?? [])
  return new Map(
    urls.map((target) => {
      const opened = world.sources.open(target, { signal })
      // Whoever needs it hears why it can't be had.
      opened.catch(() => undefined)
      return [target, opened]
    }),
  )
}

function assetsOfOthers(): Error {
  return invalidRequest('the option assets is for documents of STAC', { option: 'assets' })
}

async function parsed(url: string, begun: Begun, options: StoreOptions, world: OpeningWorld): Promise<ParsedSource> {
  const { opened, source, signal } = begun
  const format = await formatOf(source, options.format, signal, world.formats)
  if (options.parse.ref !== undefined && format.hasRefs !== true) {
    throw invalidRequest(`the option ref is for repositories of versions, and not for ${format.name}`, {
      option: 'ref',
    })
  }
  const parsing = beginParsing(begun, options, world)
  try {
    const root = await format.parse(parsing.source, parsing.context)
    const documents = [opened, ...parsing.documents]
    const named = parsing.named()
    // What a version's own name leads to never changes, whatever its origin tells.
    const isFixed = named?.isFixed === true
    const isGuessed = !isFixed && documents.some((document) => document.isGuessed === true)
    if (isGuessed) parsing.context.warn(GUESSED)
    return {
      url,
      publicUrl: publicUrl(url),
      format: format.name,
      root,
      version: named?.name ?? versionOf(documents),
      isGuessed: isGuessed || (!isFixed && parsing.absent.length > 0),
      isWeak: !isFixed && documents.some((document) => document.isWeak === true),
      refersElsewhere: refersElsewhere(format, parsing),
      diagnostics: parsing.diagnostics,
      source: format.isIndex === true ? opened : source,
      documents,
      absent: parsing.absent,
      references: parsing.references,
      alternatives: parsing.alternatives,
      conditions: parsing.conditions,
      named,
      reading: { ...parsing, isInflated: source !== opened },
      ...(world.joins === undefined && format.isIndex !== true ? { kept: parsing.head() } : {}),
    }
  } catch (error) {
    throw withPlace(error, url, format.name)
  } finally {
    parsing.done()
  }
}

/** Indexes may name further files when chunks are looked up. */
export function refersElsewhere({ isIndex }: Format, { references }: Numbered): boolean {
  return isIndex === true || references.length > 1
}

/** Names the versions of all documents together, in whatever order they were opened. */
function versionOf(documents: readonly Source[]): string {
  const lines = documents.map(({ url, validator, size }) => `${url}\n${validator ?? size}`)
  return digest(lines.sort().join('\n'))
}

async function inflated(source: Source, limits: ParseLimits, signal: AbortSignal, opening: Opening): Promise<Source> {
  const head = await source.read({ offset: 0, length: Math.min(4, source.size) }, { signal })
  const coding = codingOfHead(head)
  if (coding === undefined) return source
  return await inflatedSource(source, coding, limits.wholeBytes, { signal, read: opening.read })
}

/** Adds the source and the format to an error that a parser threw without them. */
function withPlace(error: unknown, url: string, format: string): unknown {
  if (!isVirtualZarrError(error)) return error
  const context = { ...error.context, url: publicUrl(error.context.url ?? url), format: error.context.format ?? format }
  return new VirtualZarrError(error.code, error.message, context, error.cause ?? error)
}
