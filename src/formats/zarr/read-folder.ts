import { type ErrorContext, isVirtualZarrError, overLimit, unsupported } from '../../errors.ts'
import { inParallel, READS_AT_ONCE } from '../../in-parallel.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { type JsonBudget, jsonBudget } from '../../json/parse.ts'
import { JSON_DOCUMENT, type Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { isConsolidated, isGroup, nodesOfV3, nodesOfZmetadata } from '../zarr-documents/consolidated.ts'
import { objectOf } from '../zarr-documents/document.ts'
import {
  attributesIn,
  checkNodeCount,
  checkPath,
  MOST_DOCUMENT_BYTES,
  type NodeDocument,
  type NodeDocuments,
  readJsonDocument,
  v2Group,
} from '../zarr-documents/node-documents.ts'
import { type FoundNodes, readNodes } from './read-node.ts'
import { folderBelow, folderOf, urlBelow } from './urls.ts'

/** Each costs requests: more than this is not opened without consolidated metadata. */
const MOST_LISTED_NODES = 3000
/** What finding the nodes of a folder needs. */
interface FolderReader {
  readonly root: string
  readonly context: ParseContext
  readonly nodes: Map<string, NodeDocument>
  readonly budget: JsonBudget
}

/** The nodes of a store in a folder, from the document that a probe of the folder found. */
export async function readFolder(source: Source, context: ParseContext): Promise<NodeDocuments> {
  const root = folderOf(source.url)
  const reader: FolderReader = { root, context, nodes: new Map(), budget: jsonBudget() }
  const name = new URL(source.url).pathname.split('/').at(-1)
  const document = await readDocument(source, reader, { url: source.url, format: 'zarr' })
  if (name === '.zmetadata') return nodesOfZmetadata(document, { ...placeOf(source), warn: warnOf(context) })
  if (name === '.zarray') {
    const zattrs = await readAttributesOfRoot(reader)
    return new Map([['', { kind: 'v2-array', zarray: document, zattrs }]])
  }
  if (name === 'zarr.json') return readV3Folder(document, source.url, reader)
  return readV2Folder(document, reader)
}

async function readV3Folder(document: JsonObject, url: string, reader: FolderReader): Promise<NodeDocuments> {
  if (!isGroup(document) || isConsolidated(document)) return nodesOfV3(document, { url, format: 'zarr' })
  reader.nodes.set('', { kind: 'v3', document })
  await walk([''], V3_NAMES, reader)
  return reader.nodes
}

async function readV2Folder(zgroup: JsonObject, reader: FolderReader): Promise<NodeDocuments> {
  // A URL may name the `.zgroup` of a store that is consolidated all the same.
  const consolidated = await openUnlessDenied('.zmetadata', reader)
  if (consolidated !== undefined) {
    const place = placeOf(consolidated)
    return nodesOfZmetadata(await readDocument(consolidated, reader, place), { ...place, warn: warnOf(reader.context) })
  }
  reader.nodes.set('', v2Group(zgroup, await readAttributesOfRoot(reader), '', warnOf(reader.context)))
  await walk([''], V2_NAMES, reader)
  return reader.nodes
}

/** Breadth first: the folders of one level are listed, and what they hold is read, some at a time. */
async function walk(groups: readonly string[], names: readonly string[], reader: FolderReader): Promise<void> {
  const folders = (await inParallel(groups, READS_AT_ONCE, (path) => listFolders(path, reader))).flat()
  const found = await inParallel(folders, READS_AT_ONCE, async (path) => ({
    path,
    nodes: await readNode(path, names, reader),
  }))
  const next: string[] = []
  for (const { path, nodes } of found) {
    for (const [child, node] of nodes) reader.nodes.set(child, node)
    const node = reader.nodes.get(path)
    if (node !== undefined && needsListing(node)) next.push(path)
  }
  checkNodeCount(reader.nodes.size, { url: reader.root, format: 'zarr' })
  if (next.length > 0) await walk(next, names, reader)
}

function needsListing(node: NodeDocument): boolean {
  if (node.kind === 'v2-group') return true
  return node.kind === 'v3' && isGroup(node.document) && !isConsolidated(node.document)
}

async function listFolders(path: string, reader: FolderReader): Promise<string[]> {
  const url = folderBelow(reader.root, path)
  const place: ErrorContext = { url, format: 'zarr', path }
  const names = await reader.context.list(url)
  if (names === undefined) {
    throw unsupported(
      'groups without consolidated metadata',
      'the group has no consolidated metadata and its folder has no listing: consolidate the metadata, or name an array',
      place,
    )
  }
  const folders = names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1))
  if (reader.nodes.size + folders.length > MOST_LISTED_NODES) {
    throw overLimit(`more than ${MOST_LISTED_NODES} folders without consolidated metadata`, place)
  }
  return folders.map((name) => {
    const child = path === '' ? name : `${path}/${name}`
    checkPath(child, place)
    return child
  })
}

