import { isVirtualZarrError, overLimit, VirtualZarrError } from '../../errors.ts'
import { inParallel, READS_AT_ONCE } from '../../in-parallel.ts'
import { type JsonBudget, jsonBudget } from '../../json/parse.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { isGroup } from '../zarr-documents/consolidated.ts'
import {
  checkNodeCount,
  checkPath,
  MOST_DOCUMENT_BYTES,
  type NodeDocument,
  type NodeDocuments,
  readJsonDocument,
} from '../zarr-documents/node-documents.ts'
import { type FoundNodes, readNodes } from './read-node.ts'
import { membersOf, type ZipDirectory, type ZipMember } from './zip-directory.ts'
import { readMember } from './zip-member.ts'

/** Names of documents end in a letter; those of chunks in a digit. */
const isNoChunk = (lastByte: number) => lastByte > 0x39
const DOCUMENT_NAMES = new Set(['zarr.json', '.zmetadata', '.zarray', '.zgroup', '.zattrs'])
/** All documents together: an archive of many that overlap can't make us inflate more. */
const MOST_TOTAL_BYTES = 2 * MOST_DOCUMENT_BYTES
/** The metadata members of one folder of the archive, by name. */
type FolderMembers = ReadonlyMap<string, ZipMember>

interface ZipReader {
  readonly source: Source
  readonly directory: ZipDirectory
  readonly context: ParseContext
  readonly budget: JsonBudget
}

/** The nodes of a store in a zip archive, under whatever folder of the archive it lies. */
export async function readZip(source: Source, directory: ZipDirectory, context: ParseContext): Promise<NodeDocuments> {
  const reader: ZipReader = { source, directory, context, budget: jsonBudget() }
  const folders = foldersOf(reader)
  const nodes = new Map<string, NodeDocument>()
  const absent: string[] = []
  // From the top down: a consolidated document spares the reads of everything below it.
  for (const level of levelsOf(folders)) {
    const unknown = level.filter(([path]) => !nodes.has(path))
    const found = await inParallel(unknown, READS_AT_ONCE, ([path, members]) => readFolderNodes(path, members, reader))
    for (const [path, node] of found.flat()) {
      // Only what is in the archive: consolidated documents may be older than it, and what was left out would read as fill.
      if (folders.has(path)) nodes.set(path, node)
      else if (isArray(node)) absent.push(path)
    }
  }
  warnOfAbsent(absent, context)
  if (nodes.size > 0) return nodes
  throw new VirtualZarrError(
    'unknown-format',
    `the source is a zip archive without Zarr metadata${shownMembers(directory)}`,
    directory.place,
  )
}

function isArray(node: NodeDocument): boolean {
  return node.kind === 'v2-array' || (node.kind === 'v3' && !isGroup(node.document))
}

function warnOfAbsent(absent: readonly string[], context: ParseContext): void {
  if (absent.length === 0) return
  const shown = `${absent.slice(0, 10).join(', ')}${absent.length > 10 ? ` and ${absent.length - 10} more` : ''}`
  const message = `only the consolidated metadata names ${shown}: the archive holds no document of them, and they are not served`
  context.warn({ code: 'zip-array-absent', message })
}

/** What is in the archive instead: the first names tell most of it (shapefiles, products of satellites, documents). */
function shownMembers(directory: ZipDirectory): string {
  const names: string[] = []
  for (const { name } of membersOf(directory, () => true)) {
    if (!name.endsWith('/') && names.push(JSON.stringify(name.slice(0, 80))) === 3) break
  }
  return names.length === 0
    ? ', with no file in it'
    : `; it holds ${names.join(', ')}${directory.count > 3 ? ', …' : ''}`
}

function foldersOf({ directory, context }: ZipReader): ReadonlyMap<string, FolderMembers> {
  const folders = new Map<string, Map<string, ZipMember>>()
  let total = 0
  for (const member of membersOf(directory, isNoChunk)) {
    const slash = member.name.lastIndexOf('/')
    const name = member.name.slice(slash + 1)
    if (!DOCUMENT_NAMES.has(name)) continue
    const path = member.name.slice(0, Math.max(0, slash))
    total += member.size
    if (total > MOST_TOTAL_BYTES) {
      throw overLimit(`more than ${MOST_TOTAL_BYTES} bytes of metadata in a zip archive`, directory.place)
    }
    if (!isPath(path, context)) continue
    const folder = folders.get(path) ?? new Map<string, ZipMember>()
    folders.set(path, folder.set(name, member))
    checkNodeCount(folders.size, directory.place)
  }
  return folders
}

function isPath(path: string, context: ParseContext): boolean {
  try {
    checkPath(path, {})
    return true
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
    context.warn({ code: 'zip-member-ignored', message: `a zip member is passed over: ${error.message}` })
    return false
  }
}

function levelsOf(folders: ReadonlyMap<string, FolderMembers>): (readonly [string, FolderMembers])[][] {
  const levels = new Map<number, [string, FolderMembers][]>()
  for (const [path, members] of folders) {
    const depth = path === '' ? 0 : path.split('/').length
    const level = levels.get(depth) ?? []
    level.push([path, members])
    levels.set(depth, level)
  }
  return [...levels].sort(([a], [b]) => a - b).map(([, level]) => level)
}

function readFolderNodes(path: string, documents: FolderMembers, reader: ZipReader): Promise<FoundNodes> {
  const { source, directory, context, budget } = reader
  const place = { ...directory.place, path }
  return readNodes<ZipMember>({
    path,
    documents,
    placeOf: () => place,
    read: async (member) => {
      const bytes = await readMember(source, directory, member, { signal: context.signal })
      return await readJsonDocument(bytes, place, budget)
    },
    warn: context.warn.bind(context),
  })
}
