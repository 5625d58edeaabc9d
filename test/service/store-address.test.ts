import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import type { Catalog } from '../../src/service/catalog.ts'
import { addressBook, MOST_REMEMBERED_BYTES, parseStoreAddress, storePathOf } from '../../src/service/store-address.ts'
import { heapUsed } from '../helpers/heap-used.ts'

const url = 'https://data.example.org/a b/ü;x=1.nc?sig=1&t=a%2Fb'
const catalog: Catalog = new Map([
  [
    'sst',
    {
      id: 'sst',
      title: 'SST',
      description: '',
      sourceUrl: 'https://data.example.org/sst.nc',
      options: new Map([['codecs', 'native']]),
    },
  ],
])

test('URL-2: the ~ form, the percent-encoded form and the catalog id name a source', () => {
  const tilde = `~${Buffer.from(url).toString('base64url')}`
  assert.equal(parseStoreAddress(tilde, catalog).sourceUrl, new URL(url).href)
  assert.equal(parseStoreAddress(encodeURIComponent(url), catalog).sourceUrl, new URL(url).href)
  assert.equal(parseStoreAddress('sst', catalog).sourceUrl, 'https://data.example.org/sst.nc')
})

test('options follow the source, and win over those of the catalog', () => {
  assert.equal(parseStoreAddress('sst', catalog).options.codecs, 'native')
  assert.equal(parseStoreAddress('sst;codecs=raw', catalog).options.codecs, 'raw')
  assert.deepEqual(parseStoreAddress('sst;variables=a%2Cb,c', catalog).options.variables, ['a', 'b', 'c'])
})

test('the path that is given out leads back to the same source and options', () => {
  const path = storePathOf(url, new Map([['variables', 'a;b,c/d']]))
  const address = parseStoreAddress(path.slice('/zarr/'.length, -1), catalog)
  assert.equal(address.sourceUrl, new URL(url).href)
  assert.deepEqual(address.options.variables, ['a;b', 'c/d'])
})

test('what names no source is refused', () => {
  for (const segment of [
    '~',
    '~a+b',
    '~====',
    '%zz',
    'HTTP',
    '~/',
    'sst;codecs',
    'sst;codecs=raw;codecs=raw',
    '%2Fetc%2Fpasswd',
  ]) {
    assert.throws(
      () => parseStoreAddress(segment, catalog),
      (error) => isVirtualZarrError(error, 'invalid-request'),
      segment,
    )
  }
  assert.throws(
    () => parseStoreAddress('unknown-id', catalog),
    (error) => isVirtualZarrError(error, 'source-not-found'),
  )
})

test('GUARD-10: URLs that were asked for once take no more memory than is meant for it', () => {
  const manyOptions = ';variables=a,b,c;select=time:0..3;chunks=time:3;missing=mask;pyramid=auto'
  for (const options of ['', ';codecs=native', manyOptions]) {
    const addressOf = addressBook(catalog)
    const before = heapUsed()
    for (let i = 0; i < 12_000; i++) {
      // Cut out of a longer text, as the server's router does, and with its key as caches use it.
      const [, , segment = ''] = storePathOf(`https://data.example.org/${i}/sea-surface.nc`, new Map()).split('/')
      assert.equal(addressOf(segment + options).sourceKey.length > 0, true)
    }
    const bytes = heapUsed() - before
    assert.ok(bytes < 1.3 * MOST_REMEMBERED_BYTES, `${options}: ${bytes} bytes`)
    assert.equal(addressOf('sst').sourceUrl, 'https://data.example.org/sst.nc')
  }
})
