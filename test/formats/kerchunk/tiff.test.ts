import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, runApp, storeUrlOf } from '../../helpers/app.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { putStore, v3Array } from '../../helpers/zarr-store.ts'
import { ZGROUP, zarray } from './parse.ts'

/** TIFFs and the references to them that tifffile wrote, with what fsspec, zarr-python and imagecodecs read. */
const FIXTURES = new URL('../../fixtures/kerchunk/tiff/', import.meta.url)
const golden = JSON.parse(readFileSync(new URL('golden.json', FIXTURES), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>

/** Codecs of the documents in `native`, where they are not those of the case's name. */
const NATIVE: Readonly<Record<string, readonly string[]>> = {
  lzw: ['bytes', 'imagecodecs_lzw'],
  lzw_delta_big: ['imagecodecs_delta', 'bytes', 'imagecodecs_lzw'],
  zlib_floatpred: ['imagecodecs_floatpred', 'bytes', 'numcodecs.zlib'],
  zstd: ['bytes', 'zstd'],
  jpeg: ['bytes', 'imagecodecs_jpeg'],
  jpegxr: ['bytes', 'imagecodecs_jpegxr'],
}

let origin: Origin
let app: RunningApp

before(async () => {
  origin = await startOrigin()
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  for (const name of readdirSync(FIXTURES)) origin.put(`tiff/${name}`, readFileSync(new URL(name, FIXTURES)))
})
after(async () => {
  await app.close()
  await origin.close()
})

const get = async (url: string) => await app.http.inject({ method: 'GET', url })
const storeOf = (name: string, codecs: string) => `${storeUrlOf(app, origin.url(name)).slice(0, -1)};codecs=${codecs}/`

describe('references to TIFF, as tifffile writes them', () => {
  for (const [name, chunks] of Object.entries(golden)) {
    if (name === 'jpegxr') continue
    test(`${name}: chunks are those that imagecodecs decodes`, async () => {
      const store = storeOf(`tiff/${name}.json`, 'raw')
      const { codecs, data_type: type } = (await get(`${store}zarr.json`)).json()
      for (const [at, sha256] of Object.entries(chunks)) {
        const { statusCode, rawPayload } = await get(`${store}c/${at}`)
        assert.equal(statusCode, 200, at)
        const isBig = codecs[0].configuration.endian === 'big'
        const bytes = isBig ? reversed(rawPayload, type) : rawPayload
        assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, at)
      }
      assert.equal((await get(`${storeOf(`tiff/${name}.json`, 'portable')}zarr.json`)).statusCode, 200)
    })
  }

  for (const [name, codecs] of Object.entries(NATIVE)) {
    test(`${name}: in native the stored bytes go out under names that clients know`, async () => {
      const store = storeOf(`tiff/${name}.json`, 'native')
      const document = (await get(`${store}zarr.json`)).json()
      assert.deepEqual(
        document.codecs.map((codec: { name: string }) => codec.name),
        codecs,
      )
      const references = JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'))
      const [file, offset, length] = references['1.1']
      const stored = readFileSync(new URL(file, FIXTURES)).subarray(offset, offset + length)
      assert.deepEqual((await get(`${store}c/1/1`)).rawPayload, stored)
    })
  }
})

function reversed(bytes: Buffer, type: string): Buffer {
  const size = Number(/\d+$/.exec(type)?.[0] ?? 8) / 8
  return Buffer.concat(
    Array.from({ length: bytes.length / size }, (_, i) =>
      Buffer.from(bytes.subarray(i * size, i * size + size)).reverse(),
    ),
  )
}

describe('codecs that this server does not know', () => {
  const squash = { id: 'acme_squash', level: 3 }
  const STORED = Buffer.from('not known to anyone here')

  test('of references: in native the bytes pass as they are, under numcodecs and the name of the source', async () => {
    const refs = {
      '.zgroup': ZGROUP,
      'a/.zarray': zarray([4], [4], { filters: [squash] }),
      'a/0': ['stored.bin', 0, STORED.length],
      'b/.zarray': zarray([1], [1]),
      'b/0': '\u0001\u0000\u0000\u0000',
    }
    origin.put('squashed.json', Buffer.from(JSON.stringify({ version: 1, refs })))
    origin.put('stored.bin', STORED)
    const native = storeOf('squashed.json', 'native')
    const { codecs } = (await get(`${native}a/zarr.json`)).json()
    assert.deepEqual(codecs, [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'numcodecs.acme_squash', configuration: { level: 3 } },
    ])
    assert.deepEqual((await get(`${native}a/c/0`)).rawPayload, STORED)
    for (const codecs of ['portable', 'raw']) {
      const store = storeOf('squashed.json', codecs)
      const { attributes } = (await get(`${store}zarr.json`)).json()
      assert.match(attributes.virtual_zarr.skipped.a, /numcodecs\.acme_squash is not decoded/)
      assert.equal((await get(`${store}a/c/0`)).statusCode, 501)
    }
  })

  test('of Zarr v3: the same, under the name of the source', async () => {
    const codecs = [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'acme.squash', configuration: { level: 3 } },
    ]
    putStore(origin, 'squashed.zarr', { 'zarr.json': v3Array({ codecs }), 'c/0': STORED })
    const store = storeOf('squashed.zarr/', 'native')
    assert.deepEqual((await get(`${store}zarr.json`)).json().codecs, codecs)
    assert.deepEqual((await get(`${store}c/0`)).rawPayload, STORED)
    assert.equal((await get(`${storeOf('squashed.zarr/', 'portable')}zarr.json`)).statusCode, 501)
  })

  test('they are exported as they are', async () => {
    const { refs } = (await get(`/export?url=${encodeURIComponent(origin.url('squashed.json'))}`)).json()
    assert.deepEqual(JSON.parse(refs['a/.zarray']).filters, [squash])
    assert.deepEqual(refs['a/0'], [origin.url('stored.bin'), 0, STORED.length])
  })

  test('names of this server are not reached from documents', async () => {
    const codecs = [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'vz.deflate-raw', configuration: {} },
    ]
    putStore(origin, 'reached.zarr', { 'zarr.json': v3Array({ codecs }), 'c/0': STORED })
    assert.equal((await get(`${storeOf('reached.zarr/', 'native')}zarr.json`)).statusCode, 501)
  })
})
