import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { chunkFileUrls, dataFileUrls } from '../../../src/formats/dmrpp/data-file.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../../src/source/settings.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { type TestStores, testStores } from '../../helpers/test-stores.ts'
import { documentOf } from './parse.ts'

const SIDECAR = 'https://example.org/folder/data.h5.dmrpp?key=secret'
const FOLDER = 'https://example.org/folder/'

function urls(href: string | undefined, { sidecar = SIDECAR, data = undefined as string | undefined } = {}) {
  return dataFileUrls({ sidecar, href, data })
}

test('a URL is taken as it is, a path is looked for, then its last segment, then the namesake', () => {
  assert.deepEqual(urls('https://other.org/x.h5?sig=1'), ['https://other.org/x.h5?sig=1'])
  assert.deepEqual(urls('s3://bucket/x.h5'), ['s3://bucket/x.h5'])
  assert.deepEqual(urls('sub/x.h5'), [`${FOLDER}sub/x.h5`, `${FOLDER}x.h5`, `${FOLDER}data.h5`])
  assert.deepEqual(urls('data.h5'), [`${FOLDER}data.h5`])
  assert.deepEqual(urls('a#b?c%20d.h5'), [`${FOLDER}a%23b%3Fc%20d.h5`, `${FOLDER}data.h5`])
  assert.deepEqual(urls(undefined), [`${FOLDER}data.h5`])
  assert.deepEqual(urls(undefined, { sidecar: `${FOLDER}other.xml` }), [])
})

test('placeholders are no file', () => {
  assert.deepEqual(urls('OPeNDAP_DMRpp_DATA_ACCESS_URL'), [`${FOLDER}data.h5`])
  for (const href of ['OPeNDAP_DMRpp_DATA_ACCESS_URL', 'template://x']) {
    assert.equal(urls(href).at(-1), `${FOLDER}data.h5`)
    assert.ok(urls(href).every((url) => url.startsWith(FOLDER)))
  }
})

test('a path never leads out of the folder', () => {
  for (const href of ['../x.h5', '/etc/x.h5', 'a/../../x.h5', '%2e%2e/x.h5', '//other.org/x.h5', 'a\\..\\x.h5', '..']) {
    for (const url of urls(href)) assert.ok(url.startsWith(FOLDER), `${href}: ${url}`)
  }
})

test('a remote sidecar names no local files, a local one may', () => {
  assert.deepEqual(urls('file:///etc/x.h5'), [`${FOLDER}x.h5`, `${FOLDER}data.h5`])
  const local = urls('file:///data/x.h5', { sidecar: 'file:///home/data.h5.dmrpp' })
  assert.deepEqual(local, ['file:///data/x.h5', 'file:///home/x.h5', 'file:///home/data.h5'])
})

test('the option data stands for the file of the document', () => {
  assert.deepEqual(urls('https://other.org/x.h5', { data: 'https://a.org/b' }), ['https://a.org/b'])
})

test('a file that chunks name is never taken for the namesake', () => {
  const input = { sidecar: SIDECAR, href: 'data.h5', data: undefined }
  assert.deepEqual(chunkFileUrls('sub/x.h5', input, false), [`${FOLDER}sub/x.h5`, `${FOLDER}x.h5`])
  const missing = chunkFileUrls('OPeNDAP_DMRpp_MISSING_DATA_ACCESS_URL', input, false)
  assert.deepEqual(missing, [`${FOLDER}data.h5_mvs.h5`])
  const data = 'https://a.org/b'
  assert.deepEqual(chunkFileUrls('x.h5', { ...input, data }, false), [`${FOLDER}x.h5`])
  assert.deepEqual(chunkFileUrls('x.h5', { ...input, data, href: undefined }, true), [data])
})

const VARIABLE = (more = '') => `<Byte name="a"><Dim size="4"/><dmrpp:chunks fillValue="0">
  <dmrpp:chunkDimensionSizes>2</dmrpp:chunkDimensionSizes>
  <dmrpp:chunk offset="2" nBytes="2" chunkPositionInArray="[0]" ${more}/></dmrpp:chunks></Byte>`
const DATA = Uint8Array.of(0, 1, 2, 3, 4)

