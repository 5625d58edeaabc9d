import assert from 'node:assert/strict'
import { test } from 'node:test'
import { servedFixture } from './served.ts'

const NATIVE = 'codecs/plain'

for (const format of [1, 2] as const) {
  test(`format ${format}: opening is a probe and a snapshot, a chunk a manifest and its object, a later one its object`, async (t) => {
    const { origin, stores, url } = await servedFixture(t, `format-${format}`)
    const found = () => origin.requests.splice(0).map(({ path }) => path.replace('/repository/', ''))
    const store = stores.open(url)
    await store.document('')
    const opening = found()
    const documents = ['zarr.json', '.zmetadata', '.zarray', '.zgroup', 'repo', 'refs/branch.main/ref.json']
    assert.deepEqual(opening.slice(0, 6).sort(), documents.toSorted(), 'in one round')
    assert.deepEqual(opening.slice(6).map(folderOf), ['snapshots'])
    await store.chunk(NATIVE, [0, 0])
    assert.deepEqual(found().map(folderOf), ['manifests', 'chunks'])
    await store.chunk(NATIVE, [0, 1])
    assert.deepEqual(found().map(folderOf), ['chunks'])
    await store.chunk('types/int8', [0])
    assert.deepEqual(found().map(folderOf), ['manifests'], 'an inline chunk needs no object')
    await store.chunk('types/int8', [1])
    assert.deepEqual(found(), [])
  })
}

test('a branch by its name costs one round more in format 1, and none in format 2', async (t) => {
  const one = await servedFixture(t, 'format-1')
  await one.stores.open(one.url, { ref: 'other' }).document('')
  const asked = one.origin.requests.map(({ path }) => path.replace('/repository/', '')).slice(6)
  const refs = ['refs/branch.other/ref.json', 'refs/tag.other/ref.json', 'refs/tag.other/ref.json.deleted']
  assert.deepEqual(asked.slice(0, 3).sort(), refs)
  assert.deepEqual(asked.slice(3).map(folderOf), ['snapshots'])
  const two = await servedFixture(t, 'format-2')
  await two.stores.open(two.url, { ref: 'other' }).document('')
  assert.equal(two.origin.requests.length, 7)
})

test('concurrent chunks of one manifest read it once, and only the manifests of a split that are needed', async (t) => {
  const { origin, stores, url } = await servedFixture(t, 'format-2')
  const store = stores.open(url)
  await store.document('')
  origin.requests.length = 0
  await Promise.all([0, 1].flatMap((row) => [0, 1].map((column) => store.chunk('chunks/split', [row, column]))))
  assert.equal(origin.requests.length, 1)
  await store.chunk('chunks/split', [2, 2])
  assert.equal(origin.requests.length, 2)
  assert.equal(await store.chunk('chunks/split', [4, 0]), undefined, 'no manifest has it')
  assert.equal(origin.requests.length, 2)
})

function folderOf(path: string): string {
  return path.split('/')[0] ?? ''
}
