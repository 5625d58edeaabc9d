import { formats, makers } from '../../formats/registry.ts'
import { Decoder } from '../../manifests/decode.ts'
import { Encoder } from '../../manifests/encode.ts'
import { MOST_ENTRY_BYTES } from '../../manifests/seal.ts'
import { NotWritten } from '../../model/recipe.ts'
import type { Diagnostic, VirtualNode } from '../../model/virtual-store.ts'
import { lazilyInflated } from '../../source/inflated.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Source, Sources } from '../../source/source.ts'
import { type ParsedSource, refersElsewhere } from '../open-source.ts'
import type { Opening } from '../openings.ts'
import { beginParsing, type Numbered, type ParsingInput, type Reading } from '../parse-context.ts'
import type { StoreOptions } from '../store-options.ts'
import { secretsOf, withoutSecrets } from './secrets.ts'
import { readTree, writeTree } from './tree.ts'

/** What of an opened source is looked at before its tree: enough to ask its origins, and to answer for the root of a store. */
export interface KeptHead {
  readonly format: string
  readonly version: string
  /** The version has this name at the source: other documents may lead to the same. */
  readonly isNamed: boolean
  /** The source first; its URL is absent where it is that of the store. */
  readonly documents: readonly KeptDocument[]
  /** Bytes of the source's content, where it is compressed as a whole. */
  readonly inflated: number | undefined
  /** The name of the rest. */
  readonly body: string
  /** The root's document, by view. */
  readonly roots: ReadonlyMap<string, Uint8Array>
}

interface KeptDocument {
  readonly url: string | undefined
  readonly told: unknown
  readonly isReference: boolean
}

/** The rest, but for the tree. */
interface KeptBody extends Numbered {
  readonly diagnostics: readonly Diagnostic[]
}

const HEAD_LIMITS = { anchors: new Map<unknown, number>(), secrets: [], mostBytes: MOST_ENTRY_BYTES }

export function encodeHead(head: KeptHead): Uint8Array {
  const encoder = new Encoder(HEAD_LIMITS)
  encoder.write(head)
  return encoder.finished()
}

/** Throws for what is no head. */
export function decodeHead(bytes: Uint8Array): KeptHead {
  const decoder = new Decoder(bytes, { anchors: [], makers: new Map() })
  const head = decoder.read()
  decoder.end()
  // Its checksum was right, and its name says which program wrote it.
  return head as KeptHead
}

/** The head of a source, but for what is written last; throws `NotWritten` for one that can't be kept. */
export function headOf(parsed: ParsedSource, sources: Sources): Omit<KeptHead, 'body' | 'roots'> {
  const { reading, documents, format, version } = parsed
  if (reading === undefined || parsed.parts !== undefined) throw new NotWritten('a source that is made of others')
  // A parser of the operator's own is no part of the revision.
  if (!formats.some(({ name }) => name === format)) throw new NotWritten('a format of the operator')
  // A change may be missed while it is open; it must not be missed for ever.
  if (parsed.isGuessed) throw new NotWritten('a source of an origin that tells nothing of versions')
  const kept = documents.map((document, at): KeptDocument => {
    const told = sources.tell(document)
    if (told === undefined) throw new NotWritten('a source of no certain version')
    const isOwn = document.url === parsed.url
    const isReference = at > 0 && reading.others[at - 1]?.isReference === true
    return { url: isOwn ? undefined : withoutSecrets(document.url), told, isReference }
  })
  const inflated = reading.isInflated ? reading.source.size : undefined
  return { format, version, isNamed: parsed.named !== undefined, documents: kept, inflated }
}

/** Everything else of a source. */
export async function encodeBody(parsed: ParsedSource): Promise<Uint8Array> {
  const { reading, url, references, alternatives, conditions, diagnostics, root } = parsed
  if (reading === undefined) throw new NotWritten('a source that is made of others')
  const own = new Set([url, reading.source.url])
  for (const reference of [...references, ...[...alternatives.values()].flat()]) {
    if (!own.has(reference)) withoutSecrets(reference)
  }
  const anchors = new Map(anchorsOf(url, reading).map((anchor, number) => [anchor, number]))
  const encoder = new Encoder({ anchors, secrets: secretsOf(url), mostBytes: MOST_ENTRY_BYTES })
  const body: KeptBody = { references, alternatives, conditions, diagnostics }
  encoder.write(body)
  await writeTree(encoder, root)
  encoder.write(parsed.named)
  return encoder.finished()
}

/** What a tree names without holding it. */
function anchorsOf(url: string, reading: Reading): readonly unknown[] {
  const { source, context, others } = reading
  return [source.url, url, source, context, ...others.map(({ reader }) => reader)]
}

/** What a source is made again with. */
export type RestoringWorld = ParsingInput

/** Nothing is read until somebody asks for a chunk. */
const NO_OPENING: Opening = { read: () => undefined, end: () => undefined }

/** The documents of a head, as they were when it was written; nobody was asked yet whether they still are. */
export function documentsOf(url: string, { documents }: KeptHead, sources: Sources): readonly Source[] {
  const base = documents[0]?.url ?? url
  return documents.map((document) =>
    sources.known(document.url ?? url, document.told, document.isReference ? base : undefined),
  )
}

export interface BodyInput {
  readonly url: string
  readonly options: StoreOptions
  readonly head: KeptHead
  readonly documents: readonly Source[]
  readonly body: Uint8Array
}

/** A parsed source as it was written; throws for a body that nobody wrote so. */
export async function decodeBody(input: BodyInput, world: RestoringWorld): Promise<ParsedSource> {
  const { url, options, head, documents, body } = input
  const [opened, ...others] = documents
  const format = formats.find(({ name }) => name === head.format)
  if (opened === undefined || format === undefined) throw new Error(`no source of format ${head.format}`)
  const source = head.inflated === undefined ? opened : lazilyInflated(opened, head.inflated)
  const anchors: unknown[] = [source.url, url]
  const decoder = new Decoder(body, { anchors, makers })
  const known = decoder.read() as KeptBody
  const begun = { opened, source, opening: NO_OPENING, signal: new AbortController().signal }
  const parsing = beginParsing(begun, options, world, {
    ...known,
    others: others.map((other, at) => ({ opened: other, isReference: head.documents[at + 1]?.isReference === true })),
  })
  anchors.push(...anchorsOf(url, parsing).slice(anchors.length))
  const root = (await readTree(decoder)) as VirtualNode
  const named = decoder.read() as ParsedSource['named']
  decoder.end()
  parsing.done()
  return {
    url,
    publicUrl: publicUrl(url),
    format: head.format,
    root,
    version: head.version,
    isGuessed: false,
    isWeak: false,
    refersElsewhere: refersElsewhere(format, parsing),
    diagnostics: known.diagnostics,
    source: format.isIndex === true ? opened : source,
    documents,
    references: parsing.references,
    alternatives: parsing.alternatives,
    conditions: parsing.conditions,
    named,
    reading: { ...parsing, isInflated: head.inflated !== undefined },
  }
}