describe('the data file is looked for when a chunk is first read', () => {
  let origin: Origin
  let stores: TestStores
  before(async () => {
    origin = await startOrigin()
  })
  beforeEach(async () => {
    await stores?.close()
    origin.forget()
    for (const path of ['f/sub/x.h5', 'f/x.h5', 'f/data.h5', 'else.h5']) origin.remove(path)
    stores = testStores({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base] })
  })
  after(async () => {
    await stores.close()
    await origin.close()
  })

  const put = (href: string, more = '') => {
    const text = documentOf(VARIABLE(more), `dmrpp:href="${href}" dmrpp:version="3.21"`)
    origin.put('f/data.h5.dmrpp', new TextEncoder().encode(text))
    return origin.url('f/data.h5.dmrpp')
  }
  const paths = () => origin.requests.map(({ path }) => path)

  test('GEN-10: metadata is served without it, by one request; a chunk is an error that can be tried again', async () => {
    const store = stores.open(put('sub/x.h5'))
    await store.document('')
    await store.document('a')
    assert.deepEqual(paths(), ['/f/data.h5.dmrpp'])
    await assert.rejects(store.chunk('a', [0]), (error) => isVirtualZarrError(error, 'source-not-found'))
    assert.deepEqual(paths().slice(1), ['/f/sub/x.h5', '/f/x.h5', '/f/data.h5'])
    assert.equal(await store.chunk('a', [1]), undefined)
    origin.put('f/data.h5', DATA)
    assert.deepEqual(await store.chunk('a', [0]), Uint8Array.of(2, 3))
  })

  test('the first that exists, found once', async () => {
    origin.put('f/x.h5', DATA)
    origin.put('f/data.h5', Uint8Array.of(9, 9, 9, 9, 9))
    const store = stores.open(put('sub/x.h5'))
    assert.deepEqual(await store.chunk('a', [0]), Uint8Array.of(2, 3))
    origin.forget()
    assert.deepEqual(await store.chunk('a', [0]), Uint8Array.of(2, 3))
    // The head that opening brought may hold it.
    assert.ok(paths().length <= 1 && paths().every((path) => path === '/f/x.h5'))
  })

  test('an origin that is down is no reason to take another file', async () => {
    origin.answer('f/sub/x.h5', 500)
    origin.put('f/data.h5', DATA)
    await assert.rejects(stores.open(put('sub/x.h5')).chunk('a', [0]), (error) =>
      isVirtualZarrError(error, 'source-unavailable'),
    )
  })

  test(';data= is the data file', async () => {
    origin.put('else.h5', DATA)
    const store = stores.open(put('sub/x.h5'), { data: origin.url('else.h5') })
    assert.deepEqual(await store.chunk('a', [0]), Uint8Array.of(2, 3))
  })

  test('a data file that was replaced is a conflict until the store is opened again, never a mixture', async () => {
    // Behind the head that opening brings.
    const text = documentOf(VARIABLE().replace('offset="2"', 'offset="70000"'))
    origin.put('f/data.h5.dmrpp', new TextEncoder().encode(text))
    origin.put('f/data.h5', { bytes: new Uint8Array(70_002).fill(2), etag: '"old"' })
    const store = stores.open(origin.url('f/data.h5.dmrpp'))
    assert.deepEqual(await store.chunk('a', [0]), Uint8Array.of(2, 2))
    origin.put('f/data.h5', { bytes: new Uint8Array(70_002).fill(7), etag: '"new"' })
    await assert.rejects(store.chunk('a', [0]), (error) => isVirtualZarrError(error, 'source-changed'))
    await assert.rejects(store.chunk('a', [0]), (error) => isVirtualZarrError(error, 'source-changed'))
    await store.document('')
    assert.deepEqual(await store.chunk('a', [0]), Uint8Array.of(7, 7))
  })

  test('a chunk may lie in a file of its own', async () => {
    origin.put('f/x.h5', DATA)
    const store = stores.open(put('data.h5', 'href="x.h5"'))
    assert.deepEqual(await store.chunk('a', [0]), Uint8Array.of(2, 3))
  })

  test('a reference to where a client may not go costs its chunks, not the metadata', async () => {
    for (const href of ['http://127.0.0.1:9/x.h5', 'http://169.254.169.254/x']) {
      const store = stores.open(put(href))
      await store.document('a')
      await assert.rejects(store.chunk('a', [0]), (error) => isVirtualZarrError(error, 'source-forbidden'))
    }
  })

  test('a chunk behind the end of the data file is an error', async () => {
    origin.put('f/data.h5', Uint8Array.of(1, 2, 3))
    await assert.rejects(stores.open(put('data.h5')).chunk('a', [0]))
  })

  test('a long document is read once: the head that opening brought, and the rest in one request', async () => {
    const chunks = Array.from(
      { length: 20_000 },
      (_, i) => `<dmrpp:chunk offset="${i}" nBytes="1" chunkPositionInArray="[${i}]"/>`,
    )
    const text = documentOf(`<Byte name="a"><Dim size="20000"/><dmrpp:chunks fillValue="0">
      <dmrpp:chunkDimensionSizes>1</dmrpp:chunkDimensionSizes>${chunks.join('')}</dmrpp:chunks></Byte>`)
    const bytes = new TextEncoder().encode(text)
    assert.ok(bytes.length > 1_000_000)
    origin.put('f/data.h5.dmrpp', bytes)
    await stores.open(origin.url('f/data.h5.dmrpp')).document('')
    assert.equal(origin.requests.length, 2)
    assert.ok(origin.bytesSent < bytes.length + 2000)
  })
})
