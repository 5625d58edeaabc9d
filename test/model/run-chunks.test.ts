import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { rowArray, runArray } from '../../src/model/run-chunks.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'

const MIB = 2 ** 20
const FILE = { offset: 1000, fileSize: 2 ** 53, place: { path: 'v' } }

function runs(shape: number[], itemSize: number, isText = false) {
  return runArray({ ...FILE, shape, itemSize, isText })
}

function rows(shape: number[], itemSize: number, stride: number, more: { isText?: boolean; fileSize?: number } = {}) {
  const [count = 0, ...cell] = shape
  return rowArray({ ...FILE, ...more, rows: count, cell, itemSize, stride })
}

test('values of up to 4 MiB are one chunk', () => {
  assert.deepEqual(runs([1024, 1024], 4).chunkShape, [1024, 1024])
  assert.deepEqual(runs([], 8).chunkShape, [])
  assert.deepEqual(runs([], 8).chunks.at([]), { kind: 'range', source: 0, offset: 1000, length: 8, encoding: 0 })
})

test('more are cut along their leading axes into chunks of 1 to 4 MiB that divide the axis', () => {
  assert.deepEqual(runs([8192, 8192], 4).chunkShape, [128, 8192])
  assert.deepEqual(runs([100, 721, 1440], 4).chunkShape, [1, 721, 1440])
  assert.deepEqual(runs([12, 3000, 5000], 4).chunkShape, [1, 200, 5000])
  assert.deepEqual(runs([6_000_000], 8).chunkShape, [500_000])
})

test('an axis without a good divisor is cut into nearly equal chunks, the last one shorter', () => {
  // 1009 is prime: ten chunks of 101, of which the last has 100.
  const { chunkShape, chunks } = runs([1009, 10_000], 4)
  assert.deepEqual(chunkShape, [101, 10_000])
  assert.deepEqual(chunks.gridShape, [10, 1])
  const offset = 1000 + 9 * 101 * 40_000
  assert.deepEqual(chunks.at([9, 0]), { kind: 'range', source: 0, offset, length: 100 * 40_000, encoding: 0 })
  assert.deepEqual(runs([1_000_003], 8).chunkShape, [Math.ceil(1_000_003 / 2)])
})

test('cutting a very long axis takes no time', () => {
  const before = processorMilliseconds()
  for (let i = 0; i < 1000; i++) runs([2 ** 52 - 1 - i], 1)
  assert.ok(processorMilliseconds() - before < 5000)
})

test('texts are not cut, and refused where they are too long for that', () => {
  assert.deepEqual(runs([1000, 5 * MIB], 1, true).chunkShape, [1, 5 * MIB])
  assert.deepEqual(runs([5 * MIB], 1, true).chunkShape, [5 * MIB])
  assert.throws(
    () => runs([2, 100 * MIB], 1, true),
    (error) => isVirtualZarrError(error, 'limit-exceeded'),
  )
})

test('small cells are gathered, so that their span is at most 4 MiB', () => {
  const { chunkShape, chunks } = rows([1000, 50, 50], 4, 65_536)
  assert.deepEqual(chunkShape, [50, 50, 50])
  assert.deepEqual(chunks.at([1, 0, 0]), {
    kind: 'strided',
    source: 0,
    offset: 1000 + 50 * 65_536,
    length: 10_000,
    stride: 65_536,
    count: 50,
    encoding: 0,
  })
})

test('the last chunk gathers what is left, and one cell alone is a plain range', async () => {
  // 257 is prime.
  const { chunkShape, chunks } = rows([257], 8, MIB)
  assert.deepEqual(chunkShape, [129])
  assert.deepEqual(await chunks.at([1]), {
    kind: 'strided',
    source: 0,
    offset: 1000 + 129 * MIB,
    length: 8,
    stride: MIB,
    count: 128,
    encoding: 0,
  })
  const single = rows([7, 512, 512], 4, 50 * MIB)
  assert.deepEqual(single.chunkShape, [1, 512, 512])
  const offset = 1000 + 3 * 50 * MIB
  assert.deepEqual(single.chunks.at([3, 0, 0]), { kind: 'range', source: 0, offset, length: MIB, encoding: 0 })
})

