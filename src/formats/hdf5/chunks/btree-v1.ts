// HDF5 File Format Specification, section III.A.1 "Disk Format: Level 1A1 - Version 1 B-trees", node type 1: raw data chunks.
import { malformed } from '../../../errors.ts'
import { checkNodeCount, cursorAt, type Hdf5File } from '../structures/hdf5-file.ts'
import {
  ABSENT,
  type ChunkGrid,
  type Emit,
  type Locator,
  type NodeRequest,
  positionOf,
  type ReadNodes,
  type Step,
} from './locator.ts'

/** Fixed places of a node of one tree. */
interface NodeShape {
  readonly file: Hdf5File
  readonly grid: ChunkGrid
  readonly rank: number
  /** Of a key: size, mask, an offset for each dimension and one for the element. */
  readonly keyBytes: number
  readonly prefix: number
  readonly length: number
  readonly mostChildren: number
}

/** A node's level is known before it is read, but for the root's. */
const LEVEL_OF_ROOT = undefined
const MOST_LEVEL = 64

/** The index of layouts before version 4: a tree of chunk offsets. */
export function btreeV1Locator(file: Hdf5File, root: number, grid: ChunkGrid): Locator {
  const rank = grid.chunkShape.length
  const keyBytes = 8 + 8 * (rank + 1)
  const mostChildren = 2 * file.chunkK
  const prefix = 8 + 2 * file.offsetSize
  const length = prefix + mostChildren * (keyBytes + file.offsetSize) + keyBytes
  const shape: NodeShape = { file, grid, rank, keyBytes, prefix, length, mostChildren }
  return {
    locate(coords, nodes) {
      let expected: number | undefined = LEVEL_OF_ROOT
      let address = root
      for (;;) {
        const node = nodes(address)
        if (node === undefined) return { kind: 'read', request: requestOf(shape, address, expected) }
        // A node that is there already was checked as another one's child: a tree may come back to itself.
        if (expected !== LEVEL_OF_ROOT && node[5] !== expected) requestOf(shape, address, expected).check(node)
        const view = viewOf(node)
        const found = search(shape, view, coords)
        if (found === undefined) return ABSENT
        const level: number = node[5] ?? 0
        if (level === 0) return leafStep(shape, view, found)
        expected = level - 1
        address = childAddress(shape, view, found.start)
      }
    },
    scan: (read, emit) => scan(shape, root, read, emit),
  }
}

function requestOf(shape: NodeShape, address: number, level: number | undefined): NodeRequest {
  const { file } = shape
  return {
    address,
    // The last node of a file may be cut where its entries end.
    length: Math.max(Math.min(shape.length, file.end - address), 1),
    check(bytes) {
      const cursor = cursorAt(file, bytes, address)
      cursor.signature('TREE')
      cursor.oneOf('B-tree node type', [1])
      const found = cursor.u8()
      if (level === undefined ? found > MOST_LEVEL : found !== level)
        throw cursor.fail(`a tree node of level ${found}, expected ${level}`)
      const count = cursor.u16()
      if (count > shape.mostChildren)
        throw cursor.fail(`a tree node of ${count} children, expected at most ${shape.mostChildren}`)
      cursor.seek(shape.prefix)
      cursor.skip(count * (shape.keyBytes + file.offsetSize))
    },
    // Nodes are half empty as a rule. The key behind the last child is not looked at.
    usedBytes: (bytes) => keyStart(shape, countOf(bytes)),
  }
}

function viewOf(node: Uint8Array): DataView {
  return new DataView(node.buffer, node.byteOffset, node.byteLength)
}

function countOf(node: Uint8Array): number {
  return (node[6] ?? 0) | ((node[7] ?? 0) << 8)
}

