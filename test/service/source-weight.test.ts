import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkIndex } from '../../src/model/chunk-index.ts'
import { MISSING } from '../../src/model/chunk-ref.ts'
import { SourceWeight } from '../../src/service/opened-source.ts'
import { INT16, virtualArray } from '../delivery/world.ts'

/** An index that loads more of itself. */
function growingIndex() {
  let bytes = 100
  const index: ChunkIndex = { gridShape: [1], at: () => MISSING, weight: () => bytes }
  return { index, load: (more: number) => (bytes += more) }
}

const arrayOf = (chunks: ChunkIndex) =>
  virtualArray({ shape: [1], chunkShape: [1], dataType: INT16, encodings: [], chunks }, [])

test('what an index loads counts once, however many requests have waited for it', () => {
  const { index, load } = growingIndex()
  const weight = new SourceWeight(arrayOf(index))
  const before = weight.bytes
  load(10_000)
  const changes = Array.from({ length: 100 }, () => weight.weighAgain(index))
  assert.equal(weight.bytes - before, 10_000)
  assert.equal(changes.filter(Boolean).length, 1)
  load(-4_000)
  assert.ok(weight.weighAgain(index))
  assert.equal(weight.bytes - before, 6_000)
})

test('an index of a view counts from where it is first seen, and what it loads from then on', () => {
  const { index, load } = growingIndex()
  const view: ChunkIndex = { ...index }
  const weight = new SourceWeight(arrayOf(index))
  const before = weight.bytes
  assert.equal(weight.weighAgain(view), false)
  load(500)
  assert.ok(weight.weighAgain(view))
  assert.equal(weight.bytes - before, 500)
})
