import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { checkArray, checkSkipped } from './corpus/check-array.ts'
import { plain } from './corpus/expected.ts'
import { CORPUS, CORPUS_ABSENT, type GoldenFile, list, member, type object, readGolden } from './corpus/golden.ts'
import { readOwn } from './corpus/read-own.ts'
import { servedCorpus } from './corpus/served-corpus.ts'
import { ServedStore } from './corpus/served-store.ts'
import {
  assertInTime,
  assertProblem,
  consolidatedDocuments,
  get,
  getDocument,
  nodeUrl,
  parseReply,
} from './corpus/store-client.ts'

/** Formats that this version serves; the others' folders wait. */
const FORMATS = ['netcdf3', 'zarr', 'hdf4']

describe('every golden file of the corpus is served as its oracle reads it', { skip: CORPUS_ABSENT }, () => {
  const corpus = servedCorpus()

  const url = (file: GoldenFile, options = '') =>
    corpus.storeUrl(`${file.format}/${file.name}${isFolder(file) ? '/' : ''}`, options)

  test('a folder needs no final slash, though its origin redirects to a listing', async () => {
    const store = corpus.storeUrl(`zarr/xr_v2.zarr`)
    assert.ok((await documentsOf(store)).has('packed'))
  })

  for (const file of CORPUS_ABSENT ? [] : FORMATS.flatMap(readGolden)) {
    const name = `${file.format}/${file.name}`
    switch (file.expect) {
      case 'ok':
        test(`${name}: every array equals the oracle's, in portable, native and raw`, () => checkFile(file, url))
        test(`${name}: GEN-1 the consolidated and the nodes' own documents agree`, () => checkDocuments(url(file)))
        break
      case 'error':
        test(`${name}: is refused as a problem that says what is wrong`, () => checkRefused(url(file)))
        break
      case 'chunk-error':
        test(`${name}: its metadata is served, and what is cut off is an error`, () => checkChunkError(url(file)))
        break
      case 'unsupported-ok':
        test(`${name}: is served, or refused as a problem`, () => checkServedOrRefused(file, url(file)))
        break
    }
  }
})

function isFolder(file: GoldenFile): boolean {
  return statSync(new URL(`${file.format}/${file.name}`, CORPUS)).isDirectory()
}

async function checkFile(file: GoldenFile, url: (file: GoldenFile, options?: string) => string): Promise<void> {
  const store = (options: string) => ServedStore.open(url(file, options))
  const profiles = { portable: await store(''), native: await store(';codecs=native'), raw: await store(';codecs=raw') }
  for (const golden of file.arrays) {
    const what = `${file.format}/${file.name} ${golden.path}`
    if (golden.oracleError || golden.serve !== undefined) await checkSkipped(golden, profiles.portable, what)
    else await checkArray(golden, profiles, what)
  }
}

async function documentsOf(url: string) {
  return consolidatedDocuments(await getDocument(url, ''))
}

async function checkDocuments(url: string): Promise<void> {
  for (const [path, document] of await documentsOf(url)) {
    const { consolidated_metadata: inline, ...own } = await getDocument(url, path)
    // As zarr-python writes it: within a consolidated document each group says that it has nothing of its own to consolidate.
    const { consolidated_metadata: empty = {}, ...listed } = document
    assert.deepEqual(plain(own), plain(listed), `${url} ${path}`)
    assert.deepEqual(plain(member(empty, 'metadata') ?? {}), {}, `${path}: a listed group lists nothing itself`)
    assert.equal(
      inline !== undefined,
      own['node_type'] === 'group',
      `${path}: every group's own document is consolidated`,
    )
  }
}

/** A source that can't be served: it is refused, or where only a shard is broken (served as it is), no reader decodes it. */
async function checkRefused(url: string): Promise<void> {
  const reply = await get(`${url}zarr.json`)
  assertInTime(reply, url)
  if (reply.status !== 200) {
    assertProblem(reply, [400, 413, 415, 422], url)
    return
  }
  for (const [path, document] of consolidatedDocuments(parseReply(reply))) {
    if (document['node_type'] === 'array') await assert.rejects(readOwn(url, path, document), `${url} ${path}`)
  }
}

async function checkChunkError(url: string): Promise<void> {
  let errors = 0
  for (const [path, document] of await documentsOf(url)) {
    if (document['node_type'] !== 'array') continue
    for (const coords of chunkCorners(document)) {
      const chunk = await get(nodeUrl(url, path, ['c', ...coords].join('/')))
      assertInTime(chunk, path)
      if (chunk.status === 200) continue
      assertProblem(chunk, [422, 502], `${url} ${path}`)
      errors++
    }
  }
  assert.ok(errors > 0, `${url}: something is cut off or broken, and every chunk was answered`)
}

/** The first and the last chunk. */
function chunkCorners(document: ReturnType<typeof object>): number[][] {
  const shape = list(document['shape']).map(Number)
  const chunk = list(member(member(document['chunk_grid'], 'configuration'), 'chunk_shape')).map(Number)
  const last = shape.map((length, axis) => Math.ceil(length / (chunk[axis] ?? 1)) - 1)
  return [shape.map(() => 0), last]
}

async function checkServedOrRefused(file: GoldenFile, url: string): Promise<void> {
  const reply = await get(`${url}zarr.json`)
  assertInTime(reply, file.name)
  if (reply.status !== 200) {
    assertProblem(reply, [415, 422, 501], file.name)
    return
  }
  const documents = consolidatedDocuments(parseReply(reply))
  for (const golden of file.arrays)
    await checkSkipped(golden, new ServedStore(url, documents), `${file.name} ${golden.path}`)
}
