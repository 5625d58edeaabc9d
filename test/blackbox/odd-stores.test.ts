import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildZip } from '../formats/zarr/build-zip.ts'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { putStore, v2Array, v3Array, v3Group } from '../helpers/zarr-store.ts'

let origin: Origin
let app: RunningApp
before(async () => {
  origin = await startOrigin()
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
})
after(async () => {
  await app.close()
  await origin.close()
})

const get = async (source: string, key: string, method: 'GET' | 'HEAD' = 'GET') =>
  await app.http.inject({ method, url: `/zarr/~${Buffer.from(origin.url(source)).toString('base64url')}/${key}` })

const LITTLE = { name: 'bytes', configuration: { endian: 'little' } }

test('BYTES-4: a stored chunk that is cut off to nothing is never an empty 200', async () => {
  const outer = { crc32c: {}, gzip: { level: 1 }, zstd: { level: 1, checksum: false }, 'numcodecs.zlib': { level: 1 } }
  for (const [name, configuration] of Object.entries(outer)) {
    const codecs = [LITTLE, { name, configuration }]
    for (const bytes of [Buffer.alloc(0), ...(name === 'crc32c' ? [Buffer.alloc(4), Buffer.alloc(7)] : [])]) {
      const folder = `cut-${name}-${bytes.length}`
      putStore(origin, folder, { 'zarr.json': v3Array({ codecs }), 'c/0': bytes })
      for (const method of ['GET', 'HEAD'] as const) {
        assert.equal((await get(`${folder}/`, 'c/0', method)).statusCode, 422, `${folder} ${method}`)
      }
    }
  }
})

test('TREE-10: an array whose codecs do not fit its type is skipped, for no client could open the store', async () => {
  const nodes = {
    good: v3Array(),
    text: v3Array({ codecs: [{ name: 'vlen-utf8' }] }),
    plain: v3Array({ data_type: 'string', fill_value: '', codecs: [LITTLE] }),
    shard: v3Array({
      codecs: [
        {
          name: 'sharding_indexed',
          configuration: { chunk_shape: [1], codecs: [{ name: 'vlen-utf8' }], index_codecs: [LITTLE] },
        },
      ],
    }),
  }
  putStore(origin, 'misfits', { 'zarr.json': v3Group(nodes) })
  const root = (await get('misfits/', 'zarr.json')).json()
  assert.deepEqual(Object.keys(root.consolidated_metadata.metadata), ['good'])
  assert.deepEqual(Object.keys(root.attributes.virtual_zarr.skipped), ['text', 'plain', 'shard'])
  putStore(origin, 'misfit-v2', { '.zarray': v2Array({ filters: [{ id: 'vlen-utf8' }] }) })
  assert.equal((await get('misfit-v2/', 'zarr.json')).statusCode, 422)
})

test('names that mean something else in a key are served, each as itself', async () => {
  const scalar = { shape: [], chunk_grid: { name: 'regular', configuration: { chunk_shape: [] } }, dimension_names: [] }
  const group = { zarr_format: 3, node_type: 'group', attributes: {} }
  const nodes = { c: group, 'c/0': v3Array(), 'c/c': v3Array(scalar), 'zarr.json': v3Array(), '.zgroup': v3Array() }
  const objects = { 'c/0/c/0': Buffer.from('0000'), 'c/c/c': Buffer.from('cc'), 'zarr.json/c/0': Buffer.from('zzzz') }
  putStore(origin, 'names', { 'zarr.json': v3Group(nodes), ...objects, '.zgroup/c/0': Buffer.from('gggg') })
  for (const [key, body] of [
    ['c/0/c/0', '0000'],
    ['c/c/c', 'cc'],
    ['zarr_json/c/0', 'zzzz'],
    ['.zgroup/c/0', 'gggg'],
  ] as const) {
    assert.equal((await get('names/', key)).body, body, key)
  }
  assert.equal((await get('names/', 'zarr_json/zarr.json')).json().attributes['virtual_zarr:name'], 'zarr.json')
  assert.equal((await get('names/', 'c/0')).statusCode, 308)
  for (const key of ['c', '.zgroup']) assert.notEqual((await get('names/', key)).statusCode, 200, key)
})

test('GUARD-6: JSON that would take far more memory than its text is refused', async () => {
  const bomb = (pattern: string, count: number) =>
    Buffer.from(`{"zarr_format":3,"node_type":"group","attributes":{"a":[${pattern.repeat(count)}0]}}`)
  origin.put('objects/zarr.json', bomb('{},', 500_000))
  origin.put('numbers/zarr.json', bomb('0,', 4_000_000))
  const content = bomb('{},', 40_000)
  const members = Array.from({ length: 20 }, (_, at) => ({ name: `a${at}/zarr.json`, content, deflated: true }))
  origin.put('many.zip', buildZip(members))
  for (const source of ['objects/', 'numbers/', 'many.zip']) {
    const answer = await get(source, 'zarr.json')
    assert.equal(answer.statusCode, 413, `${source}: ${answer.body.slice(0, 300)}`)
  }
})

test('a hierarchy of 10,000 arrays is served', async () => {
  const nodes = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a${at}`, v3Array()]))
  putStore(origin, 'wide', { 'zarr.json': v3Group(nodes) })
  const root = (await get('wide/', 'zarr.json')).json()
  assert.equal(Object.keys(root.consolidated_metadata.metadata).length, 10_000)
  assert.equal((await get('wide/', 'a9999/zarr.json')).statusCode, 200)
})
