import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { documentOf } from '../formats/dmrpp/parse.ts'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { putStore, v2Array, v3Array } from '../helpers/zarr-store.ts'

// Issue 26, A1: documents of references name data files, of which each version must have tags and cache keys of its own.
let origin: Origin
let app: RunningApp
let patient: RunningApp
before(async () => {
  origin = await startOrigin()
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, VZ_FRESH_SECONDS: '0' })
  patient = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, VZ_FRESH_SECONDS: '600' })
})
after(async () => {
  await app.close()
  await patient.close()
  await origin.close()
})
beforeEach(() => origin.heal())

type Headers = Record<string, string>
const storeOf = (source: string, options = '') =>
  `/zarr/~${Buffer.from(origin.url(source)).toString('base64url')}${options}/`
const get = async (url: string, headers: Headers = {}, of = app) => {
  const { statusCode: status, headers: found, rawPayload: bytes } = await of.http.inject({ url, headers })
  return {
    status,
    bytes,
    etag: String(found.etag),
    cache: String(found['cache-control']),
    link: String(found.link),
    json: () => JSON.parse(bytes.toString()),
  }
}
const pinnedOf = async (source: string, of = app) => {
  const { link } = await get(`${storeOf(source)}zarr.json`, {}, of)
  return storeOf(source, `;${/version=[\w-]+/.exec(link)?.[0]}`)
}