/** The names of the documents that nodes of this version have. */
const V2_NAMES = ['.zarray', '.zgroup', '.zattrs']
const V3_NAMES = ['zarr.json']

/** All are asked at once: what is there is only known by asking, since listings may hide names with a dot. */
async function readNode(path: string, names: readonly string[], reader: FolderReader): Promise<FoundNodes> {
  const opened = await Promise.all(names.map((name) => openIfThere(`${path}/${name}`, reader)))
  const documents = new Map<string, Source>()
  for (const [index, source] of opened.entries()) {
    const name = names[index]
    if (source !== undefined && name !== undefined) documents.set(name, source)
  }
  const placeOf = ({ url }: Source): ErrorContext => ({ url, format: 'zarr', path })
  const read = (source: Source) => readJson(source, reader, placeOf(source))
  const nodes = await readNodes({ path, documents, placeOf, read, warn: warnOf(reader.context) })
  if (nodes.length === 0) {
    reader.context.warn({ code: 'folder-without-metadata', message: 'a folder that is no node is passed over', path })
  }
  return nodes
}

async function readAttributesOfRoot(reader: FolderReader): Promise<JsonObject | undefined> {
  const source = await openUnlessDenied('.zattrs', reader)
  if (source === undefined) return undefined
  return attributesIn(await readJson(source, reader, { ...placeOf(source), path: '' }), '', warnOf(reader.context))
}

function placeOf({ url }: Source): ErrorContext {
  return { url, format: 'zarr' }
}

function warnOf(context: ParseContext): ParseContext['warn'] {
  return context.warn.bind(context)
}

async function openIfThere(key: string, reader: FolderReader): Promise<Source | undefined> {
  try {
    return await reader.context.open(urlBelow(reader.root, key), { check: JSON_DOCUMENT })
  } catch (error) {
    if (isVirtualZarrError(error, 'source-not-found')) return undefined
    throw error
  }
}

/** A document beside the one that was found: object stores deny what does not exist to those who may not list. */
async function openUnlessDenied(key: string, reader: FolderReader): Promise<Source | undefined> {
  try {
    return await openIfThere(key, reader)
  } catch (error) {
    if (!isVirtualZarrError(error, 'source-denied')) throw error
    const message = `${key} may not be read, or is not there: ${error.message}`
    reader.context.warn({ code: 'document-denied', message, path: '' })
    return undefined
  }
}

async function readDocument(source: Source, reader: FolderReader, place: ErrorContext): Promise<JsonObject> {
  return objectOf(await readJson(source, reader, place), 'a metadata document', place)
}

async function readJson(source: Source, reader: FolderReader, place: ErrorContext): Promise<Json> {
  if (source.size > MOST_DOCUMENT_BYTES) {
    throw overLimit(`a metadata document of ${source.size} bytes, at most ${MOST_DOCUMENT_BYTES} are read`, place)
  }
  const bytes = await source.read({ offset: 0, length: source.size }, { signal: reader.context.signal })
  return await readJsonDocument(bytes, place, reader.budget)
}
