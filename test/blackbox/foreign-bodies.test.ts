import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { bloscHeader } from '../../src/codecs/kernels/blosc-frame.ts'
import { crc32c } from '../../src/codecs/kernels/crc32c.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { startService, storeUrl, type TestService } from '../corpus/service.ts'
import { get } from '../corpus/store-client.ts'
import { type Fault, type Origin, startOrigin } from '../helpers/origin.ts'
import { putStore, v2Array, v3Array, v3Group } from '../helpers/zarr-store.ts'

let origin: Origin
let service: TestService
before(async () => {
  origin = await startOrigin()
  origin.put('login', { bytes: Buffer.from(html), contentType: 'text/html' })
  service = await startService({ allowSources: [origin.base], deadlines: DEFAULT_SOURCE_SETTINGS.deadlines })
})
after(async () => {
  await service.close()
  await origin.close()
})

const COUNT = 40_000
const values = Buffer.from(Int16Array.from({ length: COUNT }, (_, i) => (i * i) % 30_011).buffer)
const little = { name: 'bytes', configuration: { endian: 'little' } }
const text = Buffer.concat([
  Buffer.from('02000000', 'hex'),
  Buffer.from('0100000061', 'hex'),
  Buffer.from('0100000062', 'hex'),
])

/** A Blosc frame whose content is stored as it is. */
const blosc = Buffer.concat([
  bloscHeader({
    compressor: 'lz4',
    shuffle: 'none',
    memcpy: true,
    unsplit: false,
    itemSize: 2,
    decodedLength: values.length,
    blockLength: values.length,
    frameLength: 16 + values.length,
  }),
  values,
])

function shard(): Buffer {
  const index = Buffer.alloc(16)
  index.writeBigUInt64LE(0n)
  index.writeBigUInt64LE(BigInt(values.length), 8)
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32c(index))
  return Buffer.concat([values, index, sum])
}

const shardCodec = {
  name: 'sharding_indexed',
  configuration: { chunk_shape: [COUNT], codecs: [little], index_codecs: [little, { name: 'crc32c' }] },
}

interface Case {
  readonly document: string
  readonly array: Readonly<Record<string, unknown>>
  readonly key: string
  readonly stored: Buffer
}

const plain = { shape: [COUNT], chunk_grid: { name: 'regular', configuration: { chunk_shape: [COUNT] } } }
const v3 = (codecs: readonly unknown[], stored: Buffer): Case => ({
  document: 'zarr.json',
  array: v3Array({ ...plain, codecs }),
  key: 'c/0',
  stored,
})
const v2 = (compressor: unknown, stored: Buffer): Case => ({
  document: '.zarray',
  array: v2Array({ shape: [COUNT], chunks: [COUNT], compressor }),
  key: '0',
  stored,
})

const CASES: Readonly<Record<string, Case>> = {
  'not compressed': v3([little], values),
  'gzip, passed': v3([little, { name: 'gzip', configuration: { level: 5 } }], gzipSync(values)),
  'zstd, passed': v3(
    [little, { name: 'zstd', configuration: { level: 1, checksum: false } }],
    zstdCompressSync(values),
  ),
  'blosc, passed': v3(
    [little, { name: 'blosc', configuration: { cname: 'lz4', clevel: 5, shuffle: 'noshuffle' } }],
    blosc,
  ),
  'zlib, enveloped': v2({ id: 'zlib', level: 5 }, deflateSync(values)),
  'big-endian, recoded': v3([{ name: 'bytes', configuration: { endian: 'big' } }], Buffer.from(values).swap16()),
  text: {
    ...v3([{ name: 'vlen-utf8' }], text),
    array: v3Array({
      shape: [2],
      data_type: 'string',
      fill_value: '',
      codecs: [{ name: 'vlen-utf8' }],
    }),
  },
  'a shard': v3([shardCodec], shard()),
}

