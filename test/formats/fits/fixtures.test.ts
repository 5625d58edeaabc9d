import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { JsonObject } from '../../../src/json/json.ts'
import { plain } from '../../corpus/expected.ts'
import { member } from '../../corpus/golden.ts'
import { zarritaLimit } from '../../corpus/read-zarrita.ts'
import { ServedStore } from '../../corpus/served-store.ts'
import { startService, storeUrl, type TestService } from '../../corpus/service.ts'
import { type StaticOrigin, startStaticOrigin } from '../../corpus/static-origin.ts'
import { hashOf } from '../../corpus/values.ts'

interface Golden {
  readonly files: Readonly<Record<string, Readonly<Record<string, { shape: number[]; dtype: string; sha256: string }>>>>
}

const FOLDER = new URL('../../fixtures/fits/', import.meta.url)
const golden = JSON.parse(readFileSync(new URL('golden.json', FOLDER), 'utf8')) as Golden

describe('FITS files of our own are served as astropy reads them', () => {
  let origin: StaticOrigin
  let service: TestService

  before(async () => {
    origin = await startStaticOrigin(FOLDER)
    service = await startService({ allowSources: [origin.url] })
  })
  after(async () => {
    await service?.close()
    await origin?.close()
  })

  const open = (file: string, options = '') => ServedStore.open(storeUrl(service, origin.url + file, options))

  for (const [file, arrays] of Object.entries(golden.files)) {
    test(`${file}: every array by value`, async () => {
      for (const options of ['', ';codecs=raw']) {
        const store = await open(file, options)
        const { documents } = store
        assert.deepEqual(servedArrays(documents), Object.keys(arrays).toSorted())
        for (const [path, expected] of Object.entries(arrays)) {
          const document = documents.get(path)
          assert.ok(document)
          const what = `${file} ${path} ${options}`
          assert.deepEqual(document['shape'], expected.shape, what)
          if (options === '') assert.equal(document['data_type'], expected.dtype, what)
          if (document['data_type'] !== expected.dtype) continue
          assert.equal(hashOf(await store.readOwn(path)), expected.sha256, `${what}: values`)
          if (zarritaLimit(document) !== undefined) continue
          const { values } = await store.readZarrita(path)
          assert.equal(hashOf(values), expected.sha256, `${what}: values in zarrita`)
        }
      }
    })
  }

  test('records become attributes in the types that they are written in', async () => {
    const { documents } = await open('headers.fits')
    const root = plain(documents.get('')?.['attributes'])
    assert.deepEqual(root, {
      LONGTEXT: `it's ${'a very long text that goes on & on; '.repeat(6).trimEnd()}`,
      'ESO TEL FOCU SCALE': 1.489,
      BIGINT: 12345678901234567890n,
      REAL: { float: 5 },
      TRUTH: 1,
      EMPTY: '',
      NOTHING: '',
      HISTORY: ['made', 'changed'],
      COMMENT: ['one'],
      TWICE: [1, 2],
      SAME: 'x',
    })
    assert.deepEqual(plain(documents.get('SCI')?.['attributes']), {
      EXTNAME: 'SCI',
      EXTVER: 1,
      units: 'Jy/beam',
      hdu: 1,
    })
    assert.deepEqual(plain(documents.get('DQ')?.['attributes']), { EXTNAME: 'DQ', PIXVALUE: 4, hdu: 4 })
    assert.equal(member(documents.get('A_B')?.['attributes'], 'virtual_zarr:name'), 'A/B')
  })

  test('FV-FITS-1: packing and sentinels of columns are their attributes', async () => {
    const { documents } = await open('tables.fits')
    const attributes = (path: string) => plain(documents.get(path)?.['attributes'])
    assert.deepEqual(attributes('STARS/COUNT'), { TUCD: 'phot.count', units: 'adu', _FillValue: -99 })
    assert.equal(documents.get('STARS/COUNT')?.['fill_value'], -99)
    assert.deepEqual(attributes('STARS/PACKED'), { TDISP: 'F8.2', scale_factor: 0.5, add_offset: { float: 10 } })
    assert.deepEqual(attributes('STARS/BITS'), { bits: 11 })
    assert.deepEqual(attributes('TEXT/id'), { _FillValue: -(2 ** 31) })
    assert.deepEqual(attributes('STARS'), { EXTNAME: 'STARS', OBSERVER: 'Nobody', hdu: 1 })
  })

  test('PACK-2: parameters of random groups have their own packing', async () => {
    const { documents } = await open('groups.fits')
    assert.deepEqual(plain(documents.get('PRIMARY/VV')?.['attributes']), {
      scale_factor: 0.5,
      add_offset: { float: 0 },
    })
    assert.equal(member(documents.get('PRIMARY')?.['attributes'], 'OBJECT'), 'visibilities')
  })
})

function servedArrays(documents: ReadonlyMap<string, JsonObject>): string[] {
  const arrays = [...documents].filter(([, { node_type: type }]) => type === 'array')
  return arrays.map(([path]) => path).toSorted()
}
