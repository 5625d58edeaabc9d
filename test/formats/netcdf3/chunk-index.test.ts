import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { chunkIndexOf } from '../../../src/formats/netcdf3/chunk-index.ts'
import type { VariableLayout } from '../../../src/formats/netcdf3/layout.ts'

function index(layout: VariableLayout, shape: number[], gathered: boolean, fileSize = 2 ** 50) {
  return chunkIndexOf({ layout, chunking: { shape, gathered }, itemSize: 4, fileSize, context: { path: 'v' } })
}

const FIXED: VariableLayout = { shape: [3, 10, 5], begin: 1000, slab: 600, records: undefined }
const RECORDS: VariableLayout = { shape: [10, 5], begin: 1000, slab: 20, records: { count: 10, stride: 64 } }

test('a chunk of a fixed variable is one run of bytes', async () => {
  const chunks = index(FIXED, [1, 4, 5], false)
  assert.deepEqual(chunks.gridShape, [3, 3, 1])
  assert.deepEqual(await chunks.at([0, 0, 0]), { kind: 'range', source: 0, offset: 1000, length: 80, encoding: 0 })
  assert.deepEqual(await chunks.at([1, 1, 0]), { kind: 'range', source: 0, offset: 1280, length: 80, encoding: 0 })
})

test('a chunk at the edge is as long as what is left', async () => {
  const chunks = index(FIXED, [1, 4, 5], false)
  assert.deepEqual(await chunks.at([2, 2, 0]), { kind: 'range', source: 0, offset: 1560, length: 40, encoding: 0 })
})

test('a scalar is one chunk', async () => {
  const chunks = index({ shape: [], begin: 8, slab: 4, records: undefined }, [], false)
  assert.deepEqual(await chunks.at([]), { kind: 'range', source: 0, offset: 8, length: 4, encoding: 0 })
})

test('a chunk of records is as many slabs, a stride apart, and fewer at the end', async () => {
  const chunks = index(RECORDS, [4, 5], true)
  const slabs = { kind: 'strided', source: 0, length: 20, stride: 64, encoding: 0 }
  assert.deepEqual(await chunks.at([1, 0]), { ...slabs, offset: 1256, count: 4 })
  assert.deepEqual(await chunks.at([2, 0]), { ...slabs, offset: 1512, count: 2 })
})

test('a chunk of one record is a plain range', async () => {
  assert.deepEqual(await index(RECORDS, [1, 5], true).at([9, 0]), {
    kind: 'range',
    source: 0,
    offset: 1576,
    length: 20,
    encoding: 0,
  })
})

test('a record that is cut within has ranges of its parts', async () => {
  const chunks = index(RECORDS, [1, 2], false)
  assert.deepEqual(await chunks.at([3, 1]), { kind: 'range', source: 0, offset: 1200, length: 8, encoding: 0 })
  assert.deepEqual(await chunks.at([3, 2]), { kind: 'range', source: 0, offset: 1208, length: 4, encoding: 0 })
})

test('GEN-13: a chunk behind the end of the file is an error, never zeros', async () => {
  const chunks = index(RECORDS, [4, 5], true, 1000 + 3 * 64 + 20)
  assert.equal((await chunks.at([0, 0])).kind, 'strided')
  assert.throws(
    () => chunks.at([1, 0]),
    (error) => isVirtualZarrError(error, 'malformed-source') && /the file is cut off/.test(error.message),
  )
})

test('FV-19: an index is complete unless the file is cut off', async () => {
  const end = 1000 + 9 * 64 + 20
  assert.equal(await index(RECORDS, [4, 5], true, end).isComplete?.(), true)
  assert.equal(await index(RECORDS, [4, 5], true, end - 1).isComplete?.(), false)
  assert.equal(await index(FIXED, [3, 10, 5], false, 1599).isComplete?.(), false)
})
