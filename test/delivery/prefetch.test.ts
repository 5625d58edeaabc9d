import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { ByteRange } from '../../src/bytes/byte-range.ts'
import type { DeliveryWorld } from '../../src/delivery/delivery.ts'
import { Prefetcher } from '../../src/delivery/prefetch.ts'
import { gridPosition } from '../../src/model/chunk-index.ts'
import { memorySource } from '../../src/source/memory.ts'
import type { Source } from '../../src/source/source.ts'
import { virtualArray } from '../helpers/virtual-array.ts'

const FILE_BYTES = 2 ** 30

/** An array of chunks of one length that follow each other, and a source that notes what is fetched of it. */
function world(settings: { grid?: number[]; chunkBytes?: number; stride?: number; failing?: boolean } = {}) {
  const { grid = [100], chunkBytes = 1000, failing = false } = settings
  const { stride = chunkBytes } = settings
  const fetched: ByteRange[] = []
  const begun: { isStopped: boolean; end(): void }[] = []
  const source: Source = {
    ...memorySource('memory:a', new Uint8Array(0)),
    size: FILE_BYTES,
    prefetch(ranges) {
      fetched.push(...ranges)
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const one = { isStopped: false, end: () => resolve() }
      begun.push(one)
      const stop = () => {
        one.isStopped = true
        resolve()
      }
      return { bytes: ranges.reduce((sum, { length }) => sum + length, 0), stop, done }
    },
  }
  const at = (coords: readonly number[]) => {
    if (failing) throw new Error('the index is damaged')
    return {
      kind: 'range' as const,
      source: 0,
      offset: gridPosition(coords, grid) * stride,
      length: chunkBytes,
      encoding: 0,
    }
  }
  const ones = grid.map(() => 1)
  const array = virtualArray({ shape: grid, chunkShape: ones, chunks: { gridShape: grid, at, weight: () => 0 } })
  const delivery = { source: () => source } as unknown as DeliveryWorld
  const prefetcher = new Prefetcher()
  const read = async (coords: readonly number[], signal?: AbortSignal) => {
    prefetcher.note({ array, coords, signal }, delivery)
    // Reads that come within some milliseconds were asked for at once.
    await setTimeout(3)
  }
  return { fetched, begun, read, source, prefetcher, array, delivery }
}

const positions = (ranges: readonly ByteRange[], stride: number) => ranges.map(({ offset }) => offset / stride)

test('chunks read one after the other are fetched ahead, each once, ever more of them, up to the end', async () => {
  const { fetched, read } = world({ grid: [60] })
  for (let at = 0; at < 60; at++) await read([at])
  const found = positions(fetched, 1000)
  assert.deepEqual(
    found.toSorted((one, other) => one - other),
    Array.from({ length: 56 }, (_, i) => i + 4),
  )
})

test('chunks that lie here and there, and long ones, are not fetched', async () => {
  const scattered = world({ grid: [10_000] })
  for (const at of [17, 9000, 404, 5555, 3, 7123, 88, 2, 6001]) await scattered.read([at])
  assert.deepEqual(scattered.fetched, [])
  const long = world({ chunkBytes: 2 ** 21 + 1 })
  for (let at = 0; at < 20; at++) await long.read([at])
  assert.deepEqual(long.fetched, [])
})

test('no more than 8 MB and 64 requests are fetched at a time', async () => {
  const large = world({ grid: [400], chunkBytes: 2 ** 20 })
  for (let at = 0; at < 5; at++) await large.read([at])
  assert.equal(large.fetched.length, 8)
  const apart = world({ grid: [4000], stride: 100_000 })
  for (let at = 0; at < 100; at++) await apart.read([at])
  assert.ok(apart.begun.length > 3)
  assert.ok(apart.fetched.length <= 100 + 2 * 64, `${apart.fetched.length} chunks`)
})

test('bytes under way are bounded, whatever is read', async () => {
  const { fetched, begun, read } = world({ grid: [4000], chunkBytes: 2 ** 20 })
  for (let at = 0; at < 200; at++) await read([at])
  const bytes = fetched.length * 2 ** 20
  assert.ok(bytes <= 2 ** 26, `${bytes} bytes`)
  for (const one of begun) one.end()
  await setTimeout(1)
  for (let at = 200; at < 210; at++) await read([at])
  assert.ok(fetched.length * 2 ** 20 > bytes, 'what has come makes room')
})

test('a client that leaves ends what is fetched for it', async () => {
  const { begun, read } = world()
  const client = new AbortController()
  for (let at = 0; at < 6; at++) await read([at], client.signal)
  assert.deepEqual(
    begun.map(({ isStopped }) => isStopped),
    [false],
  )
  client.abort()
  assert.deepEqual(
    begun.map(({ isStopped }) => isStopped),
    [true],
  )
})

test('variables of one chunk are fetched in the order of the file', async () => {
  const { fetched, prefetcher, array, delivery } = world()
  for (let at = 0; at < 12; at++) {
    const chunks = { ...array.chunks, gridShape: [1], at: () => array.chunks.at([at]) }
    const one = { ...array, chunkShape: array.shape, chunks }
    prefetcher.note({ array: one, coords: [0] }, delivery)
    await setTimeout(3)
  }
  assert.deepEqual(fetched[0], { offset: 4000, length: 4000 })
  assert.deepEqual(fetched[1]?.offset, 8000)
})

test('a damaged index harms nobody but those who ask for its chunks', async () => {
  const { fetched, read } = world({ failing: true })
  for (let at = 0; at < 10; at++) await read([at])
  assert.deepEqual(fetched, [])
})
