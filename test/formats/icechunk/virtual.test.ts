import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { WrittenChunk } from '../../../src/service/export/icechunk/manifest.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../../src/source/settings.ts'
import type { SourceCondition } from '../../../src/source/source.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { filesBelow, testStores } from '../../helpers/test-stores.ts'
import { repositoryOf } from './build.ts'

const DATE = 'Mon, 06 May 2024 07:08:09 GMT'
const SECONDS = Date.parse(DATE) / 1000
const BYTES = Buffer.from('0123456789abcdef')

/** A repository with a virtual chunk for each condition, all the same four bytes of one file. */
async function servedVirtual(t: TestContext, conditions: readonly (SourceCondition | undefined)[], location?: string) {
  const origin = await startOrigin()
  const stores = testStores({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base] })
  t.after(async () => {
    await stores.close()
    await origin.close()
  })
  const at = location ?? origin.url('data.bin')
  const chunks = conditions.map(
    (condition): WrittenChunk => ({ kind: 'virtual', location: at, offset: 4, length: 4, condition }),
  )
  await put(origin, await repositoryOf(4, chunks))
  return { origin, store: stores.open(origin.url('repository/')) }
}

async function put(origin: Origin, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) origin.put(`repository/${path}`, bytes)
}

const outcome = async (chunk: Promise<Uint8Array | undefined>) =>
  await chunk.then(
    (bytes) => (bytes === undefined ? 'missing' : Buffer.from(bytes).toString()),
    (error) => error.code,
  )

test('a virtual chunk is served of the version that its checksum names, and of no other', async (t) => {
  const conditions = [
    undefined,
    { etag: '"v1"' },
    { etag: 'v1' },
    { etag: '"v2"' },
    { unmodifiedSince: SECONDS },
    { unmodifiedSince: SECONDS + 1 },
    { unmodifiedSince: SECONDS - 1 },
  ]
  const { origin, store } = await servedVirtual(t, conditions)
  origin.put('data.bin', { bytes: BYTES, etag: '"v1"', lastModified: DATE })
  const all = await Promise.all(conditions.map((_, at) => outcome(store.chunk('a', [at]))))
  const gone = 'source-not-found'
  assert.deepEqual(all, ['4567', '4567', '4567', gone, '4567', '4567', gone])
  // It costs its chunk, not the store.
  assert.equal(await outcome(store.chunk('a', [1])), '4567')
})

test('a file whose host does not tell what the checksum names is not taken for that version', async (t) => {
  const conditions = [{ etag: '"v1"' }, { unmodifiedSince: SECONDS }, undefined]
  const { origin, store } = await servedVirtual(t, conditions)
  origin.put('data.bin', { bytes: BYTES })
  const all = await Promise.all(conditions.map((_, at) => outcome(store.chunk('a', [at]))))
  assert.deepEqual(all, ['source-not-found', 'source-not-found', '4567'])
})

test('a file that is replaced after it was opened is a change, and no bytes', async (t) => {
  const { origin, store } = await servedVirtual(t, [{ etag: '"v1"' }, { etag: '"v1"' }])
  origin.put('data.bin', { bytes: BYTES, etag: '"v1"' })
  assert.equal(await outcome(store.chunk('a', [0])), '4567')
  origin.put('data.bin', { bytes: Buffer.from('fedcba9876543210'), etag: '"v2"' })
  assert.equal(await outcome(store.chunk('a', [1])), 'source-changed')
})

test('references of a remote repository never lead to this machine, to schemes that are not read, or behind the end', async (t) => {
  const places = [
    'file:///etc/passwd',
    'http://169.254.169.254/latest',
    'ftp://data.example/a',
    's3://bucket/a/../b',
    'vcc://x/a',
  ]
  for (const place of places) {
    const { store } = await servedVirtual(t, [undefined], place)
    const code = await outcome(store.chunk('a', [0]))
    assert.ok(['source-forbidden', 'source-unavailable'].includes(code), `${place}: ${code}`)
  }
  const { origin, store } = await servedVirtual(t, [undefined])
  origin.put('data.bin', { bytes: BYTES.subarray(0, 6), etag: '"v1"' })
  assert.equal(await outcome(store.chunk('a', [0])), 'source-unavailable')
  origin.remove('data.bin')
  assert.equal(await outcome(store.chunk('a', [0])), 'source-not-found')
})

test('local files are known by date and by the tag of object_store', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'icechunk-'))
  const stores = testStores(filesBelow(pathToFileURL(`${folder}/`)))
  t.after(async () => {
    await stores.close()
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 'data.bin')
  writeFileSync(path, BYTES)
  utimesSync(path, SECONDS + 0.25, SECONDS + 0.25)
  const { ino, mtimeMs, size } = statSync(path)
  const etag = `${ino.toString(16)}-${Math.round(mtimeMs * 1000).toString(16)}-${size.toString(16)}`
  const conditions = [
    { etag },
    { etag: `"${etag}"` },
    { etag: `${etag}0` },
    { unmodifiedSince: SECONDS + 1 },
    { unmodifiedSince: SECONDS },
  ]
  const location = pathToFileURL(path).href
  const chunks = conditions.map(
    (condition): WrittenChunk => ({ kind: 'virtual', location, offset: 4, length: 4, condition }),
  )
  for (const [name, bytes] of await repositoryOf(4, chunks)) {
    const [one, two = '', three = ''] = name.split('/')
    mkdirSync(join(folder, 'repository', one ?? '', three === '' ? '' : two), { recursive: true })
    writeFileSync(join(folder, 'repository', name), bytes)
  }
  const store = stores.open(pathToFileURL(`${folder}/repository/`).href)
  const all = await Promise.all(conditions.map((_, at) => outcome(store.chunk('a', [at]))))
  const gone = 'source-not-found'
  assert.deepEqual(all, ['4567', '4567', gone, '4567', gone])
})
