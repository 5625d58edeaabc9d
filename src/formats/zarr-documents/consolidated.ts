// Consolidated metadata: `.zmetadata` (Zarr v2, zarr-python's convention) and the inline member of `zarr.json` (v3).
import { type ErrorContext, malformed } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { objectOf, spell } from './document.ts'
import {
  arrayAndGroup,
  attributesIn,
  checkNodeCount,
  checkPath,
  type NodeDocument,
  type NodeDocuments,
  v2Group,
} from './node-documents.ts'

/** The last segments of the keys of Zarr v2's documents. */
type V2Key = '.zarray' | '.zgroup' | '.zattrs'

/** What reading many documents needs besides them. */
export interface NodesContext extends ErrorContext {
  warn(diagnostic: Diagnostic): void
}

/** All nodes that a `.zmetadata` document describes. */
export function nodesOfZmetadata(document: JsonObject, context: NodesContext): NodeDocuments {
  const version = document['zarr_consolidated_format']
  if (version !== 1) {
    const message = `zarr_consolidated_format is ${spell(version)}: taken as 1`
    context.warn({ code: 'metadata-repaired', message })
  }
  const entries = Object.entries(objectOf(document['metadata'], 'metadata of .zmetadata', context))
  const others = entries.filter(([key]) => !isDocument(nameOf(key))).length
  if (others > 0) {
    const message = `${others} keys of .zmetadata are no documents, and are passed over`
    context.warn({ code: 'keys-passed-over', message })
  }
  return nodesOfV2(entries, context)
}

type V2Documents = Partial<Record<V2Key, Json>>

/** The nodes that documents of Zarr v2 describe, each with its key in the store; other keys are passed over. */
export function nodesOfV2(entries: Iterable<readonly [string, Json]>, context: NodesContext): NodeDocuments {
  const documents = new Map<string, V2Documents>()
  for (const [key, value] of entries) {
    const name = nameOf(key)
    if (!isDocument(name)) continue
    const path = key.slice(0, Math.max(0, key.length - name.length - 1))
    checkPath(path, context)
    documents.set(path, { ...documents.get(path), [name]: value })
    checkNodeCount(documents.size, context)
  }
  return new Map([...documents].flatMap(([path, found]) => nodeOfV2(path, found, { ...context, path })))
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

function isDocument(name: string): name is V2Key {
  return name === '.zarray' || name === '.zgroup' || name === '.zattrs'
}

function nodeOfV2(path: string, found: V2Documents, context: NodesContext): [string, NodeDocument][] {
  const { '.zarray': zarray, '.zgroup': zgroup, '.zattrs': given } = found
  const zattrs = given === undefined ? undefined : attributesIn(given, path, context.warn)
  if (zarray === undefined && zgroup === undefined) return nodeOfAttributes(path, zattrs, context)
  if (zarray === undefined) return [[path, v2Group(zgroup, zattrs, path, context.warn)]]
  if (zgroup !== undefined) context.warn(arrayAndGroup(path))
  if (isJsonObject(zarray)) return [[path, { kind: 'v2-array', zarray, zattrs }]]
  const error = malformed(`.zarray is ${spell(zarray)}, expected an object`, context)
  return [[path, { kind: 'broken', error }]]
}

/** Attributes alone make no node; the root is a group all the same. */
function nodeOfAttributes(
  path: string,
  zattrs: JsonObject | undefined,
  context: NodesContext,
): [string, NodeDocument][] {
  context.warn({ code: 'attributes-without-node', message: 'attributes that belong to no array and no group', path })
  return path === '' ? [[path, { kind: 'v2-group', zattrs }]] : []
}

/** Whether a group document carries the metadata of everything below it. */
export function isConsolidated(document: JsonObject): boolean {
  const member = document['consolidated_metadata']
  return isJsonObject(member) && isJsonObject(member['metadata']) && (member['kind'] ?? 'inline') === 'inline'
}

/** Whether a `zarr.json` is that of a group. */
export function isGroup(document: JsonObject): boolean {
  const type = document['node_type'] ?? null
  // zarr-python takes a document of version 3 without it for a group.
  const isLike = document['zarr_format'] === 3 && document['shape'] === undefined && document['data_type'] === undefined
  return type === 'group' || (type === null && isLike)
}

/** A `zarr.json` and all nodes that it holds inline: zarr-python writes them flat at the root, others nested. */
export function nodesOfV3(document: JsonObject, context: ErrorContext): NodeDocuments {
  const nodes = new Map<string, NodeDocument>([['', { kind: 'v3', document }]])
  collect(document, '', nodes, context)
  return nodes
}

function collect(group: JsonObject, path: string, nodes: Map<string, NodeDocument>, context: ErrorContext): void {
  const member = group['consolidated_metadata']
  const metadata = isJsonObject(member) && isConsolidated(group) ? member['metadata'] : undefined
  if (!isJsonObject(metadata)) return
  for (const [name, document] of Object.entries(metadata)) {
    const child = path === '' ? name : `${path}/${name}`
    checkPath(child, context)
    nodes.set(child, nodeOfV3(document, { ...context, path: child }))
    checkNodeCount(nodes.size, context)
    if (isJsonObject(document)) collect(document, child, nodes, context)
  }
}

function nodeOfV3(document: Json, context: ErrorContext): NodeDocument {
  if (isJsonObject(document)) return { kind: 'v3', document }
  return { kind: 'broken', error: malformed(`a document is ${spell(document)}, expected an object`, context) }
}
