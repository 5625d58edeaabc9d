import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Float } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import { list, member, object } from '../../corpus/golden.ts'
import { hashOf } from '../../corpus/values.ts'
import { type FolderStores, numbersOf, storesOf } from './store.ts'

const FOLDER = new URL('../../fixtures/tiff/', import.meta.url)
const golden = object(member(parseJson(readFileSync(new URL('golden.json', FOLDER), 'utf8')), 'files'))

let stores: FolderStores
before(() => {
  stores = storesOf(FOLDER)
})
after(() => stores.close())

describe('files of tifffile and GDAL, in every profile', () => {
  for (const [file, entry] of Object.entries(golden)) {
    for (const codecs of ['portable', 'native', 'raw']) {
      test(`${file} in ${codecs}`, async () => {
        const store = stores.open(file, { layout: 'ifd', codecs })
        for (const [name, expected] of Object.entries(object(member(entry, 'arrays')))) {
          const document = await store.document(name)
          assert.deepEqual(document['shape'], list(member(expected, 'shape')))
          assert.equal(document['data_type'], member(expected, 'dtype'))
          const bytes = await numbersOf(store, name)
          assert.equal(hashOf({ kind: 'fixed', bytes }), member(expected, 'sha256'), `values of ${name}`)
        }
      })
    }
  }
})

test('a COG is a dataset with levels, and tiles that were never written are missing chunks', async () => {
  const store = stores.open('cog.tif')
  assert.equal(await store.chunk('band_data', [0, 2]), undefined)
  const document = await store.document('band_data')
  assert.equal(document['fill_value'], -9999)
  const attributes = object(document['attributes'])
  assert.equal(attributes['scale_factor'], 0.5)
  assert.deepEqual(attributes['add_offset'], new Float(2))
  const level = object((await store.document('1/band_data'))['attributes'])
  assert.equal(level['scale_factor'], 0.5)
  assert.deepEqual((await store.document('1/x'))['shape'], [96])
})

test('a pyramid in SubIFDs is a pyramid', async () => {
  const { nodes } = (await stores.open('pages.tif').describe()).store
  const arrays = [...nodes].filter(([, { kind }]) => kind === 'array').map(([path]) => path)
  assert.deepEqual(arrays, ['band_data', '0/band_data', '1/band_data', '2/band_data', 'page_1/band_data'])
})

test('bands of different meaning are arrays of their own, on overviews too', async () => {
  const store = stores.open('bands.tif')
  const { nodes } = (await store.describe()).store
  const arrays = [...nodes].filter(([path, { kind }]) => kind === 'array' && /band/.test(path)).map(([path]) => path)
  const names = ['band_1', 'band_2']
  assert.deepEqual(arrays, [...names, ...['0', '1'].flatMap((level) => names.map((name) => `${level}/${name}`))])
  for (const group of ['', '0/', '1/']) {
    const said = names.map(async (name) => {
      const { scale_factor, add_offset, units } = object((await store.document(group + name))['attributes'])
      return [scale_factor, add_offset, units]
    })
    assert.deepEqual(await Promise.all(said), [
      [0.5, new Float(0), 'm'],
      [0.25, -3.5, 'K'],
    ])
  }
  const bytes = Buffer.concat(await Promise.all(names.map((name) => numbersOf(store, name))))
  const expected = object(member(member(golden['bands.tif'], 'arrays'), '0'))
  assert.equal(hashOf({ kind: 'fixed', bytes }), expected['sha256'])
})

test('a mask is a group of its own', async () => {
  const { nodes } = (await stores.open('mask.tif').describe()).store
  assert.ok(nodes.has('mask/band_data'))
})

test('one-row strips are merged, and read as one chunk', async () => {
  const { nodes } = (await stores.open('strips.tif').describe()).store
  const node = nodes.get('band_data')
  assert.deepEqual(node?.kind === 'array' && node.array.chunkShape, [37, 50])
})
