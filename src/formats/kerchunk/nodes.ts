import { type ErrorContext, isVirtualZarrError } from '../../errors.ts'
import { isJsonObject, type Json } from '../../json/json.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { nodesOfV2, nodesOfV3 } from '../zarr-documents/consolidated.ts'
import {
  brokenNode,
  checkNodeCount,
  checkPath,
  type NodeDocument,
  type NodeDocuments,
} from '../zarr-documents/node-documents.ts'

/** The nodes that the metadata among a document's references describes. One that is broken costs itself only. */
export function nodesOf(
  metadata: ReadonlyMap<string, Json | Error>,
  place: ErrorContext,
  warn: (diagnostic: Diagnostic) => void,
): NodeDocuments {
  const v2: [string, Json][] = []
  const v3: [string, NodeDocument][] = []
  const broken: [string, NodeDocument][] = []
  for (const [key, value] of metadata) {
    const path = pathOf(key, place, warn)
    if (path === undefined) continue
    if (value instanceof Error) broken.push([path, brokenNode(value)])
    else if (!key.endsWith('zarr.json')) v2.push([key, value])
    else if (isJsonObject(value)) v3.push(...nodesBelow(path, value, place))
  }
  const nodes = new Map([...nodesOfV2(v2, { ...place, warn }), ...v3])
  for (const [path, node] of broken) {
    // A group whose mark can't be read is a group all the same; an array's attributes change what its values mean.
    if (nodes.get(path)?.kind !== 'v2-group') nodes.set(path, node)
  }
  checkNodeCount(nodes.size, place)
  return nodes
}

function pathOf(key: string, place: ErrorContext, warn: (diagnostic: Diagnostic) => void): string | undefined {
  const path = key.slice(0, Math.max(0, key.lastIndexOf('/')))
  try {
    checkPath(path, place)
    return path
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
    warn({ code: 'name-unusable', message: error.message })
    return undefined
  }
}

function nodesBelow(path: string, document: Json, place: ErrorContext): [string, NodeDocument][] {
  if (!isJsonObject(document)) return []
  const nodes = [...nodesOfV3(document, { ...place, path })]
  return nodes.map(([below, node]) => [[path, below].filter((part) => part !== '').join('/'), node])
}
