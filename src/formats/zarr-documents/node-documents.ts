import { utf8Text } from '../../bytes/text.ts'
import { type ErrorContext, isVirtualZarrError, malformed, overLimit, type VirtualZarrError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { type JsonBudget, parseJson } from '../../json/parse.ts'
import { spell } from './document.ts'

/** What was found at one place of the hierarchy. */
export type NodeDocument =
  | { readonly kind: 'v2-array'; readonly zarray: JsonObject; readonly zattrs: JsonObject | undefined }
  | { readonly kind: 'v2-group'; readonly zattrs: JsonObject | undefined }
  | { readonly kind: 'v3'; readonly document: JsonObject }
  /** A document that can't be read: the node is there, and answers with this. */
  | { readonly kind: 'broken'; readonly error: VirtualZarrError }

/** Every node of a hierarchy by its path from the root, which is ''. */
export type NodeDocuments = ReadonlyMap<string, NodeDocument>

/** Documents are read whole; consolidated ones grow with the hierarchy. */
export const MAX_DOCUMENT_BYTES = 32 * 2 ** 20
/** As many as `service/tree-size.ts` lets through: what is more is refused before it is read. */
const MAX_NODES = 25_000
const MAX_DEPTH = 64
const MAX_PATH_LENGTH = 4096

/** A metadata document: lenient JSON, since Python's writers leave bare NaN in it. */
export function parseDocument(bytes: Uint8Array, context: ErrorContext, budget?: JsonBudget): JsonObject {
  const text = utf8Text(bytes)
  if (text === undefined) throw malformed('a metadata document is not UTF-8', context)
  // RFC 8259 section 8.1: a byte order mark may be passed over.
  const document = parseJson(text.replace(/^\ufeff/, ''), { lenient: true, context, budget })
  if (isJsonObject(document)) return document
  throw malformed(`a metadata document is ${spell(document)}, expected an object`, context)
}

/** Refuses paths that lead out of the store, or that no folder can have. */
export function checkPath(path: string, context: ErrorContext): void {
  const segments = path === '' ? [] : path.split('/')
  const isRefused = segments.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'))
  if (isRefused || !path.isWellFormed() || path.length > MAX_PATH_LENGTH || segments.length > MAX_DEPTH) {
    throw malformed(`${spell(path)} is no path of a node`, context)
  }
}

/** Throws when a hierarchy has more nodes than are served. */
export function checkNodeCount(count: number, context: ErrorContext): void {
  if (count > MAX_NODES) throw overLimit(`a hierarchy of more than ${MAX_NODES} nodes`, context)
}

/** An error as the node it happened to; anything that is not about the node itself is thrown on. */
export function brokenNode(error: unknown): NodeDocument {
  if (isVirtualZarrError(error, 'malformed-source') || isVirtualZarrError(error, 'unsupported-feature')) {
    return { kind: 'broken', error }
  }
  throw error
}
