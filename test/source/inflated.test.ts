import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { codingOfHead, inflatedSource } from '../../src/source/inflated.ts'
import { memorySource } from '../../src/source/memory.ts'
import { failure, openWorld, patterned } from './world.ts'

const CONTENT = patterned(500_000)

test('a gzip file is a source of its content, with its own validator', async () => {
  const inner = memorySource('memory:a.gz', gzipSync(CONTENT), '"v1"')
  const source = await inflatedSource(inner, 'gzip', 500_000)
  assert.equal(source.size, 500_000)
  assert.equal(source.validator, '"v1"')
  assert.deepEqual(await source.read({ offset: 10, length: 100 }), CONTENT.subarray(10, 110))
})

test('several members are inflated one after the other', async () => {
  const inner = memorySource('memory:a.gz', Buffer.concat([gzipSync(CONTENT), gzipSync(CONTENT)]))
  assert.equal((await inflatedSource(inner, 'gzip', 2_000_000)).size, 1_000_000)
})

test('GUARD-6: a bomb is limit-exceeded, without holding what it inflates to', async () => {
  const bomb = memorySource('memory:a.gz', gzipSync(new Uint8Array(200_000_000)))
  const before = process.memoryUsage().arrayBuffers
  await assert.rejects(inflatedSource(bomb, 'gzip', 1_000_000), failure('limit-exceeded'))
  assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000)
})

test('what is cut off, damaged or no gzip at all is malformed-source', async () => {
  const whole = gzipSync(CONTENT)
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, 1_000, 2_000)
  for (const bytes of [whole.subarray(0, 10_000), damaged, Buffer.from('no gzip'), new Uint8Array(0)]) {
    await assert.rejects(inflatedSource(memorySource('memory:a.gz', bytes), 'gzip', 1e6), failure('malformed-source'))
  }
})

test('a failure of the origin stays what it is', async (t) => {
  const { origin, sources } = await openWorld(t)
  origin.put('a.gz', gzipSync(CONTENT))
  const source = await sources.open(origin.url('a.gz'))
  origin.fault({ kind: 'cut', after: 70_000, how: 'reset' })
  await assert.rejects(inflatedSource(source, 'gzip', 1e6), failure('source-unavailable'))
})

test('a body that breaks off is read again from its start, where no validator lets it be gone on with', async (t) => {
  const { origin, sources } = await openWorld(t)
  origin.put('a.gz', { bytes: gzipSync(CONTENT) })
  const source = await sources.open(origin.url('a.gz'))
  source.settle?.()
  for (const fault of [
    { kind: 'cut', after: 200_000, how: 'close' },
    { kind: 'stall', after: 200_000 },
  ] as const) {
    origin.fault(fault, 1)
    assert.equal((await inflatedSource(source, 'gzip', 1e6)).size, CONTENT.length)
  }
})

test('an abort ends the inflating', async () => {
  const inner = memorySource('memory:a.gz', gzipSync(CONTENT))
  const signal = AbortSignal.abort(new Error('enough'))
  await assert.rejects(inflatedSource(inner, 'gzip', 1e6, { signal }), /enough/)
})

test('a zstd file is one as well; cut off or damaged it is malformed-source', async () => {
  const whole = zstdCompressSync(CONTENT)
  assert.equal(codingOfHead(whole), 'zstd')
  const source = await inflatedSource(memorySource('memory:a.zst', whole), 'zstd', 500_000)
  assert.deepEqual(await source.read({ offset: 0, length: 500_000 }), CONTENT)
  await assert.rejects(inflatedSource(memorySource('memory:a.zst', whole), 'zstd', 1000), failure('limit-exceeded'))
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, 4, 12)
  for (const bytes of [whole.subarray(0, 1000), damaged]) {
    await assert.rejects(inflatedSource(memorySource('memory:a.zst', bytes), 'zstd', 1e6), failure('malformed-source'))
  }
})
