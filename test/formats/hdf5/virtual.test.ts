import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, runApp } from '../../helpers/app.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { filesBelow, type TestStores, testStores } from '../../helpers/test-stores.ts'

const FIXTURES = new URL('../../fixtures/hdf5/', import.meta.url)
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(name, FIXTURES)))

interface Golden {
  readonly arrays: Readonly<Record<string, { readonly shape: readonly number[]; readonly values: readonly number[] }>>
}

/** What h5py 3 shows (`make_virtual.py`, which names its version in the file). */
const golden = JSON.parse(Buffer.from(fixture('golden-virtual.json')).toString()) as Golden

function numbersOf(bytes: Uint8Array, type: string): number[] {
  const { buffer } = new Uint8Array(bytes)
  if (type === 'int64') return Array.from(new BigInt64Array(buffer), Number)
  return [...(type === 'int32' ? new Int32Array(buffer) : new Uint16Array(buffer))]
}

describe('virtual datasets', () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(FIXTURES))
  })
  after(() => stores.close())

  for (const [name, { shape, values }] of Object.entries(golden.arrays)) {
    test(`${name} has the values that h5py shows`, async () => {
      const store = stores.open(new URL('virtual.h5', FIXTURES).href)
      const document = await store.document(name)
      assert.deepEqual(document['shape'], shape)
      const read = await store.values(name)
      assert.ok(read.kind === 'fixed')
      assert.deepEqual(numbersOf(read.bytes, String(document['data_type'])), values)
    })
  }

  test('parts that read as the fill value since their source is not there are told', async () => {
    const { store } = await stores.open(new URL('virtual.h5', FIXTURES).href).describe()
    const told = store.diagnostics.filter(({ code }) => code === 'virtual-source-absent').map(({ message }) => message)
    assert.ok(told.some((message) => message.startsWith('"virtual.gone.h5", a source')))
    assert.ok(told.some((message) => message.startsWith('nothing in "virtual.b.h5", a source')))
  })
})

describe('a source of virtual datasets that is not there', () => {
  let origin: Origin
  let app: RunningApp
  before(async () => {
    origin = await startOrigin()
    app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, VZ_FRESH_SECONDS: '0' })
  })
  after(async () => {
    await app.close()
    await origin.close()
  })

  /** The virtual file with those of its sources that are there, in a folder of its own: failures are remembered for a while. */
  function folderAt(folder: string) {
    for (const name of ['virtual.h5', 'virtual.a.h5', 'virtual.b.h5'])
      origin.put(`${folder}/${name}`, { bytes: fixture(name), etag: `"${name}"` })
    const url = Buffer.from(origin.url(`${folder}/virtual.h5`)).toString('base64url')
    return {
      gone: `${folder}/virtual.gone.h5`,
      get: async (key: string, options = ';codecs=raw') =>
        await app.http.inject({ url: `/zarr/~${url}${options}/${key}` }),
    }
  }

  test('is no fill value where its origin fails', async () => {
    for (const status of [500, 503, 429]) {
      const { gone, get } = folderAt(`fails-${status}`)
      origin.answer(gone, status)
      assert.ok([502, 503].includes((await get('zarr.json')).statusCode), `${status}`)
    }
  })

  test('is the fill value where its origin says that there is none, which is never immutable', async () => {
    const { gone, get } = folderAt('absent')
    origin.answer(gone, 404)
    const { statusCode, headers } = await get('zarr.json')
    assert.equal(statusCode, 200)
    const version = /;version=([^;/>]+)/.exec(String(headers['link']))?.[1]
    assert.ok(version !== undefined)
    for (const key of ['zarr.json', 'lacks/c/0/0/0']) {
      const pinned = await get(key, `;codecs=raw;version=${version}`)
      assert.equal(pinned.statusCode, 200, key)
      assert.doesNotMatch(String(pinned.headers['cache-control']), /immutable/, key)
    }
    assert.equal((await get('lacks/c/1/0/0')).statusCode, 404)
  })

  test('is asked for again, and its values stand as soon as it is there', async () => {
    const { gone, get } = folderAt('late')
    origin.answer(gone, 404)
    assert.equal((await get('zarr.json')).statusCode, 200)
    assert.equal((await get('lacks/c/1/0/0')).statusCode, 404)
    origin.answer(gone, 503)
    assert.notEqual((await get('zarr.json')).statusCode, 200, 'an origin that fails says nothing')
    origin.put('late/there.h5', { bytes: fixture('virtual.b.h5'), etag: '"late"' })
    origin.redirect(gone, origin.url('late/there.h5'))
    assert.equal((await get('zarr.json')).statusCode, 200)
    const { statusCode, rawPayload } = await get('lacks/c/1/0/0')
    assert.equal(statusCode, 200)
    assert.deepEqual(numbersOf(rawPayload, 'int64').slice(0, 5), [0, -1, -2, -3, -4])
  })
})
