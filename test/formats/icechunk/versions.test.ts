import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { FlatBuffer } from '../../../src/formats/icechunk/flat-buffer.ts'
import { FIXTURES, goldenRefs } from './golden.ts'
import { servedFixture } from './served.ts'

const snapshotOf = (format: 1 | 2, ref: string) => goldenRefs(format).find((one) => one.ref === ref)?.snapshot ?? ''
const SECOND = { 1: goldenRefs(1)[2]?.snapshot ?? '', 2: goldenRefs(2)[2]?.snapshot ?? '' }
const SPLIT = 'chunks/split'

/** A repository whose main branch is where it was one commit before, and how it moves. */
async function movingRepository(t: TestContext, format: 1 | 2) {
  const served = await servedFixture(t, `format-${format}`, 0)
  const { origin } = served
  const before = { bytes: new Uint8Array(), etag: '"before"' }
  if (format === 1) {
    const main = 'repository/refs/branch.main/ref.json'
    origin.put(main, { ...before, bytes: Buffer.from(JSON.stringify({ snapshot: SECOND[1] })) })
    const now = Buffer.from(JSON.stringify({ snapshot: snapshotOf(1, 'main') }))
    return { ...served, move: () => origin.put(main, { bytes: now, etag: '"now"' }) }
  }
  origin.put('repository/repo', { ...before, bytes: readFileSync(new URL('repo-before-main-moves', FIXTURES)) })
  const now = readFileSync(new URL('format-2/repo', FIXTURES))
  return { ...served, move: () => origin.put('repository/repo', { bytes: now, etag: '"now"' }) }
}

for (const format of [1, 2] as const) {
  test(`format ${format}: a branch that moves is a new version, and old chunks are refused until it is opened`, async (t) => {
    const { stores, url, move } = await movingRepository(t, format)
    const store = stores.open(url)
    assert.equal((await store.describe()).parsed.version, SECOND[format])
    const chunk = await store.chunk(SPLIT, [0, 0])
    move()
    // Inline chunks are answered without a read: the branch is asked.
    await assert.rejects(store.chunk(SPLIT, [0, 0]), { code: 'source-changed' })
    assert.equal((await store.describe()).parsed.version, snapshotOf(format, 'main'))
    assert.deepEqual(await store.chunk(SPLIT, [0, 0]), chunk)
  })

  test(`format ${format}: a store that is pinned to a snapshot stays, whatever the branch does`, async (t) => {
    const { stores, url, origin, move } = await movingRepository(t, format)
    const pinned = stores.open(url, { version: SECOND[format] })
    const chunk = await pinned.chunk(SPLIT, [0, 0])
    move()
    assert.equal((await pinned.describe()).parsed.version, SECOND[format])
    assert.deepEqual(await pinned.chunk(SPLIT, [0, 0]), chunk)
    const asked = origin.requests.length
    await pinned.document('')
    assert.deepEqual(await pinned.chunk(SPLIT, [0, 0]), chunk)
    assert.equal(origin.requests.length, asked, 'what never changes is not asked for again')
    // Also when it is opened after the branch has moved.
    const first = stores.open(url, { version: snapshotOf(format, 'first') })
    assert.equal((await first.describe()).parsed.version, snapshotOf(format, 'first'))
    await assert.rejects(stores.open(url, { version: '0123456789ABCDEFGHJK' }).describe(), { code: 'source-changed' })
  })
}

test('format 2: a commit to another branch is no new version of this one', async (t) => {
  const { origin, stores, url } = await servedFixture(t, 'format-2', 0)
  const before = readFileSync(new URL('repo-before-other-moves', FIXTURES))
  const now = readFileSync(new URL('format-2/repo', FIXTURES))
  assert.notDeepEqual(before, now)
  origin.put('repository/repo', { bytes: before, etag: '"before"' })
  const [main, other] = [stores.open(url), stores.open(url, { ref: 'other' })]
  await main.describe()
  const beforeIt = (await other.describe()).parsed.version
  assert.ok((await main.chunk(SPLIT, [0, 0])) !== undefined)
  origin.put('repository/repo', { bytes: now, etag: '"now"' })
  assert.ok((await main.chunk(SPLIT, [0, 0])) !== undefined)
  assert.equal((await main.describe()).parsed.version, snapshotOf(2, 'main'))
  assert.notEqual((await other.describe()).parsed.version, beforeIt)
  assert.equal((await other.describe()).parsed.version, snapshotOf(2, 'other'))
})

test('format 1: a branch that is deleted is gone', async (t) => {
  const { origin, stores, url } = await servedFixture(t, 'format-1', 0)
  const other = stores.open(url, { ref: 'other' })
  await other.describe()
  origin.remove('repository/refs/branch.other/ref.json')
  await assert.rejects(other.describe(), { code: 'source-not-found' })
})

test('a repository that is only not to be written to is read; one that was taken offline is refused, with the reason', async (t) => {
  const { origin, stores, url } = await servedFixture(t, 'read-only', 0)
  const store = stores.open(url)
  await store.describe()
  const repo = readFileSync(new URL('read-only/repo', FIXTURES))
  const content = Buffer.from(zstdDecompressSync(repo.subarray(HEADER_BYTES)))
  const place = { url: 'https://example.org/repo' }
  const flat = new FlatBuffer(content, place)
  const status = flat.follow(flat.required(flat.root(), STATUS, 'status'))
  const availability = flat.required(status, 0, 'availability')
  assert.equal(content[availability], 1)
  content[availability] = 2
  const offline = Buffer.concat([repo.subarray(0, HEADER_BYTES), zstdCompressSync(content)])
  origin.put('repository/repo', { bytes: offline, etag: '"offline"' })
  const refused = { code: 'source-denied', message: 'the repository was taken offline: moved to the archive' }
  await assert.rejects(store.describe(), refused)
})

/** Of a file before its content, and the place of the status in it. */
const HEADER_BYTES = 39
const STATUS = 5
