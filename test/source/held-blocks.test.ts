import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySource } from '../../src/source/memory.ts'
import { withBlocks } from '../../src/source/with-blocks.ts'

const SETTINGS = { blockBytes: 1000, cacheBytes: 8000, aheadBytes: 0 }

test('blocks are counted while they are kept, those of several sources together', async () => {
  const held = { bytes: 0 }
  const [one, other] = [10_500, 700].map((length) =>
    withBlocks(memorySource('memory:a', new Uint8Array(length)), SETTINGS, held),
  )
  assert.ok(one !== undefined && other !== undefined)
  await one.read({ offset: 10_000, length: 10 })
  assert.equal(held.bytes, 500)
  await other.read({ offset: 0, length: 700 })
  assert.equal(held.bytes, 1200)
  // Of eight that are kept at most the first goes, which is the shorter one.
  for (let block = 0; block < 8; block++) await one.read({ offset: block * 1000, length: 1 })
  assert.equal(held.bytes, 8000 + 700)
  one.shrink(2000)
  assert.equal(held.bytes, 2000 + 700)
  await one.read({ offset: 0, length: 1 })
  assert.equal(held.bytes, 2000 + 700)
})