const FILE_BYTES = 50_000
const CHUNK_BYTES = 1000
let versions = 0
/** Values of the chunks of a file, `add` in each of them and its own number in the first. */
function putData(path: string, add: number, chunks = 4, deflated = true): void {
  const file = Buffer.alloc(FILE_BYTES, 7)
  for (let at = 0; at < chunks; at++) {
    const values = Buffer.alloc(CHUNK_BYTES, add)
    values[0] = at
    // Not compressed, so that every chunk has one length, and decoded all the same.
    file.set(deflated ? deflateSync(values, { level: 0 }) : values, 1000 + at * 2000)
  }
  origin.put(path, { bytes: file, etag: `"d${++versions}"`, lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' })
}
const STORED_BYTES = deflateSync(Buffer.alloc(CHUNK_BYTES), { level: 0 }).length

/** A document of one array, of so many chunks of each data file. */
function putReferences(
  folder: string,
  files: readonly string[],
  chunks = 4,
  deflated = true,
  lastModified = 'Tue, 02 Jan 2024 00:00:00 GMT',
): void {
  const rows = files.length
  const zarray = v2Array({
    shape: [rows, chunks * CHUNK_BYTES],
    chunks: [1, CHUNK_BYTES],
    dtype: '|u1',
    compressor: deflated ? { id: 'zlib', level: 1 } : null,
  })
  const refs: Record<string, unknown> = {
    '.zgroup': '{"zarr_format":2}',
    'a/.zarray': JSON.stringify(zarray),
    'a/.zattrs': '{"_ARRAY_DIMENSIONS":["y","x"]}',
  }
  const length = deflated ? STORED_BYTES : CHUNK_BYTES
  for (const [row, file] of files.entries())
    for (let at = 0; at < chunks; at++) refs[`a/${row}.${at}`] = [origin.url(file), 1000 + at * 2000, length]
  const bytes = Buffer.from(JSON.stringify({ version: 1, refs }))
  origin.put(`${folder}/refs.json`, { bytes, etag: '"refs"', lastModified })
}

function putDmrpp(folder: string): void {
  const chunk = (at: number) =>
    `<dmrpp:chunk offset="${1000 + at * 2000}" nBytes="${CHUNK_BYTES}" chunkPositionInArray="[${at * CHUNK_BYTES}]"/>`
  const chunks = `<dmrpp:chunks><dmrpp:chunkDimensionSizes>${CHUNK_BYTES}</dmrpp:chunkDimensionSizes>${[0, 1, 2, 3].map(chunk).join('')}</dmrpp:chunks>`
  const text = documentOf(
    `<Dimension name="x" size="${4 * CHUNK_BYTES}"/><UInt8 name="a"><Dim name="/x"/>${chunks}</UInt8>`,
    'dmrpp:href="data.h5" dmrpp:version="3.21"',
  )
  origin.put(`${folder}/data.h5.dmrpp`, Buffer.from(text))
}

describe('a data file that is replaced', () => {
  test('codecs=raw: after zarr.json was asked for again no chunk of the old version is left', async () => {
    putReferences('raw', ['raw/data.bin'])
    putData('raw/data.bin', 1)
    const store = storeOf('raw/refs.json', ';codecs=raw')
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    const before = [await get(`${store}a/c/0/0`), await get(`${store}a/c/0/1`)]
    for (const { status, bytes } of before) assert.deepEqual([status, bytes[5]], [200, 1])
    putData('raw/data.bin', 2)
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    // Nobody may have noticed yet: then these are old, or refused. Once one of them was refused, all are.
    assert.equal((await get(`${store}a/c/0/2`)).status, 409)
    for (const at of [0, 1, 2, 3]) assert.equal((await get(`${store}a/c/0/${at}`)).status, 409)
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    for (const at of [0, 1, 2, 3]) {
      const chunk = await get(`${store}a/c/0/${at}`)
      assert.deepEqual([chunk.status, chunk.bytes[0], chunk.bytes[5]], [200, at, 2], `chunk ${at}`)
      assert.notEqual(chunk.etag, before[at]?.etag)
    }
  })

  for (const [format, document, data, key] of [
    ['Kerchunk', 'refs.json', 'data.bin', 'a/c/0/0'],
    ['DMR++', 'data.h5.dmrpp', 'data.h5', 'a/c/0'],
  ] as const) {
    for (const options of ['', ';codecs=raw', `;chunks=${format === 'DMR++' ? '' : 'y:1,'}x:700`, ';inline=a']) {
      test(`${format}${options}: its tags are of one version, for If-None-Match and for If-Range`, async () => {
        const folder = `conditions-${++versions}`
        const file = `${folder}/${data}`
        if (format === 'DMR++') putDmrpp(folder)
        else putReferences(folder, [file])
        putData(file, 1, 4, format !== 'DMR++')
        const store = storeOf(`${folder}/${document}`, options)
        const old = await get(store + key)
        assert.equal(old.status, 200, old.bytes.toString())
        const held = { 'if-none-match': old.etag }
        assert.equal((await get(store + key, held)).status, 304)
        const part = { range: 'bytes=0-99', 'if-range': old.etag }
        assert.equal((await get(store + key, part)).status, 206)
        putData(file, 2, 4, format !== 'DMR++')
        assert.equal((await get(store + key, held)).status, 409)
        assert.equal((await get(`${store}zarr.json`)).status, 200)
        const now = await get(store + key, held)
        assert.equal(now.status, 200)
        assert.notEqual(now.etag, old.etag)
        assert.notDeepEqual(now.bytes, old.bytes)
        const rest = await get(store + key, part)
        assert.deepEqual([rest.status, rest.bytes], [200, now.bytes])
        const head = await app.http.inject({ method: 'HEAD', url: store + key })
        assert.deepEqual([head.statusCode, head.headers.etag], [200, now.etag])
      })
    }
  }

  test('another process has other tags for another version, and the same for the same', async () => {
    for (const options of ['', ';codecs=raw', ';chunks=y:1,x:700']) {
      const folder = `two-${++versions}`
      putReferences(folder, [`${folder}/data.bin`])
      putData(`${folder}/data.bin`, 1)
      const url = `${storeOf(`${folder}/refs.json`, options)}a/c/0/0`
      const one = await get(url)
      assert.equal(one.status, 200)
      const other = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
      assert.equal((await get(url, {}, other)).etag, one.etag, options)
      await other.close()
      putData(`${folder}/data.bin`, 2)
      const third = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
      const now = await get(url, { 'if-none-match': one.etag }, third)
      assert.equal(now.status, 200, options)
      assert.notEqual(now.etag, one.etag, options)
      await third.close()
    }
  })

  test('pinned: the version of a document does not fix its data files', async () => {
    putReferences('pin', ['pin/data.bin'])
    putData('pin/data.bin', 1)
    const pinned = await pinnedOf('pin/refs.json')
    for (const options of ['', ';codecs=raw', ';chunks=y:1,x:700']) {
      const store = `${pinned.slice(0, -1)}${options}/`
      assert.match((await get(`${store}zarr.json`)).cache, /immutable/, options)
      const chunk = await get(`${store}a/c/0/0`)
      assert.equal(chunk.status, 200, `${options} ${chunk.bytes}`)
      assert.doesNotMatch(chunk.cache, /immutable/, options)
    }
  })

  test('chunks of other files are served on', async () => {
    putReferences('others', ['others/0.bin', 'others/1.bin'])
    for (const at of [0, 1]) putData(`others/${at}.bin`, 1)
    for (const options of ['', ';codecs=raw']) {
      const store = storeOf('others/refs.json', options)
      await get(`${store}zarr.json`)
      for (const row of [0, 1]) assert.equal((await get(`${store}a/c/${row}/0`)).status, 200)
      putData('others/1.bin', 2 + versions)
      assert.equal((await get(`${store}a/c/1/1`)).status, 409)
      assert.equal((await get(`${store}a/c/1/0`)).status, 409, 'of the same file')
      const other = await get(`${store}a/c/0/1`)
      assert.equal(other.status, 200, other.bytes.toString())
      assert.equal((await get(`${store}a/c/0/0`)).status, 200)
      assert.equal((await get(`${store}zarr.json`)).status, 200)
      for (const at of [0, 1]) assert.equal((await get(`${store}a/c/1/${at}`)).status, 200)
    }
  })

  test('one of 1,105 data files: its version is remembered, however many were read since', async () => {
    const names = Array.from({ length: 1105 }, (_none, at) => `many/${at}.bin`)
    putReferences('many', names, 2)
    for (const name of names) putData(name, 1, 2)
    const store = storeOf('many/refs.json')
    assert.equal((await get(`${store}a/c/1/0`)).status, 200)
    for (let row = 0; row < names.length; row++) if (row !== 1) await get(`${store}a/c/${row}/0`)
    putData('many/1.bin', 2, 2)
    assert.equal((await get(`${store}a/c/1/1`)).status, 409)
    assert.equal((await get(`${store}a/c/2/1`)).status, 200)
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    const now = await get(`${store}a/c/1/1`)
    assert.equal(now.status, 200)
  })

  test('a join of such documents has tags of one version, and is not immutable', async () => {
    putReferences('join', ['join/0.bin'])
    for (const name of ['one', 'two']) {
      putReferences(`join/${name}`, [`join/${name}/data.bin`])
      putData(`join/${name}/data.bin`, 1)
    }
    const document = { virtual_zarr: 'join/1', sources: ['one/refs.json', 'two/refs.json'], along: 'y' }
    origin.put('join/join.json', Buffer.from(JSON.stringify(document)))
    for (const options of ['', ';codecs=raw', ';chunks=y:2,x:700']) {
      const store = storeOf('join/join.json', options)
      const key = options.includes('chunks') ? 'a/c/0/0' : 'a/c/1/0'
      assert.equal((await get(`${store}zarr.json`)).status, 200)
      const old = await get(store + key)
      assert.equal(old.status, 200, old.bytes.toString())
      assert.equal((await get(store + key, { 'if-none-match': old.etag })).status, 304)
      putData('join/two/data.bin', 2 + versions)
      assert.equal((await get(store + key, { 'if-none-match': old.etag })).status, 409, options)
      if (!options.includes('chunks')) assert.equal((await get(`${store}a/c/0/0`)).status, 200)
      assert.equal((await get(`${store}zarr.json`)).status, 200)
      const now = await get(store + key, { 'if-none-match': old.etag })
      assert.equal(now.status, 200, options)
      assert.notEqual(now.etag, old.etag)
      assert.notDeepEqual(now.bytes, old.bytes)
    }
    const pinned = await pinnedOf('join/join.json')
    assert.doesNotMatch((await get(`${pinned}a/c/1/0`)).cache, /immutable/)
    assert.doesNotMatch((await get(`${pinned}zarr.json`)).cache, /immutable/)
  })

  test('where it is newer than its document, that is told once it was read', async () => {
    putReferences('newer', ['newer/data.bin'], 4, true, 'Sun, 31 Dec 2023 00:00:00 GMT')
    putData('newer/data.bin', 1)
    const inspect = `/inspect?url=${encodeURIComponent(origin.url('newer/refs.json'))}`
    assert.doesNotMatch((await get(inspect)).bytes.toString(), /reference-outdated/)
    assert.equal((await get(`${storeOf('newer/refs.json')}a/c/0/0`)).status, 200)
    const { warnings } = (await get(inspect)).json()
    const told = warnings.find(({ code }: { code: string }) => code === 'reference-outdated')
    assert.match(told?.message ?? '', /1 data file/)
    assert.deepEqual(told?.values, [origin.url('newer/data.bin')])
    assert.match((await get('/metrics')).bytes.toString(), /vz_diagnostics\{code="reference-outdated"\} 1/)
  })
})

describe('objects of a Zarr folder', () => {
  for (const told of [true, false]) {
    test(`a view of them has tags of their versions (validators: ${told})`, async () => {
      const put = (at: number, value: number) => {
        const bytes = Buffer.from(Int16Array.of(value, value, value, value).buffer)
        origin.put(`view-${told}/c/${at}`, told ? { bytes, etag: `"o${++versions}"` } : { bytes })
      }
      const grid = { name: 'regular', configuration: { chunk_shape: [4] } }
      putStore(origin, `view-${told}`, { 'zarr.json': v3Array({ shape: [8], chunk_grid: grid }) })
      for (const at of [0, 1]) put(at, 1)
      for (const [options, key] of [
        ['', 'c/1'],
        [';codecs=raw', 'c/1'],
        [';chunks=x:8', 'c/0'],
      ] as const) {
        put(1, 1)
        const url = storeOf(`view-${told}/`, options) + key
        const old = await get(url)
        assert.equal(old.status, 200)
        const pinned = await pinnedOf(`view-${told}/`)
        assert.doesNotMatch((await get(`${pinned.slice(0, -1)}${options}/${key}`)).cache, /immutable/, options)
        put(1, 9)
        const now = await get(url, { 'if-none-match': old.etag })
        assert.equal(now.status, 200, options)
        assert.notEqual(now.etag, old.etag, options)
        const part = await get(url, { 'if-range': old.etag, range: 'bytes=0-3' })
        assert.deepEqual([part.status, part.bytes.length], [200, now.bytes.length], options)
      }
    })
  }
})

test('requests: a tag is known without a request where the file is known, and costs one where it is not', async () => {
  putReferences('counted', ['counted/data.bin'])
  putData('counted/data.bin', 1)
  const store = storeOf('counted/refs.json')
  await get(`${store}zarr.json`, {}, patient)
  origin.forget()
  assert.equal((await get(`${store}a/c/0/0`, {}, patient)).status, 200)
  assert.equal(origin.requests.length, 1, 'a chunk of a file that nobody has read')
  origin.forget()
  const { etag } = await get(`${store}a/c/0/1`, {}, patient)
  assert.equal(origin.requests.length, 1)
  origin.forget()
  assert.equal((await get(`${store}a/c/0/1`, { 'if-none-match': etag }, patient)).status, 304)
  assert.equal((await patient.http.inject({ method: 'HEAD', url: `${store}a/c/0/2` })).statusCode, 200)
  assert.equal(origin.requests.length, 0, 'of a file that is known')
  const fresh = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  await get(`${store}zarr.json`, {}, fresh)
  origin.forget()
  assert.equal((await get(`${store}a/c/0/1`, { 'if-none-match': etag }, fresh)).status, 304)
  assert.equal(origin.requests.length, 1, 'of one that is not')
  await fresh.close()
})
