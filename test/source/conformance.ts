import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { partsOf } from '../../src/bytes/feed.ts'
import type { Source } from '../../src/source/source.ts'
import { drain, failure, patterned } from './world.ts'

/** What every source must do: one suite for memory, file and HTTP, and for each layer. */
export function conformance(name: string, open: (t: TestContext, bytes: Uint8Array) => Promise<Source>): void {
  const bytes = patterned(700_000, 7)
  const ranges = [
    { offset: 0, length: 0 },
    { offset: 0, length: 1 },
    { offset: 0, length: 65_536 },
    { offset: 65_535, length: 2 },
    { offset: 100_000, length: 1_000 },
    { offset: 699_999, length: 1 },
    { offset: 700_000, length: 0 },
    { offset: 10, length: 600_000 },
    { offset: 0, length: 700_000 },
  ]

  test(`${name}: the size is the file's`, async (t) => {
    assert.equal((await open(t, bytes)).size, 700_000)
  })

  test(`${name}: a read brings exactly the bytes of its range`, async (t) => {
    const source = await open(t, bytes)
    for (const range of ranges) {
      const got = await source.read(range)
      assert.deepEqual(new Uint8Array(got), bytes.slice(range.offset, range.offset + range.length))
    }
  })

  test(`${name}: a feed brings exactly the bytes of its range`, async (t) => {
    const source = await open(t, bytes)
    for (const range of ranges) {
      const got = await drain(await source.feed(range))
      assert.deepEqual(got, bytes.slice(range.offset, range.offset + range.length))
    }
  })

  test(`${name}: concurrent reads don't disturb each other`, async (t) => {
    const source = await open(t, bytes)
    const got = await Promise.all(ranges.map((range) => source.read(range)))
    for (const [i, { offset, length }] of ranges.entries()) {
      assert.deepEqual(new Uint8Array(got[i] ?? []), bytes.slice(offset, offset + length))
    }
  })

  test(`${name}: a range outside the file is malformed-source`, async (t) => {
    const source = await open(t, bytes)
    const outside = [
      { offset: 700_000, length: 1 },
      { offset: 0, length: 700_001 },
      { offset: -1, length: 1 },
      { offset: 1, length: -1 },
      { offset: 0.5, length: 1 },
      { offset: Number.MAX_SAFE_INTEGER, length: 1 },
      { offset: 1, length: Number.MAX_SAFE_INTEGER },
      { offset: Number.NaN, length: 1 },
    ]
    for (const range of outside) {
      await assert.rejects(source.read(range), failure('malformed-source'))
      await assert.rejects(source.feed(range), failure('malformed-source'))
    }
  })

  test(`${name}: an aborted signal ends a read and a feed with its reason`, async (t) => {
    const source = await open(t, bytes)
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(source.read({ offset: 300_000, length: 10 }, { signal }), /enough/)
    await assert.rejects(source.feed({ offset: 0, length: 600_000 }, { signal }), /enough/)
  })

  test(`${name}: a feed that is left half-way does no harm`, async (t) => {
    const source = await open(t, bytes)
    for await (const _part of partsOf(await source.feed({ offset: 0, length: 700_000 }))) break
    assert.equal((await source.read({ offset: 5, length: 5 })).length, 5)
  })

  test(`${name}: an empty file has no bytes`, async (t) => {
    const source = await open(t, new Uint8Array(0))
    assert.equal(source.size, 0)
    assert.equal((await drain(await source.feed({ offset: 0, length: 0 }))).length, 0)
  })
}
