import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { recode } from '../../src/delivery/recoding/recode.ts'
import type { ChunkRef } from '../../src/model/chunk-ref.ts'
import { BIG, bodyOf, deliverChunk, INT16, virtualArray, worldOf, ZLIB } from './world.ts'

const LENGTH = 4096

/** Chunks of one value each, deflated; and a world that counts what is recoded. */
function constants(values: readonly number[]) {
  const stored = values.map((value) => deflateSync(Buffer.alloc(LENGTH * 2, value)))
  let offset = 0
  const refs = stored.map((bytes): ChunkRef => {
    const ref = { kind: 'range' as const, source: 0, offset, length: bytes.length, encoding: 0 }
    offset += bytes.length
    return ref
  })
  const shape = [LENGTH * values.length]
  const array = virtualArray({ shape, chunkShape: [LENGTH], dataType: INT16, encodings: [[BIG, ZLIB]] }, refs)
  const counts = { recoded: 0 }
  const workers = {
    run: async (task: Parameters<typeof recode>[0]) => {
      counts.recoded++
      return await recode(task)
    },
    close: async () => undefined,
  }
  return { array, counts, world: { ...worldOf(Buffer.concat(stored)), workers } }
}

for (const profile of ['raw', 'native'] as const) {
  test(`chunks that are stored as the same bytes are made once, and others are not taken for them: ${profile}`, async () => {
    const values = [7, 7, 1, 7]
    const { array, counts, world } = constants(values)
    const bodies = []
    for (const [at] of values.entries())
      bodies.push(await bodyOf(await deliverChunk(array, [at], world, { profile, cacheKey: `key ${at}` })))
    if (profile === 'native') return assert.equal(counts.recoded, 0)
    assert.deepEqual(
      bodies.map((body) => [body.length, body[0], body.at(-1)]),
      values.map((value) => [LENGTH * 2, value, value]),
    )
    assert.equal(counts.recoded, 2)
  })
}

test('equal bytes at a cut edge are another chunk', async () => {
  const bytes = deflateSync(Buffer.alloc(LENGTH * 2, 3))
  const refs: ChunkRef[] = [0, 1].map(() => ({
    kind: 'range',
    source: 0,
    offset: 0,
    length: bytes.length,
    encoding: 0,
  }))
  const fields = { chunkShape: [LENGTH], dataType: INT16, encodings: [[BIG, ZLIB]], edges: 'cropped' as const }
  const array = virtualArray({ ...fields, shape: [LENGTH + 10] }, refs)
  const world = worldOf(bytes)
  const first = await bodyOf(await deliverChunk(array, [0], world, { profile: 'raw' }))
  assert.equal(first.at(-1), 3)
  // The same bytes are too many for ten elements.
  await assert.rejects(deliverChunk(array, [1], world, { profile: 'raw' }))
})
