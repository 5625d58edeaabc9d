import assert from 'node:assert/strict'
import { openAsBlob, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as zarr from 'zarrita'
import {
  DEFAULT_SOURCE_SETTINGS,
  openSources,
  openVirtual,
  type Source,
  VirtualZarrError,
  virtualStore,
} from '../../src/index.ts'
import { memorySource } from '../../src/source/memory.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))

async function values(store: zarr.AsyncReadable, path: string): Promise<{ data: ArrayLike<unknown>; shape: number[] }> {
  const array = await zarr.open(zarr.root(store).resolve(path), { kind: 'array' })
  const { data, shape } = (await zarr.get(array)) as zarr.Chunk<'int16'>
  return { data, shape }
}

test('a path, a URL, bytes, a blob and a source of the caller give zarrita the same values', async () => {
  const path = pathOf('sea-surface.nc')
  const bytes = new Uint8Array(readFileSync(path))
  const expected = await values(virtualStore(path), 'sst')
  assert.deepEqual(expected.shape, [12, 36, 72])
  const source: Source = memorySource('https://archive.example/sea-surface.nc', bytes)
  for (const input of [new URL(`file://${path}`), bytes, bytes.buffer, await openAsBlob(path), source]) {
    assert.deepEqual(await values(virtualStore(input), 'sst'), expected)
  }
})

test('what a caller does to the bytes of a chunk changes no later answer', async () => {
  const store = virtualStore(readFileSync(pathOf('harvest.tif')))
  const first = (await store.get('/band_data/c/0/0')) ?? new Uint8Array(0)
  const before = Uint8Array.from(first)
  assert.ok(before.length > 0)
  first.fill(0)
  assert.deepEqual(await store.get('/band_data/c/0/0'), before)
})

test('each answer has memory of its own, aligned for elements of any size', async () => {
  const store = virtualStore(readFileSync(pathOf('currents.nc')))
  for (const key of ['/lat/c/0', '/time/c/0', '/u/c/0/0/0', '/zarr.json'] as const) {
    const bytes = (await store.get(key)) ?? new Uint8Array(0)
    assert.equal(bytes.byteOffset % 8, 0, key)
    assert.equal(bytes.buffer.byteLength, bytes.byteLength, key)
  }
})

test('parts of a key are the bytes of the whole; what is absent is undefined, and what fails is an error', async () => {
  const store = virtualStore(pathOf('sea-surface.nc'))
  for (const key of ['/zarr.json', '/sst/c/0/0/0'] as const) {
    const whole = (await store.get(key)) ?? new Uint8Array(0)
    assert.deepEqual(await store.getRange(key, { offset: 5, length: 20 }), whole.slice(5, 25))
    assert.deepEqual(await store.getRange(key, { suffixLength: 7 }), whole.slice(-7))
  }
  assert.equal(await store.get('/.zattrs'), undefined)
  assert.equal(await store.get('/sst/c/99/0/0'), undefined)
  await assert.rejects(virtualStore(Buffer.from('nothing')).get('/zarr.json'), { code: 'unknown-format' })
})

test('the tree is that of the store: options are views of it, and what was noticed is told', async () => {
  const dataset = await openVirtual(pathOf('currents.nc'), { options: { group: 'drifters' } })
  assert.equal(dataset.format, 'hdf5')
  assert.ok(dataset.root.kind === 'group')
  assert.deepEqual([...dataset.root.members.keys()].sort(), Object.keys(dataset.inspect().arrays).sort())
  await assert.rejects(openVirtual(pathOf('currents.nc'), { options: { nothing: '1' } }), { code: 'invalid-request' })
})

test('exported references open again, with the same values', async () => {
  const path = pathOf('currents.nc')
  const native = await openVirtual(path, { options: { codecs: 'native' } })
  const references = memorySource(`file://${path}.json`, Buffer.from(await native.toKerchunk()))
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, fileRoots: [pathOf('')] })
  const store = virtualStore(references, { sources })
  assert.deepEqual(await values(store, 'u'), await values(virtualStore(path), 'u'))
})

test('many files are one store', async () => {
  const store = virtualStore(pathOf('rain/').replace(/\/$/, '/*.nc'))
  const root = JSON.parse(Buffer.from((await store.get('/zarr.json')) ?? []).toString())
  assert.equal(root.node_type, 'group')
})

test('a source that changes under the library is an error of that name', async () => {
  let isOther = false
  const inner = memorySource('https://archive.example/x.nc', readFileSync(pathOf('sea-surface.nc')))
  const source: Source = {
    ...inner,
    read: async (range, options) => {
      if (isOther) throw new VirtualZarrError('source-changed', 'another file is there now')
      return await inner.read(range, options)
    },
  }
  const store = virtualStore(source)
  await store.get('/zarr.json')
  isOther = true
  await assert.rejects(store.get('/sst/c/0/0/0'), { code: 'source-changed' })
})
