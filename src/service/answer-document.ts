import { VirtualZarrError } from '../errors.ts'
import type { ObjectPart } from '../source/source.ts'
import { partRange } from '../source/source.ts'
import type { Document, Representation } from './document.ts'
import type { ParsedSource } from './open-source.ts'
import type { OpenStore, StoreNode } from './open-store.ts'
import type { Opened, OpenedSources } from './opened-sources.ts'
import type { Answer, StoreRequest } from './store-request.ts'

/** Answers for the `zarr.json` of a node. No promise where the store is open: a warm request only looks up. */
export function answerDocument(sources: OpenedSources, request: StoreRequest, path: string): Answer | Promise<Answer> {
  const warm = sources.warm(request.address)
  return warm === undefined ? coldDocument(sources, request, path) : documentAt(warm, request, path)
}

async function coldDocument(sources: OpenedSources, request: StoreRequest, path: string): Promise<Answer> {
  const kept = path === '' ? await sources.keptRoot(request.address) : undefined
  if (kept !== undefined) return await answerOf(kept.document, request, kept)
  return await documentAt(await sources.current(request.address), request, path)
}

function documentAt({ source, store }: Opened, request: StoreRequest, path: string): Answer | Promise<Answer> {
  const node = nodeAt(store, path)
  if (node === undefined) return { kind: 'absent' }
  return answerOf(node.document, request, source.parsed)
}

type Version = Pick<ParsedSource, 'version' | 'isGuessed'> & Partial<Pick<ParsedSource, 'parts' | 'refersElsewhere'>>

/** Whether the version names all that a document was made of: coordinates of a join are values of its sources. */
export function isLastingOf({ isGuessed, parts, refersElsewhere }: Version): boolean {
  return !isGuessed && (parts === undefined || refersElsewhere !== true)
}

function answerOf(document: Document, request: StoreRequest, parsed: Version): Answer | Promise<Answer> {
  const { coding = 'identity' } = request
  if (request.part !== undefined) return documentPart(document, request, request.part, parsed)
  const content = coding === 'identity' ? document.identity : (document.made.get(coding) ?? document.in(coding))
  if (content instanceof Promise) return content.then((made) => wholeDocument(document, made, request, parsed))
  return wholeDocument(document, content, request, parsed)
}

function wholeDocument(document: Document, content: Representation, request: StoreRequest, parsed: Version): Answer {
  const { version } = parsed
  const isLasting = isLastingOf(parsed)
  if (holds(request, content.etag)) return { kind: 'not-modified', etag: content.etag, vary: true, isLasting }
  // A short document is not compressed, whatever the client takes.
  const coding = content === document.identity ? 'identity' : (request.coding ?? 'identity')
  return { kind: 'document', content, coding, part: undefined, version, isLasting }
}

/** Parts are of the identity coding, whatever others the client takes: object_store reads documents so. */
function documentPart(document: Document, request: StoreRequest, wanted: ObjectPart, parsed: Version): Answer {
  const { version } = parsed
  const isLasting = isLastingOf(parsed)
  const { identity } = document
  const { bytes, etag } = identity
  if (holds(request, etag)) return { kind: 'not-modified', etag, vary: true, isLasting }
  const isPart = request.ifRange === undefined || request.ifRange === etag
  const part = partRange(isPart ? wanted : undefined, bytes.length)
  if (part === undefined) return { kind: 'unsatisfiable', total: bytes.length }
  return {
    kind: 'document',
    content: identity,
    coding: 'identity',
    part: isPart ? part : undefined,
    version,
    isLasting,
  }
}

/** The node at a path; a skipped array answers with why it is skipped. */
export function nodeAt(store: OpenStore, path: string): Exclude<StoreNode, { kind: 'skipped' }> | undefined {
  const node = store.nodes.get(path)
  if (node?.kind === 'skipped') throw new VirtualZarrError(node.skipped.code, node.skipped.reason, { path })
  return node
}

/** Whether the client already holds what has this ETag. */
export function holds({ ifNoneMatch }: StoreRequest, etag: string): boolean {
  // The comparison is the weak one (RFC 9110, 13.1.2); the client's tags come without their marks.
  return ifNoneMatch !== undefined && (ifNoneMatch.includes(etag.replace(/^W\//, '')) || ifNoneMatch.includes('*'))
}
