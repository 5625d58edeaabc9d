// HDF5 File Format Specification, sections III.A.1 "Version 1 B-trees", III.B "Group Symbol Table Nodes" and III.D "Local Heaps".
import { malformed } from '../../../errors.ts'
import { type Link, linkOf, type StoredText, storedText } from '../messages/link.ts'
import { checkNodeCount, cursorAt, type Hdf5File, readAt } from './hdf5-file.ts'

const MOST_HEAP_BYTES = 67_108_864
const SOFT_LINK = 2

/** All links of a group of the old kind: a B-tree of nodes whose names are in a local heap. */
export async function readSymbolTable(
  file: Hdf5File,
  tree: number,
  heap: number,
  signal?: AbortSignal | undefined,
): Promise<readonly Link[]> {
  const [names, nodes] = await Promise.all([readLocalHeap(file, heap, signal), readSymbolNodes(file, tree, signal)])
  return nodes.flatMap((node) => parseSymbolNode(file, node.bytes, node.address, names))
}

/** The data segment of a local heap. */
async function readLocalHeap(file: Hdf5File, address: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const header = await readAt(file, address, 8 + 2 * file.lengthSize + file.offsetSize, signal)
  const cursor = cursorAt(file, header, address)
  cursor.signature('HEAP')
  cursor.oneOf('local heap version', [0])
  cursor.skip(3)
  const size = cursor.length()
  cursor.skip(file.lengthSize)
  const segment = cursor.definedAddress('the data of a local heap')
  if (size > MOST_HEAP_BYTES) throw cursor.fail(`a local heap of ${size} bytes`)
  return await readAt(file, segment, size, signal)
}

interface SymbolNode {
  readonly address: number
  readonly bytes: Uint8Array
}

async function readSymbolNodes(
  file: Hdf5File,
  root: number,
  signal: AbortSignal | undefined,
): Promise<readonly SymbolNode[]> {
  const seen = new Set<number>()
  const visit = async (address: number, expected: number | undefined): Promise<readonly SymbolNode[]> => {
    if (seen.has(address)) throw malformed('a group comes back to a node of its tree', { offset: file.base + address })
    seen.add(address)
    checkNodeCount(file, seen.size, 24)
    const { level, children } = await readGroupNode(file, address, signal)
    if (expected !== undefined && level !== expected) {
      throw malformed(`a tree node of level ${level}, expected ${expected}`, { offset: file.base + address })
    }
    if (level > 0) return (await Promise.all(children.map((child) => visit(child, level - 1)))).flat()
    const length = 8 + 2 * file.groupLeafK * entryLength(file)
    return await Promise.all(
      children.map(async (child) => ({ address: child, bytes: await readNode(file, child, length, signal) })),
    )
  }
  return await visit(root, undefined)
}

/** The last node of a file may be cut where its entries end. */
async function readNode(
  file: Hdf5File,
  address: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return await readAt(file, address, Math.max(Math.min(length, file.end - address), 8), signal)
}

async function readGroupNode(file: Hdf5File, address: number, signal: AbortSignal | undefined) {
  const most = 2 * file.groupInternalK
  const prefix = 8 + 2 * file.offsetSize
  const length = prefix + (most + 1) * file.lengthSize + most * file.offsetSize
  const bytes = await readNode(file, address, length, signal)
  const cursor = cursorAt(file, bytes, address)
  cursor.signature('TREE')
  cursor.oneOf('B-tree node type', [0])
  const level = cursor.u8()
  const count = cursor.u16()
  if (count > most) throw cursor.fail(`a tree node of ${count} children, expected at most ${most}`)
  cursor.skip(2 * file.offsetSize)
  const children: number[] = []
  for (let i = 0; i < count; i++) {
    cursor.skip(file.lengthSize)
    children.push(cursor.definedAddress('a node of a group'))
  }
  return { level, children }
}

function entryLength(file: Hdf5File): number {
  return 2 * file.offsetSize + 24
}

function parseSymbolNode(file: Hdf5File, bytes: Uint8Array, address: number, names: Uint8Array): readonly Link[] {
  const cursor = cursorAt(file, bytes, address)
  cursor.signature('SNOD')
  cursor.oneOf('symbol table node version', [1])
  cursor.skip(1)
  const count = cursor.u16()
  if (count > 2 * file.groupLeafK) throw cursor.fail(`${count} symbols, expected at most ${2 * file.groupLeafK}`)
  const links: Link[] = []
  for (let i = 0; i < count; i++) {
    const at = cursor.offset
    const name = textAt(file, names, cursor.uint(file.offsetSize), at)
    const object = cursor.address()
    const kind = cursor.u32()
    cursor.skip(4)
    const scratch = cursor.part(16)
    if (kind === SOFT_LINK) {
      const path = textAt(file, names, scratch.u32(), at)
      links.push(linkOf(name, { kind: 'soft', path }))
    } else if (object !== undefined) {
      links.push(linkOf(name, { kind: 'hard', address: object }))
    }
  }
  return links
}

function textAt({ budget }: Hdf5File, heap: Uint8Array, start: number, offset: number): StoredText {
  if (start >= heap.length) throw malformed(`a name at ${start} of a heap of ${heap.length} bytes`, { offset })
  const end = heap.indexOf(0, start)
  if (end < 0) throw malformed('a name without its final NUL', { offset })
  budget.spend(32 + end - start)
  return storedText(heap.subarray(start, end))
}