const html = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Who are you?</body></html>'
const page = (type: string | undefined, body = html): Fault => ({
  kind: 'status',
  status: 200,
  body,
  headers: { etag: '"other"', ...(type === undefined ? {} : { 'content-type': type }) },
})

const FAULTS: Readonly<Record<string, Fault>> = {
  'a page that says it is HTML': page('text/html; charset=utf-8'),
  'a page that says it is bytes': page('application/octet-stream'),
  'a page that says nothing': page(undefined),
  'an error document of an object store': page(
    'application/xml',
    '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
  ),
  'a short text': page('text/plain', 'try again later'),
  'an empty body': page('application/octet-stream', ''),
  'another coding': { kind: 'gzip' },
  'a redirect to a login page': { kind: 'status', status: 302, headers: { location: '/login' } },
  'a body shorter than it says': { kind: 'cut', after: 10, how: 'close' },
}

for (const [name, { document, array, key, stored }] of Object.entries(CASES)) {
  test(`foreign bodies in a Zarr folder are asked for again, and never handed on: ${name}`, async () => {
    const folder = name.replaceAll(/\W+/g, '-')
    putStore(origin, folder, { [document]: array, [key]: stored })
    const store = storeUrl(service, origin.url(`${folder}/`))
    const right = await get(`${store}c/0`)
    assert.equal(right.status, 200)
    for (const [what, fault] of Object.entries(FAULTS)) {
      origin.heal()
      origin.fault(fault, 1, `${folder}/${key}`)
      const once = await get(`${store}c/0`)
      assert.equal(once.status, 200, `${what}, once`)
      assert.equal(Buffer.compare(once.bytes, right.bytes), 0, `${what}, once`)
      origin.fault(fault, Number.POSITIVE_INFINITY, `${folder}/${key}`)
      for (const options of ['', ';codecs=native']) {
        const { status } = await get(`${store.slice(0, -1)}${options}/c/0`)
        assert.ok([422, 502].includes(status), `${what}, for ever${options}: ${status}`)
      }
      origin.heal()
      // What was made of it would be kept under its version.
      origin.put(`${folder}/${key}`, { bytes: stored, etag: `"${what.length}"` })
    }
  })
}

test('the index of a shard, asked for alone as clients do, is checked by its sum and its places', async () => {
  putStore(origin, 'index', { 'zarr.json': v3Array({ ...plain, codecs: [shardCodec] }), 'c/0': shard() })
  const ask = async () => await get(`${storeUrl(service, origin.url('index/'))}c/0`, { range: 'bytes=-20' })
  const right = await ask()
  assert.deepEqual([right.status, Buffer.from(right.bytes)], [206, shard().subarray(-20)])
  const damaged = shard()
  damaged[damaged.length - 10] = 0xff
  origin.put('index/c/0', { bytes: damaged, etag: '"damaged"' })
  assert.equal((await ask()).status, 422)
  origin.put('index/c/0', { bytes: shard(), etag: '"v1"' })
  origin.fault(page('application/octet-stream'), 1, 'index/c/0')
  assert.deepEqual((await ask()).bytes, right.bytes)
})

const DOCUMENT_FAULTS: Readonly<Record<string, Fault>> = {
  ...FAULTS,
  'the beginning of a document': page('application/json', '{"zarr_format": 3, "node_type"'),
}