test('rows that lie side by side are cut like any values that lie together', () => {
  const { chunkShape, chunks } = rows([1000, 1024], 4, 4096)
  assert.deepEqual(chunkShape, [1000, 1024])
  assert.deepEqual(chunks.at([0, 0]), { kind: 'range', source: 0, offset: 1000, length: 4_096_000, encoding: 0 })
})

test('a cell of more than 4 MiB is cut within', () => {
  const { chunkShape, chunks } = rows([7, 2000, 2000], 4, 20_000_000)
  assert.deepEqual(chunkShape, [1, 500, 2000])
  const offset = 1000 + 2 * 20_000_000 + 3 * 4_000_000
  assert.deepEqual(chunks.at([2, 3, 0]), { kind: 'range', source: 0, offset, length: 4_000_000, encoding: 0 })
})

test('the tiny cells of huge rows are gathered by the hundred', () => {
  assert.deepEqual(rows([8760], 8, 50 * MIB).chunkShape, [219])
  assert.deepEqual(rows([100], 8, 50 * MIB).chunkShape, [100])
})

test('one character a row is one text', () => {
  assert.deepEqual(rows([2000], 1, 50 * MIB, { isText: true }).chunkShape, [2000])
  assert.deepEqual(rows([30_000_000], 1, 2, { isText: true }).chunkShape, [30_000_000])
  assert.throws(() => rows([100_000], 1, 50 * MIB, { isText: true }), /too long/)
})

test('an array without rows, or with empty cells, has chunks of length 1, and is complete', () => {
  for (const placed of [rows([0, 5], 4, 64), rows([0], 1, 1, { isText: true })]) {
    assert.equal(placed.chunkShape[0], 1)
    assert.equal(placed.chunks.isComplete?.(), true)
  }
  assert.deepEqual(rows([5, 0], 4, 64).chunkShape, [5, 1])
})

test('rows that grow when they are decoded are fewer in a chunk', () => {
  const values = { ...FILE, rows: 1000, cell: [], itemSize: 8, stride: 8, mostRows: 10 }
  assert.deepEqual(rowArray(values).chunkShape, [10])
  assert.deepEqual(rowArray(values).chunks.at([1]), {
    kind: 'range',
    source: 0,
    offset: 1080,
    length: 80,
    encoding: 0,
  })
})

test('GEN-13: a chunk behind the end of the file is an error, never zeros', () => {
  const isCutOff = (error: unknown) =>
    isVirtualZarrError(error, 'malformed-source') && /the file is cut off/.test(error.message)
  // Chunks of 50 rows, of which the first alone is in the file.
  const { chunks } = rows([1000, 50, 50], 4, 65_536, { fileSize: 1000 + 49 * 65_536 + 10_000 })
  assert.equal(chunks.at([0, 0, 0]) instanceof Promise, false)
  assert.throws(() => chunks.at([1, 0, 0]), isCutOff)
  assert.throws(() => runArray({ ...FILE, shape: [10], itemSize: 4, fileSize: 1039 }).chunks.at([0]), isCutOff)
})

test('FV-19: an index is complete unless the file is cut off', () => {
  const end = 1000 + 9 * 64 + 20
  assert.equal(rows([10, 5], 4, 64, { fileSize: end }).chunks.isComplete?.(), true)
  assert.equal(rows([10, 5], 4, 64, { fileSize: end - 1 }).chunks.isComplete?.(), false)
  assert.equal(runArray({ ...FILE, shape: [10], itemSize: 4, fileSize: 1039 }).chunks.isComplete?.(), false)
})
