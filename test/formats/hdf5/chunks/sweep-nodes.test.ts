import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeRequest, NodesBelow } from '../../../../src/formats/hdf5/chunks/locator.ts'
import { nodeReader } from '../../../../src/formats/hdf5/chunks/read-nodes.ts'
import { Budget } from '../../../../src/formats/hdf5/structures/hdf5-file.ts'
import { countingSource } from '../counting-source.ts'

const NODE_BYTES = 256
const BELOW: NodesBelow = { signatures: ['TREE\x01'], length: NODE_BYTES, fewest: 8 }

/** Parents 128 KiB apart, each with eight leaves behind it; every node holds its own address. */
function treeFile(parents: number) {
  const bytes = new Uint8Array(parents * 131_072 + 4096)
  const view = new DataView(bytes.buffer)
  const put = (address: number, level: number): number => {
    bytes.set(Buffer.from(`TREE\x01${String.fromCharCode(level)}`, 'latin1'), address)
    view.setUint32(address + 8, address)
    return address
  }
  const above = Array.from({ length: parents }, (_, i) => put(i * 131_072 + 17, 1))
  const leaves = above.flatMap((address) => Array.from({ length: 8 }, (_, i) => put(address + (i + 1) * 15_000, 0)))
  // What only looks like a node is nobody's child.
  put(900, 0)
  const source = countingSource(bytes)
  const widths = { offsetSize: 8, lengthSize: 8, groupLeafK: 4, groupInternalK: 16, chunkK: 32 }
  const addresses = { base: 0, end: bytes.length, rootAddress: 0, extensionAddress: undefined }
  return { source, file: { source, ...widths, ...addresses, budget: new Budget() }, above, leaves }
}

const requestsFor = (addresses: readonly number[]): NodeRequest[] =>
  addresses.map((address) => ({
    address,
    length: NODE_BYTES,
    check: (bytes) => assert.equal(new DataView(bytes.buffer, bytes.byteOffset).getUint32(8), address),
  }))

async function readLevels(parents: number, below: NodesBelow | undefined) {
  const { source, file, above, leaves } = treeFile(parents)
  const read = nodeReader(file, undefined)
  const seen: number[] = []
  const visit = (bytes: Uint8Array): void => {
    assert.equal(bytes.length, NODE_BYTES)
    seen.push(new DataView(bytes.buffer, bytes.byteOffset).getUint32(8))
  }
  await read(requestsFor(above), visit, below)
  const roundsAbove = source.rounds()
  await read(requestsFor(leaves), visit)
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    [...above, ...leaves].toSorted((a, b) => a - b),
  )
  const bytes = source.reads.reduce((sum, { length }) => sum + length, 0)
  return { roundsAbove, rounds: source.rounds(), requests: source.reads.length, bytes, size: file.end }
}

test('two dense levels of a large tree are read by one pass over the file', async () => {
  const { rounds, roundsAbove, bytes, size } = await readLevels(200, BELOW)
  assert.equal(roundsAbove, rounds, 'the leaves were there with their parents')
  assert.ok(bytes < size * 1.01, `${bytes} bytes of a file of ${size}`)
})

test('few nodes, and nodes of which nothing is known, are read level by level', async () => {
  const few = await readLevels(20, BELOW)
  assert.ok(few.rounds > few.roundsAbove)
  const unknown = await readLevels(200, undefined)
  assert.ok(unknown.rounds > unknown.roundsAbove)
})

test('nodes with few children, far apart, are not worth a pass over the file', async () => {
  const { requests, roundsAbove, rounds } = await readLevels(200, { ...BELOW, fewest: 1 })
  assert.ok(requests > 200)
  assert.ok(rounds > roundsAbove)
})

test('a file full of what looks like nodes is read all the same, and only some of it kept', async () => {
  const { source, file, above } = treeFile(100)
  const bytes = await source.read({ offset: 0, length: file.end })
  for (let at = 20_000; at < 90_000; at += 8) bytes.set(Buffer.from('TREE\x01\x00', 'latin1'), at)
  const seen: number[] = []
  // Nodes as long as this would fill more memory than a pass may keep.
  await nodeReader(file, undefined)(requestsFor(above), () => seen.push(1), { ...BELOW, length: 65_536 })
  assert.equal(seen.length, above.length)
})
