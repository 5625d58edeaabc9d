// Golden values: zfpy 1.0.1 (test/codecs/vectors/make-zfpy.py).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { exportKerchunk } from '../../../src/service/export/export.ts'
import { type FolderStores, numbersOf, storesOf } from '../tiff/store.ts'

const VECTORS: readonly { id: string; shape: number[]; stored: string; sha256: string }[] = readFileSync(
  new URL('../../codecs/vectors/zfpy.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const { shape, stored, sha256 } = VECTORS.find(({ id }) => id === 'tolerance 0.001 float64 3x6x7') ?? fail()
const CONFIGURATION = { mode: 4, tolerance: 0.001, rate: -1, precision: -1 }

const V2 = { zarr_format: 2, shape, chunks: shape, dtype: '<f8', order: 'C', fill_value: 0, filters: null }
const COMPRESSOR = { id: 'zfpy', ...CONFIGURATION }
const V3 = {
  zarr_format: 3,
  node_type: 'array',
  shape,
  data_type: 'float64',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  fill_value: 0,
  attributes: {},
  codecs: [{ name: 'numcodecs.zfpy', configuration: CONFIGURATION }],
}

describe('Zarr whose chunks are compressed by zfpy', () => {
  let folder: string
  let stores: FolderStores
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'zarr-zfpy-'))
    stores = storesOf(pathToFileURL(`${folder}/`))
  })
  after(async () => {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function put(name: string, document: object, chunk: string) {
    const isV2 = 'chunks' in document
    for (const [path, content] of [
      [isV2 ? '.zarray' : 'zarr.json', JSON.stringify(document)],
      [chunk, Buffer.from(stored, 'base64')],
    ] as const) {
      const file = join(folder, name, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }

  for (const [name, document, chunk] of [
    ['v2', { ...V2, compressor: COMPRESSOR }, '0.0.0'],
    ['v2-filter', { ...V2, filters: [COMPRESSOR], compressor: null }, '0.0.0'],
    ['v3', V3, 'c/0/0/0'],
  ] as const) {
    test(`${name}: values under every profile, and the published codec in codecs=native`, async () => {
      put(name, document, chunk)
      for (const codecs of ['portable', 'native', 'raw']) {
        const store = stores.open(name, { codecs })
        const values = await numbersOf(store, '')
        assert.equal(createHash('sha256').update(values).digest('hex'), sha256, codecs)
      }
      const native = stores.open(name, { codecs: 'native' })
      const found = JSON.parse(JSON.stringify((await native.document(''))['codecs']))
      assert.deepEqual(
        found.map((codec: { name: string }) => codec.name),
        ['numcodecs.zfpy'],
      )
      // Clients get the stream as it is stored.
      assert.deepEqual(Buffer.from((await native.chunk('', [0, 0, 0])) ?? []).toString('base64'), stored)
    })
  }

  test('references of Kerchunk name the codec as numcodecs does', async () => {
    // Small arrays are written as plain values into the document.
    put('exported', { ...V2, shape: [30, 60, 70], compressor: COMPRESSOR }, '0.0.0')
    const { pieces } = await exportKerchunk(await stores.open('exported', { codecs: 'native' }).describe())
    const { refs } = JSON.parse(pieces.join(''))
    assert.deepEqual(JSON.parse(refs['.zarray']).filters, [COMPRESSOR])
  })

  test('numbers of the other byte order, and zfpy behind another codec, are refused by name', async () => {
    for (const [name, document] of [
      ['big', { ...V2, dtype: '>f8', compressor: COMPRESSOR }],
      ['behind', { ...V2, filters: [{ id: 'zlib', level: 1 }], compressor: COMPRESSOR }],
    ] as const) {
      put(name, document, '0.0.0')
      await assert.rejects(stores.open(name).document(''), { code: 'unsupported-feature', message: /zfpy/ })
    }
  })
})

function fail(): never {
  throw new Error('the vectors lack a stream')
}