test('foreign bodies are no documents of a Zarr folder: each is asked for again', async () => {
  const array = v2Array({ shape: [COUNT], chunks: [COUNT] })
  const folders: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    v3: { 'zarr.json': v3Array() },
    v2: { '.zarray': array, '.zattrs': { title: 'a' } },
    consolidated: {
      '.zmetadata': {
        zarr_consolidated_format: 1,
        metadata: { '.zgroup': { zarr_format: 2 }, 'a/.zarray': array, 'a/.zattrs': { title: 'a' } },
      },
    },
  }
  let count = 0
  for (const [name, documents] of Object.entries(folders)) {
    putStore(origin, name, documents)
    const right = await get(`${storeUrl(service, origin.url(`${name}/`))}zarr.json`)
    assert.equal(right.status, 200)
    for (const document of Object.keys(documents)) {
      for (const [what, fault] of Object.entries(DOCUMENT_FAULTS)) {
        const folder = `${name}-${count++}`
        putStore(origin, folder, documents)
        origin.fault(fault, 2, `${folder}/${document}`)
        const answer = await get(`${storeUrl(service, origin.url(`${folder}/`))}zarr.json`)
        assert.equal(answer.status, 200, `${document}: ${what}`)
        assert.equal(Buffer.compare(answer.bytes, right.bytes), 0, `${document}: ${what}`)
      }
    }
  }
})

test('a document that stays foreign is told as what it is', async () => {
  putStore(origin, 'stays', { 'zarr.json': Buffer.from('try again later') })
  const { status } = await get(`${storeUrl(service, origin.url('stays/'))}zarr.json`)
  assert.ok([415, 422].includes(status), String(status))
})

/** Two arrays of 4 in chunks of 3; what is joined of them is one chunk, put together of objects. */
const HALVES: Readonly<Record<string, readonly Uint8Array[]>> = {
  first: [Buffer.from(Int32Array.of(1, 2, 3).buffer), Buffer.from(Int32Array.of(4, 0, 0).buffer)],
  second: [Buffer.from(Int32Array.of(5, 6, 7).buffer), Buffer.from(Int32Array.of(8, 0, 0).buffer)],
}

test('foreign bodies are asked for again where a chunk is put together of several objects', async () => {
  const encodings: Readonly<Record<string, readonly [unknown[], (chunk: Uint8Array) => Uint8Array]>> = {
    plain: [[little], (chunk) => chunk],
    gzip: [[little, { name: 'gzip', configuration: { level: 1 } }], (chunk) => gzipSync(chunk)],
  }
  for (const [name, [codecs, encode]] of Object.entries(encodings)) {
    const chunked = { chunk_grid: { name: 'regular', configuration: { chunk_shape: [3] } }, codecs, data_type: 'int32' }
    for (const [half, [one, other]] of Object.entries(HALVES)) {
      const chunks = { 'v/c/0': encode(one ?? values), 'v/c/1': encode(other ?? values) }
      putStore(origin, `${name}-${half}`, { 'zarr.json': v3Group({ v: v3Array(chunked) }), ...chunks })
    }
    const sources = [`${name}-first/`, `${name}-second/`]
    origin.put(`${name}.json`, Buffer.from(JSON.stringify({ virtual_zarr: 'join/1', sources, along: 'x' })))
    const store = storeUrl(service, origin.url(`${name}.json`), ';codecs=raw')
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    const right = await get(`${store}v/c/0`)
    assert.deepEqual(
      [right.status, Buffer.from(right.bytes)],
      [200, Buffer.from(Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8).buffer)],
    )
    for (const [what, fault] of Object.entries(FAULTS)) {
      origin.heal()
      origin.fault(fault, 1, `${name}-second/v/c/0`)
      const once = await get(`${store}v/c/0`)
      assert.deepEqual([once.status, once.bytes], [200, right.bytes], `${name}: ${what}, once`)
      origin.fault(fault, Number.POSITIVE_INFINITY, `${name}-second/v/c/0`)
      const { status } = await get(`${store}v/c/0`)
      assert.ok([422, 502].includes(status), `${name}: ${what}, for ever: ${status}`)
    }
    origin.heal()
  }
})

