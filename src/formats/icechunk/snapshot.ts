// Icechunk's specification, "Snapshot Files"; the numbers of fields are those of `snapshot.fbs`.
import { type ErrorContext, malformed, overBudget } from '../../errors.ts'
import { type JsonBudget, jsonBudget } from '../../json/parse.ts'
import { turn } from '../../turns.ts'
import {
  brokenNode,
  checkNodeCount,
  checkPath,
  MOST_DOCUMENT_BYTES,
  type NodeDocument,
  type NodeDocuments,
  readObjectDocument,
} from '../zarr-documents/node-documents.ts'
import type { FlatBuffer } from './flat-buffer.ts'
import { type ManifestRefs, manifestRefs } from './manifest-refs.ts'
import { FILE_ID_BYTES, idText, NODE_ID_BYTES } from './object-id.ts'

const SNAPSHOT = { id: 0, nodes: 2, manifestFiles: 6, manifestFilesV2: 7 } as const
const NODE = { id: 0, path: 1, userData: 2, dataType: 3, data: 4 } as const
const ARRAY = { manifests: 2 } as const
const MANIFEST_REF = { id: 0, extents: 1 } as const
const FILE_INFO = { id: 0, size: 1 } as const
/** `ManifestFileInfo`, a struct: an id, a length from byte 16 on, a count. */
const FILE_INFO_BYTES = 32
const SIZE_AT = 16
const ARRAY_TYPE = 1

/** An array of a snapshot, but for its document. */
export interface ArrayNode {
  readonly nodeId: string
  readonly manifests: ManifestRefs
}

/** One version of a hierarchy. */
export interface Snapshot {
  readonly id: string
  readonly nodes: NodeDocuments
  /** By path, as the nodes. */
  readonly arrays: ReadonlyMap<string, ArrayNode>
}

/** What reading the nodes of a snapshot needs, and what is left of its budgets. */
interface Reading {
  readonly content: FlatBuffer
  readonly sizes: ReadonlyMap<string, number>
  readonly place: ErrorContext
  readonly json: JsonBudget
  documentBytes: number
  manifests: number
}

/** All nodes of a snapshot, with their documents. */
export async function nodesOfSnapshot(content: FlatBuffer, place: ErrorContext): Promise<Snapshot> {
  const root = content.root()
  const id = idText(content.struct(content.required(root, SNAPSHOT.id, 'id'), FILE_ID_BYTES))
  const sizes = manifestSizes(content, root)
  const reading: Reading = { content, sizes, place, json: jsonBudget(), documentBytes: 0, manifests: 0 }
  const found = content.required(root, SNAPSHOT.nodes, 'list of nodes')
  checkNodeCount(content.vector(found, 4).count, place)
  const nodes = new Map<string, NodeDocument>()
  const arrays = new Map<string, ArrayNode>()
  for (const table of content.tables(found)) {
    const wait = turn()
    if (wait !== undefined) await wait
    const path = pathOf(table, reading)
    const array = arrayOf(table, { ...place, path }, reading)
    nodes.set(path, await documentOf(table, array, { ...place, path }, reading))
    if (array !== undefined) arrays.set(path, array)
  }
  return { id, nodes, arrays }
}

function manifestSizes(content: FlatBuffer, root: number): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const { id, size } of manifestLengths(content, root)) {
    sizes.set(idText(content.struct(id, FILE_ID_BYTES)), content.u64(size))
  }
  return sizes
}

/** Where a snapshot says how long its manifests are: the places of an id and of a length each. */
export function* manifestLengths(
  content: FlatBuffer,
  root: number,
): Generator<{ readonly id: number; readonly size: number }> {
  const { start, count } = content.vector(content.field(root, SNAPSHOT.manifestFiles), FILE_INFO_BYTES)
  for (let at = start; at < start + count * FILE_INFO_BYTES; at += FILE_INFO_BYTES) yield { id: at, size: at + SIZE_AT }
  for (const table of content.tables(content.field(root, SNAPSHOT.manifestFilesV2))) {
    const [id, size] = [content.field(table, FILE_INFO.id), content.field(table, FILE_INFO.size)]
    if (id !== 0 && size !== 0) yield { id, size }
  }
}

function pathOf(table: number, { content, place }: Reading): string {
  const path = content.text(content.required(table, NODE.path, 'path')) ?? ''
  if (!path.startsWith('/')) throw malformed('the path of a node does not begin with a slash', place)
  checkPath(path.slice(1), place)
  return path.slice(1)
}

async function documentOf(
  table: number,
  array: ArrayNode | undefined,
  place: ErrorContext,
  reading: Reading,
): Promise<NodeDocument> {
  const bytes = reading.content.bytesOf(reading.content.required(table, NODE.userData, 'metadata'))
  if (bytes === undefined || bytes.length === 0) return emptyDocument(array, place)
  reading.documentBytes += bytes.length
  if (reading.documentBytes > MOST_DOCUMENT_BYTES) {
    throw overBudget(`metadata documents of more than ${MOST_DOCUMENT_BYTES} bytes`, place)
  }
  try {
    const document = await readObjectDocument(bytes, place, reading.json)
    // Its chunks would all read as never written.
    if (document['node_type'] === 'array' && array === undefined) {
      throw malformed('the metadata of an array stands in a node that is a group', place)
    }
    return { kind: 'v3', document }
  } catch (error) {
    return brokenNode(error)
  }
}

function emptyDocument(array: ArrayNode | undefined, place: ErrorContext): NodeDocument {
  if (array !== undefined) return { kind: 'broken', error: malformed('an array has no metadata', place) }
  return { kind: 'v3', document: { zarr_format: 3, node_type: 'group' } }
}

function arrayOf(table: number, place: ErrorContext, reading: Reading): ArrayNode | undefined {
  const { content } = reading
  const type = content.field(table, NODE.dataType)
  if (type === 0 || content.u8(type) !== ARRAY_TYPE) return undefined
  const nodeId = idText(content.struct(content.required(table, NODE.id, 'id'), NODE_ID_BYTES))
  const data = content.follow(content.required(table, NODE.data, 'data'))
  const found = content.required(data, ARRAY.manifests, 'list of manifests')
  return { nodeId, manifests: manifestsOf(found, place, reading) }
}

function manifestsOf(found: number, place: ErrorContext, reading: Reading): ManifestRefs {
  const { content, sizes } = reading
  let refs: ManifestRefs | undefined
  let rank = 0
  let count = 0
  for (const table of content.tables(found)) {
    const id = content.struct(content.required(table, MANIFEST_REF.id, 'id'), FILE_ID_BYTES)
    const extents = content.vector(content.required(table, MANIFEST_REF.extents, 'extents'), 8)
    // Nobody's lists overlap: what they hold together is less than the file.
    reading.manifests += 1 + extents.count
    if (reading.manifests * 4 > content.bytes.length)
      throw malformed('lists of manifests stand within each other', place)
    if (refs === undefined) rank = extents.count
    if (extents.count !== rank) throw malformed('manifests of one array have extents of several ranks', place)
    refs ??= manifestRefs({ count: content.vector(found, 4).count, rank })
    const values = Array.from({ length: rank * 2 }, (_, index) => content.u32(extents.start + index * 4))
    refs.set(count++, id, sizes.get(idText(id)) ?? 0, values)
  }
  return refs ?? manifestRefs({ count: 0, rank: 0 })
}
