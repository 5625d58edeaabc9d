// HDF5 File Format Specification, section III.A.2 "Disk Format: Level 1A2 - Version 2 B-trees".
import { malformed } from '../../../errors.ts'
import { bytesToHold, checkNodeCount, cursorAt, type Hdf5File, readAt, verifyChecksum } from './hdf5-file.ts'

/** A tree's header: what must be known to read its nodes. */
export interface BtreeV2 {
  readonly address: number
  readonly type: number
  readonly nodeSize: number
  readonly recordSize: number
  readonly depth: number
  readonly root: NodePointer | undefined
  readonly total: number
  /** By depth above the leaves: most records of a node, and the width of the pointers to the nodes one deeper. */
  readonly levels: readonly NodeLevel[]
}

/** A node of the tree: its records lie in the order of their keys. */
export interface NodePointer {
  readonly address: number
  readonly records: number
  /** 0 for a leaf. */
  readonly depth: number
}

interface NodeLevel {
  readonly mostRecords: number
  /** Bytes of the total count in a pointer to a node of this level. */
  readonly totalBytes: number
}

/** Deeper trees can't exist: with two children a node there would be more records than addresses. */
const MOST_DEPTH = 64
/** Signature, version, type and checksum. */
const NODE_OVERHEAD = 10

export function btreeHeaderLength(file: Hdf5File): number {
  return 22 + file.offsetSize + file.lengthSize
}

export async function readBtreeV2(
  file: Hdf5File,
  address: number,
  types: readonly number[],
  signal?: AbortSignal | undefined,
): Promise<BtreeV2> {
  const bytes = await readAt(file, address, btreeHeaderLength(file), signal)
  return parseBtreeV2(file, bytes, address, types)
}

export function parseBtreeV2(file: Hdf5File, bytes: Uint8Array, address: number, types: readonly number[]): BtreeV2 {
  verifyChecksum(bytes, 'a B-tree header', file.base + address)
  const cursor = cursorAt(file, bytes, address)
  cursor.signature('BTHD')
  cursor.oneOf('B-tree version', [0])
  const type = cursor.oneOf('B-tree type', types)
  const [nodeSize, recordSize, depth] = [cursor.u32(), cursor.u16(), cursor.u16()]
  cursor.skip(2)
  const root = cursor.address()
  const records = cursor.u16()
  const total = cursor.length()
  if (recordSize === 0 || depth > MOST_DEPTH || nodeSize < NODE_OVERHEAD + recordSize || nodeSize > file.end) {
    throw cursor.fail(`a B-tree of nodes of ${nodeSize} bytes, records of ${recordSize} and depth ${depth}`)
  }
  const levels = nodeLevels(file, nodeSize, recordSize, depth)
  const pointer = root === undefined || total === 0 ? undefined : { address: root, records, depth }
  return { address, type, nodeSize, recordSize, depth, root: pointer, total, levels }
}

/** H5B2__hdr_init. */
function nodeLevels(file: Hdf5File, nodeSize: number, recordSize: number, depth: number): NodeLevel[] {
  const mostInLeaf = Math.floor((nodeSize - NODE_OVERHEAD) / recordSize)
  const countBytes = bytesToHold(mostInLeaf)
  const levels: NodeLevel[] = [{ mostRecords: mostInLeaf, totalBytes: 0 }]
  let mostBelow = mostInLeaf
  for (let level = 1; level <= depth; level++) {
    const pointer = file.offsetSize + countBytes + (levels[level - 1]?.totalBytes ?? 0)
    const mostRecords = Math.floor((nodeSize - NODE_OVERHEAD - pointer) / (recordSize + pointer))
    if (mostRecords < 1) throw malformed(`a B-tree of depth ${depth} whose nodes of ${nodeSize} bytes have no room`)
    mostBelow = (mostRecords + 1) * mostBelow + mostRecords
    levels.push({ mostRecords, totalBytes: bytesToHold(mostBelow) })
  }
  return levels
}

/** Bytes of a node's content, its checksum included; the rest of the node is unused. */
export function nodeLength(file: Hdf5File, tree: BtreeV2, { records, depth }: NodePointer): number {
  const content = NODE_OVERHEAD + records * tree.recordSize
  return depth === 0 ? content : content + (records + 1) * pointerBytes(file, tree, depth)
}

function pointerBytes(file: Hdf5File, tree: BtreeV2, depth: number): number {
  return file.offsetSize + bytesToHold(tree.levels[0]?.mostRecords ?? 1) + (tree.levels[depth - 1]?.totalBytes ?? 0)
}

/** The record at a position of a node. */
export function recordOf(tree: BtreeV2, node: Uint8Array, index: number): Uint8Array {
  const start = 6 + index * tree.recordSize
  return node.subarray(start, start + tree.recordSize)
}

/** The child before the record at a position; there is one more behind the last. */
export function childOf(
  file: Hdf5File,
  tree: BtreeV2,
  pointer: NodePointer,
  node: Uint8Array,
  index: number,
): NodePointer {
  const width = pointerBytes(file, tree, pointer.depth)
  const start = 6 + pointer.records * tree.recordSize + index * width
  const cursor = cursorAt(file, node.subarray(start, start + width), pointer.address + start)
  const child = {
    address: cursor.definedAddress('a B-tree node'),
    records: cursor.uint(bytesToHold(tree.levels[0]?.mostRecords ?? 1)),
    depth: pointer.depth - 1,
  }
  checkPointer(file, tree, child)
  return child
}

/** Throws where a node claims more records than it has room for. */
export function checkPointer(file: Hdf5File, tree: BtreeV2, { address, records, depth }: NodePointer): void {
  const most = tree.levels[depth]?.mostRecords ?? 0
  if (records > most) {
    throw malformed(`a B-tree node of ${records} records, expected at most ${most}`, { offset: file.base + address })
  }
}

/** Throws unless the bytes are the node that the pointer names. */
export function checkNode(file: Hdf5File, tree: BtreeV2, bytes: Uint8Array, pointer: NodePointer): void {
  verifyChecksum(bytes, 'a B-tree node', file.base + pointer.address)
  const cursor = cursorAt(file, bytes, pointer.address)
  cursor.signature(pointer.depth === 0 ? 'BTLF' : 'BTIN')
  cursor.oneOf('B-tree node version', [0])
  cursor.oneOf('B-tree node type', [tree.type])
}

/** All records of a tree, in the order of their keys. */
export async function readAllRecords(
  file: Hdf5File,
  tree: BtreeV2,
  signal?: AbortSignal | undefined,
): Promise<readonly Uint8Array[]> {
  const seen = new Set<number>()
  const visit = async (pointer: NodePointer): Promise<readonly Uint8Array[]> => {
    if (seen.has(pointer.address))
      throw malformed('a B-tree comes back to a node', { offset: file.base + pointer.address })
    seen.add(pointer.address)
    checkNodeCount(file, seen.size, tree.nodeSize)
    const node = await readAt(file, pointer.address, nodeLength(file, tree, pointer), signal)
    checkNode(file, tree, node, pointer)
    const records = Array.from({ length: pointer.records }, (_, i) => recordOf(tree, node, i))
    if (pointer.depth === 0) return records
    const children = Array.from({ length: pointer.records + 1 }, (_, i) => childOf(file, tree, pointer, node, i))
    const below = await Promise.all(children.map(visit))
    return below.flatMap((part, i) => (i < records.length ? [...part, ...records.slice(i, i + 1)] : part))
  }
  if (tree.root === undefined) return []
  checkPointer(file, tree, tree.root)
  return await visit(tree.root)
}