test('an object that a reference names and that is gone is no chunk that was never written, wherever it is read', async () => {
  const zarray = JSON.stringify(v2Array({ chunks: [3], dtype: '<i4' }))
  for (const [half, [one, other]] of Object.entries(HALVES)) {
    putStore(origin, 'gone', { [`${half}-0`]: one, [`${half}-1`]: other })
    const refs = {
      '.zgroup': '{"zarr_format":2}',
      'v/.zarray': zarray,
      'v/.zattrs': '{"_ARRAY_DIMENSIONS":["x"]}',
      'v/0': [`gone/${half}-0`],
      'v/1': [`gone/${half}-1`],
    }
    origin.put(`gone-${half}.json`, Buffer.from(JSON.stringify({ version: 1, refs })))
  }
  const sources = ['gone-first.json', 'gone-second.json']
  origin.put('gone.json', Buffer.from(JSON.stringify({ virtual_zarr: 'join/1', sources, along: 'x' })))
  const store = storeUrl(service, origin.url('gone.json'))
  assert.equal((await get(`${store}zarr.json`)).status, 200)
  origin.remove('gone/second-0')
  const { status, bytes } = await get(`${store}v/c/0`)
  assert.equal(status, 424, Buffer.from(bytes).toString())
})

test('foreign bodies in a Zarr folder are asked for again where it is exported', async () => {
  const array = { ...plain, shape: [3 * COUNT] }
  const sharded = v3Array({ ...array, codecs: [shardCodec] })
  putStore(origin, 'shards', { 'zarr.json': v3Group({ v: sharded }), 'v/c/0': shard() })
  putStore(origin, 'objects', { 'zarr.json': v3Group({ v: v3Array(array) }), 'v/c/0': values })
  for (const folder of ['shards', 'objects']) {
    const ask = () => get(`${service.url}export?url=${encodeURIComponent(origin.url(`${folder}/`))}`)
    const right = await ask()
    assert.equal(right.status, 200, Buffer.from(right.bytes).toString())
    assert.match(Buffer.from(right.bytes).toString(), /"v\/0":\[/)
    for (const [what, fault] of Object.entries(FAULTS)) {
      origin.heal()
      origin.fault(fault, 1, `${folder}/v/c/0`)
      assert.deepEqual((await ask()).bytes, right.bytes, `${folder}: ${what}, once`)
      origin.fault(fault, Number.POSITIVE_INFINITY, `${folder}/v/c/0`)
      const { status, bytes } = await ask()
      // Of an object nothing but its head is asked for, and that is right here.
      const isUnseen = folder === 'objects' && fault.kind === 'cut'
      assert.ok(
        (isUnseen ? [200] : [422, 501, 502]).includes(status),
        `${folder}: ${what}, for ever: ${status} ${bytes}`,
      )
    }
    origin.heal()
  }
})

test('an object that is cut, and says that it is whole, is read again before it is refused', async () => {
  const codecs = [little, { name: 'gzip', configuration: { level: 5 } }]
  const objects = { 'zarr.json': v3Array({ ...plain, codecs }), 'c/0': gzipSync(values) }
  const short: Fault = { kind: 'length', announced: 1000, sent: 1000 }
  for (const options of [';codecs=raw', ';codecs=raw;chunks=x:7000']) {
    const folder = `cut-${options.length}`
    putStore(origin, folder, objects)
    origin.fault(short, 1, `${folder}/c/0`)
    const chunk = `${storeUrl(service, origin.url(`${folder}/`), options)}c/0`
    const once = await get(chunk)
    assert.equal(once.status, 200, `${options} ${Buffer.from(once.bytes)}`)
    assert.deepEqual(Buffer.from(once.bytes), values.subarray(0, once.bytes.length))
    origin.put(`${folder}/c/0`, { bytes: objects['c/0'], etag: '"cut"' })
    const heal = origin.fault(short, Number.POSITIVE_INFINITY, `${folder}/c/0`)
    origin.forget()
    assert.equal((await get(chunk)).status, 422, options)
    assert.equal(origin.requests.filter(({ path }) => path.endsWith('c/0')).length, 2)
    heal()
  }
})
