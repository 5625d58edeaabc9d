import { utf8Text } from '../../bytes/text.ts'
import { type ErrorContext, malformed, overBudget, type VirtualZarrError } from '../../errors.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import { type JsonBudget, readJsonInTurns } from '../../json/parse.ts'
import { isOwnFault } from '../../model/skipped-array.ts'
import { type Diagnostic, MOST_NODES } from '../../model/virtual-store.ts'
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
export const MOST_DOCUMENT_BYTES = 32 * 2 ** 20
const MOST_DEPTH = 64
const MOST_PATH_LENGTH = 4096

type Warn = (diagnostic: Diagnostic) => void

/** A metadata document that must be an object. */
export async function readObjectDocument(
  bytes: Uint8Array,
  context: ErrorContext,
  budget?: JsonBudget,
): Promise<JsonObject> {
  const document = await readJsonDocument(bytes, context, budget)
  if (isJsonObject(document)) return document
  throw malformed(`a metadata document is ${spell(document)}, expected an object`, context)
}

/** A metadata document: lenient JSON, since Python's writers leave bare NaN in it. */
export async function readJsonDocument(bytes: Uint8Array, context: ErrorContext, budget?: JsonBudget): Promise<Json> {
  const text = utf8Text(bytes)
  if (text === undefined) throw malformed('a metadata document is not UTF-8', context)
  // RFC 8259 section 8.1: a byte order mark may be passed over.
  return await readJsonInTurns(text.replace(/^\ufeff/, ''), { lenient: true, context, budget })
}

/** The attributes that a `.zattrs` holds; told and passed over where it holds something else. */
export function attributesIn(json: Json, path: string, warn: Warn): JsonObject | undefined {
  if (isJsonObject(json)) return json
  warn(attributesDropped('.zattrs', json, path))
  return undefined
}

/** What is told of attributes that are no object. */
export function attributesDropped(member: string, json: Json, path: string): Diagnostic {
  return { code: 'attributes-dropped', message: `${member} is ${spell(json)}, expected an object: passed over`, path }
}

/** What is told of a node that is both: readers take it for an array. */
export function arrayAndGroup(path: string): Diagnostic {
  return { code: 'array-and-group', message: 'an array and a group have one path: the array counts', path }
}

/** A group of Zarr v2: told where its mark is not as it should be, for then its own library sees no group. */
export function v2Group(
  zgroup: Json | undefined,
  zattrs: JsonObject | undefined,
  path: string,
  warn: Warn,
): NodeDocument {
  const version = isJsonObject(zgroup) ? zgroup['zarr_format'] : zgroup
  if (!isJsonObject(zgroup) || (version instanceof Float ? version.value : version) !== 2) {
    const what = isJsonObject(zgroup) ? `zarr_format of .zgroup is ${spell(version)}` : `.zgroup is ${spell(zgroup)}`
    warn({ code: 'metadata-repaired', message: `${what}: taken as a group of version 2`, path })
  }
  return { kind: 'v2-group', zattrs }
}

/** Refuses paths that lead out of the store, or that no folder can have. */
export function checkPath(path: string, context: ErrorContext): void {
  const segments = path === '' ? [] : path.split('/')
  const isRefused = segments.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'))
  if (isRefused || !path.isWellFormed() || path.length > MOST_PATH_LENGTH || segments.length > MOST_DEPTH) {
    throw malformed(`${spell(path)} is no path of a node`, context)
  }
}

/** Throws when a hierarchy has more nodes than are served. */
export function checkNodeCount(count: number, context: ErrorContext): void {
  if (count > MOST_NODES) throw overBudget(`a hierarchy of more than ${MOST_NODES} nodes`, context)
}

/** An error as the node it happened to; anything that is not about the node itself is thrown on. */
export function brokenNode(error: unknown): NodeDocument {
  if (!isOwnFault(error)) throw error
  return { kind: 'broken', error }
}
