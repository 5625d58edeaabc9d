// HDF5 File Format Specification, section VII.E "The Version 2 B-trees Index": datasets with several unlimited dimensions.
import { malformed } from '../../../errors.ts'
import {
  type BtreeV2,
  btreeHeaderLength,
  checkNode,
  checkPointer,
  childOf,
  type NodePointer,
  nodeLength,
  parseBtreeV2,
  recordOf,
} from '../structures/btree-v2.ts'
import { checkNodeCount, type Hdf5File } from '../structures/hdf5-file.ts'
import { type ElementReader, elementReader, stepAt } from './elements.ts'
import {
  ABSENT,
  type ChunkGrid,
  type Emit,
  type Locator,
  type NodeRequest,
  type NodesBelow,
  positionOf,
  type ReadNodes,
} from './locator.ts'

const UNFILTERED = 10
const FILTERED = 11

/** Finds chunks by their coordinates, from the root down. */
export function btreeV2Locator(file: Hdf5File, address: number, grid: ChunkGrid): Locator {
  const header: NodeRequest = {
    address,
    length: btreeHeaderLength(file),
    check: (bytes) => void treeOf(file, bytes, address, grid),
  }
  return {
    locate(coords, nodes) {
      const bytes = nodes(address)
      if (bytes === undefined) return { kind: 'read', request: header }
      const walk = treeOf(file, bytes, address, grid)
      let pointer = walk.tree.root
      while (pointer !== undefined) {
        const request = nodeRequest(walk, pointer)
        const node = nodes(request.address)
        if (node === undefined) return { kind: 'read', request }
        const { index, isFound } = search(walk, node, pointer.records, coords)
        if (isFound) return stepAt(walk.elements, recordOf(walk.tree, node, index), 0)
        pointer = pointer.depth === 0 ? undefined : childOf(file, walk.tree, pointer, node, index)
      }
      return ABSENT
    },
    scan: (read, emit) => scan(header, (bytes) => treeOf(file, bytes, address, grid), read, emit),
  }
}

/** A tree, and how its records are read. */
interface Walk {
  readonly file: Hdf5File
  readonly grid: ChunkGrid
  readonly tree: BtreeV2
  readonly elements: ElementReader
  /** Bytes of a record before the coordinates. */
  readonly elementBytes: number
}

function treeOf(file: Hdf5File, bytes: Uint8Array, address: number, grid: ChunkGrid): Walk {
  const tree = parseBtreeV2(file, bytes, address, [UNFILTERED, FILTERED])
  if (tree.root !== undefined) checkPointer(file, tree, tree.root)
  const elementBytes = tree.recordSize - 8 * grid.gridShape.length
  return { file, grid, tree, elementBytes, elements: elementReader(file, grid, elementBytes, tree.type === FILTERED) }
}

function nodeRequest({ file, tree }: Walk, pointer: NodePointer): NodeRequest {
  return {
    address: pointer.address,
    length: nodeLength(file, tree, pointer),
    check: (bytes) => checkNode(file, tree, bytes, pointer),
  }
}

function coordinateOf(walk: Walk, record: DataView, axis: number): number {
  const at = walk.elementBytes + 8 * axis
  return record.getUint32(at, true) + record.getUint32(at + 4, true) * 4294967296
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The record of the chunk, or the first one behind it. */
function search(
  walk: Walk,
  node: Uint8Array,
  records: number,
  coords: readonly number[],
): { index: number; isFound: boolean } {
  let low = 0
  let high = records
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compare(walk, viewOf(recordOf(walk.tree, node, middle)), coords)
    if (order === 0) return { index: middle, isFound: true }
    if (order < 0) low = middle + 1
    else high = middle
  }
  return { index: low, isFound: false }
}

function compare(walk: Walk, record: DataView, coords: readonly number[]): number {
  for (let axis = 0; axis < coords.length; axis++) {
    const order = coordinateOf(walk, record, axis) - (coords[axis] ?? 0)
    if (order !== 0) return order
  }
  return 0
}

async function scan(
  header: NodeRequest,
  parse: (bytes: Uint8Array) => Walk,
  read: ReadNodes,
  emit: Emit,
): Promise<void> {
  const walks: Walk[] = []
  await read([header], (bytes) => void walks.push(parse(bytes)))
  const [walk] = walks
  if (walk?.tree.root === undefined) return
  const seen = new Set<number>()
  let pointers: readonly NodePointer[] = [walk.tree.root]
  while (pointers.length > 0) {
    const level = pointers
    const below: NodePointer[] = []
    await read(
      level.map((pointer) => nodeRequest(walk, pointer)),
      (node, index) => {
        const pointer = level[index]
        if (pointer === undefined) return
        if (seen.has(pointer.address))
          throw malformed('a B-tree comes back to a node', { offset: walk.file.base + pointer.address })
        seen.add(pointer.address)
        checkNodeCount(walk.file, seen.size, walk.tree.nodeSize)
        for (let i = 0; i < pointer.records; i++) emitRecord(walk, recordOf(walk.tree, node, i), emit)
        if (pointer.depth === 0) return
        for (let i = 0; i <= pointer.records; i++) below.push(childOf(walk.file, walk.tree, pointer, node, i))
      },
      nodesBelow(walk, level),
    )
    pointers = below
  }
}

/** What is below the nodes of a level; their pointers tell how many records each has. */
function nodesBelow({ tree }: Walk, level: readonly NodePointer[]): NodesBelow | undefined {
  if (level.every(({ depth }) => depth === 0)) return undefined
  const records = level.reduce((sum, pointer) => sum + pointer.records, 0)
  const signatures = ['BTLF', 'BTIN'].map((letters) => `${letters}\0${String.fromCharCode(tree.type)}`)
  return { signatures, length: tree.nodeSize, fewest: records / level.length }
}

function emitRecord(walk: Walk, record: Uint8Array, emit: Emit): void {
  const view = viewOf(record)
  const position = positionOf(walk.grid.gridShape, (axis) => coordinateOf(walk, view, axis))
  const chunk = walk.elements.chunkAt(record, 0)
  if (position !== undefined && chunk !== undefined) emit(position, chunk.address, chunk.size, chunk.mask)
}
