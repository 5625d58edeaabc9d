import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { JoinWorld, month, numbers } from './helpers.ts'

describe('a join notices what has changed since it was opened', () => {
  const world = new JoinWorld()
  before(() => world.start({ freshSeconds: 0 }))
  after(() => world.close())

  const put = (folder: string, n: number, etag?: string, first = 100 * n) =>
    world.put(`${folder}/a${n}.nc`, month(`2000-01-0${n}`, 1, { first }), etag)

  test('a glob that gained files is another version of the metadata, and its chunks are served all the while', async () => {
    for (const n of [1, 2, 3, 4]) put('gain', n)
    world.folder('gain/', ['a1.nc', 'a2.nc', 'a4.nc', 'other.txt'])
    for (const store of [
      world.open('gain/a*.nc'),
      world.join({ sources: { glob: 'gain/a*.nc' }, along: 'time', lengths: 1 }),
    ]) {
      world.folder('gain/', ['a1.nc', 'a2.nc', 'a4.nc', 'other.txt'])
      const { parsed } = await store.describe()
      assert.deepEqual(await numbers(store, 't'), [100, 101, 200, 201, 400, 401])
      world.folder('gain/', ['a1.nc', 'a2.nc', 'a4.nc', 'another.txt'])
      assert.equal((await store.describe()).parsed.version, parsed.version, 'names that do not match are nothing new')
      const last = await store.chunk('t', [2, 0])
      world.folder('gain/', ['a1.nc', 'a2.nc', 'a3.nc', 'a4.nc'])
      assert.deepEqual(await store.chunk('t', [2, 0]), last, 'the chunks of what is open are as they were')
      const { parsed: gained } = await store.describe()
      assert.notEqual(gained.version, parsed.version)
      assert.deepEqual((await store.document('t'))['shape'], [4, 2])
      assert.deepEqual(await numbers(store, 't'), [100, 101, 200, 201, 300, 301, 400, 401])
    }
  })

  test('a glob without a folder lists the folder of the document', async () => {
    for (const n of [1, 2]) put('beside', n)
    world.folder('beside/', ['a1.nc', 'a2.nc', 'join.json'])
    const store = world.join({ sources: { glob: 'a*.nc' }, along: 'time', lengths: 1 }, 'beside/join.json')
    assert.deepEqual(await numbers(store, 't'), [100, 101, 200, 201])
  })

  test('a glob of Zarr folders finds them', async () => {
    const v2 = {
      zarr_format: 2,
      shape: [1],
      chunks: [1],
      dtype: '<i4',
      fill_value: null,
      order: 'C',
      compressor: null,
      filters: null,
    }
    for (const run of [1, 2]) {
      const put = (name: string, bytes: Uint8Array) => world.origin.put(`runs/run_${run}.zarr/${name}`, bytes)
      const metadata = { '.zgroup': { zarr_format: 2 }, 'n/.zarray': v2, 'n/.zattrs': { _ARRAY_DIMENSIONS: ['time'] } }
      put('.zgroup', Buffer.from('{"zarr_format":2}'))
      put('.zmetadata', Buffer.from(JSON.stringify({ zarr_consolidated_format: 1, metadata })))
      put('n/0', new Uint8Array(Int32Array.of(run * 5).buffer))
    }
    world.folder('runs/', ['run_2.zarr/', 'run_1.zarr/', 'notes.txt'])
    const store = world.join({ sources: { glob: 'runs/run_*.zarr' }, along: 'time' })
    assert.deepEqual(await numbers(store, 'n'), [5, 10])
  })

  test('a glob whose files have other names is another version, even where none of them was read', async () => {
    for (const n of [1, 2, 3, 4]) put('renamed', n)
    world.folder('renamed/', ['a1.nc', 'a2.nc', 'a4.nc'])
    const store = world.join({ sources: { glob: 'renamed/a*.nc' }, along: 'time', lengths: 1 })
    const { parsed } = await store.describe()
    world.folder('renamed/', ['a1.nc', 'a3.nc', 'a4.nc'])
    assert.notEqual((await store.describe()).parsed.version, parsed.version)
    assert.deepEqual(await numbers(store, 't'), [100, 101, 300, 301, 400, 401])
  })

  test('a source that changed is source-changed for its own chunks, also where another answer is asked for first', async () => {
    for (const n of [1, 2, 3]) put('own', n)
    for (const { n, options } of [
      { n: 1, options: { lengths: 1 } },
      { n: 2, options: { check: 'all' } },
      { n: 3, options: {} },
    ]) {
      put('own', n)
      const store = world.join({ sources: { template: 'own/a{n}.nc', n: '1..3' }, along: 'time', ...options })
      const all = await Promise.all([0, 1, 2].map((at) => store.chunk('t', [at, 0])))
      const { version } = (await store.describe()).parsed
      put('own', n, '"v2"', 7)
      for (const at of [0, 1, 2]) {
        if (at !== n - 1) assert.deepEqual(await store.chunk('t', [at, 0]), all[at])
        else await assert.rejects(store.chunk('t', [at, 0]), { code: 'source-changed' })
      }
      await assert.rejects(store.chunk('time', [0]), { code: 'source-changed' })
      const { parsed } = await store.describe()
      assert.notEqual(parsed.version, version)
      assert.deepEqual((await numbers(store, 't')).slice(2 * n - 2, 2 * n), [7, 8])
      put('own', n, '"v1"')
    }
  })

  test('the document of a join has another version: none of its old chunks is served any more', async () => {
    for (const n of [1, 2, 3]) put('document', n)
    const document = (last: number) => ({ sources: { template: 'document/a{n}.nc', n: `1..${last}` }, along: 'time' })
    const store = world.join(document(2), 'grows.json')
    const { parsed } = await store.describe()
    world.origin.put('grows.json', {
      bytes: Buffer.from(JSON.stringify({ virtual_zarr: 'join/1', ...document(3) })),
      etag: '"v2"',
    })
    const { parsed: grown } = await store.describe()
    assert.notEqual(grown.version, parsed.version)
    assert.deepEqual((await store.document('t'))['shape'], [3, 2])
  })

  test('a listing that is down fails the metadata, and no chunk', async () => {
    for (const n of [1, 2]) put('down', n)
    world.folder('down/', ['a1.nc', 'a2.nc'])
    const store = world.open('down/a*.nc')
    await store.describe()
    const heal = world.origin.fault({ kind: 'status', status: 503 }, Number.POSITIVE_INFINITY, 'down/')
    assert((await store.chunk('t', [1, 0])) !== undefined)
    assert((await store.chunk('time', [0])) !== undefined)
    await assert.rejects(store.describe(), { code: 'source-unavailable' })
    heal()
    await store.describe()
  })
})
