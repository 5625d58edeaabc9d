// HDF5 File Format Specification, section IV.A.2 on groups: symbol table, link info, link and group info messages.
import { type Numbers, uniqueName } from '../../model/unique-name.ts'
import { type DenseStorage, type Link, parseLink, parseLinkInfo } from './messages/link.ts'
import { readAllRecords, readBtreeV2 } from './structures/btree-v2.ts'
import { openFractalHeap, readHeapObject } from './structures/fractal-heap.ts'
import { cursorOver, type Hdf5File } from './structures/hdf5-file.ts'
import type { HeaderMessage } from './structures/object-header.ts'
import { readSymbolTable } from './structures/symbol-table.ts'

const LINK_INFO = 0x02
const LINK = 0x06
const GROUP_INFO = 0x0a
const SYMBOL_TABLE = 0x11
/** B-tree records: a hash (4 bytes), then the heap ID. */
const LINK_NAMES = 5

/** Whether an object header is that of a group. */
export function isGroup(messages: readonly HeaderMessage[]): boolean {
  return messages.some(
    ({ type }) => type === SYMBOL_TABLE || type === LINK_INFO || type === LINK || type === GROUP_INFO,
  )
}

/** All links of a group, in the order in which they were made where the file keeps it, else by name as stored. */
export async function readLinks(
  file: Hdf5File,
  messages: readonly HeaderMessage[],
  signal?: AbortSignal | undefined,
): Promise<readonly Link[]> {
  const links: Link[] = []
  for (const message of messages) {
    const cursor = cursorOver(file, message)
    if (message.type === SYMBOL_TABLE) {
      const tree = cursor.definedAddress('the tree of a group')
      links.push(...(await readSymbolTable(file, tree, cursor.definedAddress('the heap of a group'), signal)))
    } else if (message.type === LINK_INFO) {
      const dense = parseLinkInfo(cursor)
      if (dense !== undefined) links.push(...(await readDenseLinks(file, dense, signal)))
    } else if (message.type === LINK) links.push(parseLink(cursor))
  }
  return withUniqueNames(links.sort((a, b) => (a.order ?? 0) - (b.order ?? 0)))
}

/** A name whose encoding was guessed may be what another one is really called. */
function withUniqueNames(links: readonly Link[]): readonly Link[] {
  if (!links.some(({ isGuessed }) => isGuessed)) return links
  const taken = new Set(links.filter(({ isGuessed }) => !isGuessed).map(({ name }) => name))
  const numbers: Numbers = new Map()
  return links.map((link) => {
    if (!link.isGuessed) return link
    const name = uniqueName(link.name, taken, numbers)
    taken.add(name)
    return { ...link, name }
  })
}

async function readDenseLinks(
  file: Hdf5File,
  dense: DenseStorage,
  signal: AbortSignal | undefined,
): Promise<readonly Link[]> {
  const [heap, tree] = await Promise.all([
    openFractalHeap(file, dense.heap, signal),
    readBtreeV2(file, dense.names, [LINK_NAMES], signal),
  ])
  const records = await readAllRecords(file, tree, signal)
  return await Promise.all(
    records.map(async (record) => {
      const bytes = await readHeapObject(heap, record.subarray(4, 4 + heap.idBytes), signal)
      return parseLink(cursorOver(file, { bytes, offset: file.base + dense.heap }))
    }),
  )
}
