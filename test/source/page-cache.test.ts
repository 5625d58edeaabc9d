import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySource } from '../../src/source/memory.ts'
import { PAGE_BYTES, PageCache, sharedPages } from '../../src/source/page-cache.ts'
import { pagedSource } from '../../src/source/paged-source.ts'
import type { Source } from '../../src/source/source.ts'

const ROOM = { indexBytes: 100 * PAGE_BYTES, dataBytes: 100 * PAGE_BYTES }
const FILE = Uint8Array.from({ length: 5 * PAGE_BYTES + 1000 }, (_, i) => (i * 31 + Math.floor(i / 251)) % 256)
const part = (offset: number, length: number) => FILE.slice(offset, offset + length)

test('bytes are found again in any parts, and nothing where one is missing', () => {
  const pages = new PageCache(ROOM).file('a')
  pages.put('data', 100, part(100, 50))
  pages.put('data', PAGE_BYTES - 20, part(PAGE_BYTES - 20, 2 * PAGE_BYTES))
  assert.deepEqual(pages.read({ offset: 120, length: 30 }), part(120, 30))
  assert.equal(pages.read({ offset: 120, length: 31 }), undefined)
  assert.equal(pages.read({ offset: 99, length: 2 }), undefined)
  assert.deepEqual(
    pages.read({ offset: PAGE_BYTES - 5, length: PAGE_BYTES + 30 }),
    part(PAGE_BYTES - 5, PAGE_BYTES + 30),
  )
  assert.equal(pages.keptTo(PAGE_BYTES, FILE.length), 3 * PAGE_BYTES - 20)
  assert.equal(pages.keptTo(0, FILE.length), 0)
})

test('fragments that touch or overlap become one, whatever their order', () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 50; round++) {
    const pages = new PageCache(ROOM).file('a')
    const isKept = new Uint8Array(FILE.length)
    for (let count = 0; count < 30; count++) {
      const offset = random(FILE.length)
      const length = Math.min(random(PAGE_BYTES), FILE.length - offset)
      pages.put(random(2) === 0 ? 'data' : 'index', offset, part(offset, length))
      isKept.fill(1, offset, offset + length)
      const from = random(FILE.length)
      const wanted = Math.min(random(3000), FILE.length - from)
      const found = pages.read({ offset: from, length: wanted })
      // Bytes in two shares of one page are not put together.
      if (found !== undefined) assert.deepEqual(new Uint8Array(found), part(from, wanted))
      if (isKept.subarray(from, from + wanted).includes(0)) assert.equal(found, undefined)
    }
  }
})

test('reading through data evicts no index', () => {
  const cache = new PageCache({ indexBytes: 3 * PAGE_BYTES, dataBytes: 3 * PAGE_BYTES })
  const pages = cache.file('a')
  pages.put('index', 0, part(0, PAGE_BYTES))
  const other = cache.file('b')
  for (let number = 0; number < 5; number++) other.put('data', number * PAGE_BYTES, part(0, PAGE_BYTES))
  assert.ok(pages.has({ offset: 0, length: PAGE_BYTES }))
  assert.ok(!other.has({ offset: 0, length: 1 }))
  assert.ok(cache.statistics.dataBytes <= 3 * PAGE_BYTES)
})

test('a copy is kept: neither what it was cut from nor what its reader does to it counts', () => {
  const pages = new PageCache(ROOM).file('a')
  const bytes = part(0, 1000)
  pages.put('data', 0, bytes.subarray(0, 500))
  bytes.fill(0)
  assert.deepEqual(pages.copy({ offset: 0, length: 500 }), part(0, 500))
  pages.copy({ offset: 10, length: 20 })?.fill(0)
  assert.deepEqual(pages.read({ offset: 0, length: 500 }), part(0, 500))
})

test('chunk data is kept when it is read for the second time', () => {
  const pages = new PageCache(ROOM).file('a')
  const range = { offset: 10, length: 100 }
  pages.putOnSecondRead(range, part(10, 100))
  assert.ok(!pages.has(range))
  pages.putOnSecondRead(range, part(10, 100))
  assert.ok(pages.has(range))
})

test('what is dropped is gone, for good', () => {
  const cache = new PageCache(ROOM)
  const pages = cache.file('a')
  pages.put('index', 0, part(0, 100))
  pages.drop()
  assert.ok(!cache.file('a').has({ offset: 0, length: 1 }))
})

test('pages are shared by those who read the same version with the same credentials, and by nobody else', () => {
  const cache = new PageCache(ROOM)
  const sources = { scopeOf: (url: string) => (url.startsWith('s3:') ? 'keys' : '') }
  const source = (change: Partial<Source> = {}) => ({ ...memorySource('https://a.test/x', FILE, 'v'), ...change })
  const own = sharedPages(cache, source(), sources)
  assert.ok(own !== undefined)
  assert.equal(sharedPages(cache, source(), sources), own)
  const others = [
    sharedPages(cache, source({ validator: 'w' }), sources),
    sharedPages(cache, source({ size: 1 }), sources),
    sharedPages(cache, source({ url: 'https://a.test/y' }), sources),
    sharedPages(cache, source(), sources, 'https://a.test/document'),
    sharedPages(cache, source(), { scopeOf: () => 'others' }),
  ]
  assert.equal(new Set([own, ...others]).size, 1 + others.length)
  const none = [{ isWeak: true }, { isGuessed: true }, { validator: undefined }, { url: 'file:///a' }]
  for (const change of none) assert.equal(sharedPages(cache, source(change), sources), undefined)
})

test('two parsers of one version fetch each page once, also when they read at the same time', async () => {
  const reads: number[] = []
  const memory = memorySource('memory:a', FILE)
  const inner: Source = {
    ...memory,
    read: async (range, options) => {
      reads.push(range.offset)
      await new Promise(setImmediate)
      return await memory.read(range, options)
    },
  }
  const pages = new PageCache(ROOM).file('a')
  const [one, other] = [pagedSource(inner, () => pages), pagedSource(inner, () => pages)]
  const range = { offset: PAGE_BYTES + 10, length: 20 }
  const [first, second] = await Promise.all([one.read(range), other.read(range)])
  assert.deepEqual([new Uint8Array(first), new Uint8Array(second)], [part(range.offset, 20), part(range.offset, 20)])
  await other.read({ offset: 2 * PAGE_BYTES - 5, length: 5 })
  assert.deepEqual(reads, [PAGE_BYTES])
})