/** The last child whose key is not behind the chunk; written out, since each chunk of a file costs a search on each level. */
function search(
  { prefix, keyBytes, rank, grid, file }: NodeShape,
  view: DataView,
  coords: readonly number[],
): Found | undefined {
  const entryBytes = keyBytes + file.offsetSize
  let low = 0
  let high = view.getUint16(6, true) - 1
  let found: Found | undefined
  while (low <= high) {
    const middle = (low + high) >>> 1
    const start = prefix + middle * entryBytes
    let order = 0
    for (let axis = 0; axis < rank && order === 0; axis++) {
      const at = start + 8 + 8 * axis
      // Exact up to 2^53; what is beyond is outside of every array that is served.
      const key = view.getUint32(at, true) + view.getUint32(at + 4, true) * 4294967296
      order = key - (coords[axis] ?? 0) * (grid.chunkShape[axis] ?? 1)
    }
    if (order <= 0) {
      found = { start, isExact: order === 0 }
      low = middle + 1
    } else {
      high = middle - 1
    }
  }
  return found
}

/** A child of a node: where its key begins, and whether that is the key of the chunk itself. */
interface Found {
  readonly start: number
  readonly isExact: boolean
}

function keyStart(shape: NodeShape, index: number): number {
  return shape.prefix + index * (shape.keyBytes + shape.file.offsetSize)
}

/** The address behind a key; undefined where all its bits are set. */
function addressAt({ keyBytes, file }: NodeShape, view: DataView, start: number): number | undefined {
  const at = start + keyBytes
  let address = 0
  let isUndefined = true
  for (let byte = file.offsetSize - 1; byte >= 0; byte--) {
    const value = view.getUint8(at + byte)
    address = address * 256 + value
    isUndefined &&= value === 0xff
  }
  if (isUndefined) return undefined
  if (Number.isSafeInteger(address)) return address
  throw malformed(`an address of ${address} in a B-tree node, expected one below 2^53`, { offset: file.base })
}

function childAddress(shape: NodeShape, view: DataView, start: number): number {
  const address = addressAt(shape, view, start)
  if (address !== undefined) return address
  throw malformed('the address of a B-tree node is undefined', { offset: shape.file.base })
}

function leafStep(shape: NodeShape, view: DataView, { start, isExact }: Found): Step {
  const address = isExact ? addressAt(shape, view, start) : undefined
  if (address === undefined) return ABSENT
  return { kind: 'found', chunk: { address, size: view.getUint32(start, true), mask: view.getUint32(start + 4, true) } }
}

async function scan(shape: NodeShape, root: number, read: ReadNodes, emit: Emit): Promise<void> {
  const seen = new Set<number>([root])
  // A node is split when it is full, so half of its children is the least.
  const nodesBelow = { signatures: ['TREE\x01'], length: shape.length, fewest: shape.file.chunkK }
  let leafLevel = false
  let requests: readonly NodeRequest[] = [requestOf(shape, root, LEVEL_OF_ROOT)]
  while (requests.length > 0) {
    const below: NodeRequest[] = []
    const visit = (node: Uint8Array): void => {
      const level = node[5] ?? 0
      if (level === 0) emitLeaf(shape, node, emit)
      else below.push(...childrenOf(shape, node, level, seen))
      leafLevel = level <= 1
    }
    await read(requests, visit, leafLevel ? undefined : nodesBelow)
    requests = below
  }
}

function* childrenOf(shape: NodeShape, node: Uint8Array, level: number, seen: Set<number>): Iterable<NodeRequest> {
  const count = countOf(node)
  const view = viewOf(node)
  for (let index = 0; index < count; index++) {
    const child = childAddress(shape, view, keyStart(shape, index))
    if (seen.has(child)) throw malformed('a B-tree comes back to a node', { offset: shape.file.base + child })
    seen.add(child)
    checkNodeCount(shape.file, seen.size, shape.length)
    yield requestOf(shape, child, level - 1)
  }
}

function emitLeaf(shape: NodeShape, node: Uint8Array, emit: Emit): void {
  const { gridShape, chunkShape } = shape.grid
  const view = viewOf(node)
  const count = countOf(node)
  for (let index = 0; index < count; index++) {
    const start = keyStart(shape, index)
    const position = positionOf(gridShape, (axis) => offsetAt(view, start + 8 + 8 * axis) / (chunkShape[axis] ?? 1))
    const address = addressAt(shape, view, start)
    if (position === undefined || address === undefined || !Number.isInteger(position)) continue
    emit(position, address, view.getUint32(start, true), view.getUint32(start + 4, true))
  }
}

function offsetAt(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 4294967296
}
