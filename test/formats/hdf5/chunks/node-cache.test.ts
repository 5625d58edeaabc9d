import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkIndexOf } from '../../../../src/formats/hdf5/chunks/chunk-index.ts'
import { Budget } from '../../../../src/formats/hdf5/structures/hdf5-file.ts'
import { countingSource } from '../counting-source.ts'

const CHUNKS = 10_000
/** As many as HDF5 leaves in a node that it has split. */
const CHILDREN = 32
const OFFSET_BYTES = 8
/** Size, mask, the chunk's offset and that of the element. */
const KEY_BYTES = 24
const NODE_BYTES = 24 + 64 * (KEY_BYTES + OFFSET_BYTES) + KEY_BYTES
const FIRST_NODE = 8192
const CHUNK_ADDRESS = 64

interface Child {
  readonly firstChunk: number
  readonly address: number
}

/** Section III.A.1 of the file format: a tree of version 1 over chunks of one element along one dimension, half of each node empty. */
function treeFile() {
  const bytes = new Uint8Array(FIRST_NODE + NODE_BYTES * 400)
  const view = new DataView(bytes.buffer)
  let next = FIRST_NODE
  const put = (level: number, children: readonly Child[]): Child => {
    const address = next
    next += NODE_BYTES
    bytes.set(Buffer.from('TREE\x01', 'latin1'), address)
    bytes[address + 5] = level
    view.setUint16(address + 6, children.length, true)
    children.forEach((child, index) => {
      const key = address + 24 + index * (KEY_BYTES + OFFSET_BYTES)
      view.setUint32(key, 1, true)
      view.setUint32(key + 8, child.firstChunk, true)
      view.setUint32(key + KEY_BYTES, child.address, true)
    })
    return { firstChunk: children[0]?.firstChunk ?? 0, address }
  }
  const chunks = Array.from({ length: CHUNKS }, (_, index) => ({
    firstChunk: index,
    address: CHUNK_ADDRESS + (index % 100),
  }))
  let level = 0
  let nodes: readonly Child[] = chunks
  while (nodes.length > 1) {
    const own = level++
    nodes = Array.from({ length: Math.ceil(nodes.length / CHILDREN) }, (_, index) =>
      put(own, nodes.slice(index * CHILDREN, (index + 1) * CHILDREN)),
    )
  }
  return { bytes: bytes.slice(0, next), root: nodes[0]?.address ?? 0 }
}

function openIndex() {
  const { bytes, root } = treeFile()
  const source = countingSource(bytes)
  const widths = { offsetSize: OFFSET_BYTES, lengthSize: 8, groupLeafK: 4, groupInternalK: 16, chunkK: 32 }
  const addresses = { base: 0, end: bytes.length, rootAddress: 0, extensionAddress: undefined }
  const chunks = chunkIndexOf({
    file: { source, ...widths, ...addresses, budget: new Budget() },
    layout: {
      kind: 'chunked',
      chunkShape: [1],
      elementSize: 1,
      index: { kind: 'btree-v1' },
      address: root,
      hasRawEdges: false,
    },
    address: root,
    grid: { gridShape: [CHUNKS], mostChunks: [CHUNKS], chunkShape: [1], chunkBytes: 1, isFiltered: true },
    shape: [CHUNKS],
    gridShape: [CHUNKS],
    encodingOf: () => 0,
    place: {},
  })
  return { source, chunks, bytes }
}

test('a second pass over an index of 10,000 chunks reads nothing of it, and no more is kept than its entries', async () => {
  const { source, chunks, bytes } = openIndex()
  const pass = async () => {
    const offsets: number[] = []
    for (let index = 0; index < CHUNKS; index += 27) {
      const ref = await chunks.at([index])
      assert.ok(ref.kind === 'range')
      offsets.push(ref.offset)
    }
    return offsets
  }
  const first = await pass()
  assert.deepEqual(
    first,
    Array.from({ length: first.length }, (_, i) => CHUNK_ADDRESS + ((i * 27) % 100)),
  )
  const before = source.reads.length
  assert.ok(before > 300)
  assert.deepEqual(await pass(), first)
  assert.equal(source.reads.length, before)
  assert.ok(bytes.length > 650_000)
  assert.ok(chunks.weight() < 450_000, `${chunks.weight()} bytes`)
})
