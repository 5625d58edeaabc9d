import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chunkReads } from '../../src/source/chunk-reads.ts'
import { withRetry } from '../../src/source/http/retry.ts'
import { memorySource } from '../../src/source/memory.ts'
import { openSources } from '../../src/source/open.ts'
import { PageCache } from '../../src/source/page-cache.ts'
import { pagedSource } from '../../src/source/paged-source.ts'
import { forParsing } from '../../src/source/parsing.ts'
import { conformance } from './conformance.ts'
import { openWorld, QUICK } from './world.ts'

conformance('memory', async (_t, bytes) => memorySource('memory:a', bytes))

conformance('file', async (t, bytes) => {
  const folder = await mkdtemp(join(tmpdir(), 'vz-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'a.bin')
  await writeFile(path, bytes)
  return openSources({ ...QUICK, fileRoots: [folder] }).open(pathToFileURL(path).href)
})

conformance('http', async (t, bytes) => {
  const { origin, sources } = await openWorld(t)
  origin.put('a', bytes)
  return sources.open(origin.url('a'))
})

conformance('http without ranges', async (t, bytes) => {
  const { origin, sources } = await openWorld(t)
  origin.put('a', { bytes, ranges: false })
  return sources.open(origin.url('a'))
})

conformance('http without validators', async (t, bytes) => {
  const { origin, sources } = await openWorld(t)
  origin.put('a', { bytes })
  return sources.open(origin.url('a'))
})

conformance('http with a fault in every other answer', async (t, bytes) => {
  const { origin, sources } = await openWorld(t)
  origin.put('a', bytes)
  const source = await sources.open(origin.url('a'))
  origin.fault({ kind: 'cut', after: 3_000, how: 'reset' }, 1)
  origin.fault({ kind: 'status', status: 503 }, 1)
  return source
})

conformance('s3 that is busy, elsewhere, and breaks off', async (t, bytes) => {
  const { origin } = await openWorld(t)
  const text = { kind: 'static', accessKeyId: { text: 'id' }, secretAccessKey: { text: 'secret' } } as const
  const prefixes = [{ prefix: 's3://bucket/', place: {}, credentials: text }]
  const clouds = { places: { s3: { endpoint: new URL(origin.base) } }, prefixes }
  const sources = openSources({ ...QUICK, clouds })
  t.after(() => sources.close())
  origin.put('bucket/a%20b', bytes)
  origin.fault({ kind: 'status', status: 301, headers: { 'x-amz-bucket-region': 'eu-west-1' } }, 1)
  const source = await sources.open('s3://bucket/a b')
  origin.fault({ kind: 'cut', after: 3_000, how: 'reset' }, 1)
  origin.fault({ kind: 'status', status: 503, body: '<Error><Code>SlowDown</Code></Error>' }, 1)
  return source
})

conformance('retry', async (_t, bytes) => {
  const memory = memorySource('memory:a', bytes)
  return withRetry({ ...memory, canResume: true }, QUICK)
})

conformance('pages', async (_t, bytes) => {
  const pages = new PageCache({ indexBytes: 200_000, dataBytes: 0 }).file('a')
  return pagedSource(memorySource('memory:a', bytes), () => pages)
})

conformance('chunks', async (_t, bytes) => {
  const pages = new PageCache({ indexBytes: 0, dataBytes: 200_000 }).file('a')
  const source = chunkReads(memorySource('memory:a', bytes), { pages: () => pages, confirm: () => undefined })
  await source.prefetch([{ offset: 100, length: 70_000 }]).done
  return source
})

conformance(
  'parsing',
  async (_t, bytes) => forParsing(memorySource('memory:a', bytes), { bytes: 50_000_000, requests: 1_000 }).source,
)
