// Consolidated metadata: `.zmetadata` (Zarr v2, zarr-python's convention) and the inline member of `zarr.json` (v3).
import { type ErrorContext, malformed } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import { objectOf, spell } from './document.ts'
import { checkNodeCount, checkPath, type NodeDocument, type NodeDocuments } from './node-documents.ts'

/** The last segments of the keys of Zarr v2's documents. */
type V2Key = '.zarray' | '.zgroup' | '.zattrs'

/** All nodes that a `.zmetadata` document describes. */
export function nodesOfZmetadata(document: JsonObject, context: ErrorContext): NodeDocuments {
  const version = document['zarr_consolidated_format']
  if (version !== 1) throw malformed(`zarr_consolidated_format is ${spell(version)}, expected 1`, context)
  return nodesOfV2(Object.entries(objectOf(document['metadata'], 'metadata of .zmetadata', context)), context)
}

/** The nodes that documents of Zarr v2 describe, each with its key in the store; other keys are passed over. */
export function nodesOfV2(entries: Iterable<readonly [string, Json]>, context: ErrorContext): NodeDocuments {
  const documents = new Map<string, Partial<Record<V2Key, Json>>>()
  for (const [key, value] of entries) {
    const slash = key.lastIndexOf('/')
    const name = key.slice(slash + 1)
    if (name !== '.zarray' && name !== '.zgroup' && name !== '.zattrs') continue
    const path = key.slice(0, Math.max(0, slash))
    checkPath(path, context)
    documents.set(path, { ...documents.get(path), [name]: value })
    checkNodeCount(documents.size, context)
  }
  return new Map([...documents].flatMap(([path, found]) => nodeOfV2(path, found, context)))
}

function nodeOfV2(path: string, found: Partial<Record<V2Key, Json>>, context: ErrorContext): [string, NodeDocument][] {
  const zattrs = isJsonObject(found['.zattrs']) ? found['.zattrs'] : undefined
  const zarray = found['.zarray']
  if (isJsonObject(zarray)) return [[path, { kind: 'v2-array', zarray, zattrs }]]
  if (zarray !== undefined) {
    const error = malformed(`.zarray is ${spell(zarray)}, expected an object`, { ...context, path })
    return [[path, { kind: 'broken', error }]]
  }
  // Attributes alone make no node.
  return found['.zgroup'] === undefined ? [] : [[path, { kind: 'v2-group', zattrs }]]
}

/** Whether a group document carries the metadata of everything below it. */
export function isConsolidated(document: JsonObject): boolean {
  const member = document['consolidated_metadata']
  return isJsonObject(member) && isJsonObject(member['metadata']) && (member['kind'] ?? 'inline') === 'inline'
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
