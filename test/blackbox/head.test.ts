import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse as parseYaml } from 'yaml'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { startOrigin } from '../helpers/origin.ts'
import { v2Array } from '../helpers/zarr-store.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const SAME = ['content-length', 'content-type', 'content-range', 'etag', 'accept-ranges', 'cache-control', 'link']

let app: RunningApp
before(async () => {
  app = await runApp({}, { VZ_FILE_ROOT: fileURLToPath(EXAMPLES) })
})
after(async () => await app.close())

const examples = parseYaml(readFileSync(new URL('catalog.yaml', EXAMPLES), 'utf8')).datasets as {
  id: string
  url: string
}[]

interface Node {
  readonly node_type: string
  readonly shape: readonly number[]
}

/** Keys of every kind: documents, folders, the first and an absent chunk of each array. */
function keysOf(
  root: Node & { readonly consolidated_metadata?: { readonly metadata: Record<string, Node> } },
): string[] {
  const nodes = Object.entries({ '': root, ...root.consolidated_metadata?.metadata })
  return nodes.flatMap(([path, { node_type, shape }]) => {
    const folder = path === '' ? '' : `${encodeURI(path)}/`
    if (node_type === 'group') return [`${folder}zarr.json`, folder]
    const first = ['c', ...shape.map(() => 0)].join('/')
    const absent = ['c', ...shape.map(() => 2 ** 40)].join('/')
    return [`${folder}zarr.json`, `${folder}${first}`, ...(shape.length === 0 ? [] : [`${folder}${absent}`])]
  })
}

for (const { id, url } of examples) {
  test(`BYTES-6: HEAD of each key of ${id} is answered as GET, recoded chunks too`, async () => {
    const ask = async (method: 'GET' | 'HEAD', target: string, headers = {}) =>
      await app.http.inject({ method, url: target, headers })
    for (const codecs of ['portable', 'native', 'raw']) {
      const store = `${storeUrlOf(app, new URL(url, EXAMPLES).href).slice(0, -1)};codecs=${codecs}/`
      const root = (await ask('GET', `${store}zarr.json`)).json()
      for (const key of keysOf(root)) {
        for (const headers of [{}, { range: 'bytes=1-3' }, { range: 'bytes=-2' }, { range: 'bytes=99999999-' }]) {
          const head = await ask('HEAD', store + key, headers)
          const whole = await ask('GET', store + key, headers)
          const place = `${codecs} ${key} ${JSON.stringify(headers)}`
          assert.equal(head.statusCode, whole.statusCode, place)
          for (const name of SAME) assert.equal(head.headers[name], whole.headers[name], `${place}: ${name}`)
          if (whole.statusCode < 300)
            assert.equal(head.headers['content-length'], String(whole.rawPayload.length), place)
        }
      }
    }
  })
}

test('HEAD says what GET would where a reference is impossible: outside its file, or refused by the guard', async () => {
  const origin = await startOrigin()
  const other = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  try {
    const compressors = { passed: null, enveloped: { id: 'zlib', level: 1 }, recoded: { id: 'bz2', level: 1 } }
    origin.put('data.bin', Buffer.alloc(200_000, 1))
    const targets: Readonly<Record<string, readonly unknown[]>> = {
      outside: [origin.url('data.bin'), 199_999, 8],
      refused: ['http://169.254.169.254/latest/meta-data', 0, 8],
      'a local file': ['file:///etc/passwd', 0, 8],
      'another scheme': ['gopher://example.org/', 0, 8],
      right: [origin.url('data.bin'), 100_000, 8],
    }
    const refs: Record<string, unknown> = { '.zgroup': '{"zarr_format":2}' }
    for (const [name, compressor] of Object.entries(compressors)) {
      const shape = { shape: [8 * Object.keys(targets).length], chunks: [8] }
      refs[`${name}/.zarray`] = JSON.stringify(v2Array({ ...shape, dtype: '|u1', compressor }))
      for (const [at, target] of Object.values(targets).entries()) refs[`${name}/${at}`] = target
    }
    origin.put('refs.json', Buffer.from(JSON.stringify({ version: 1, refs })))
    // The file that a reference names is known once a chunk was read of it.
    assert.equal(
      (await other.http.inject({ url: `${storeUrlOf(other, origin.url('refs.json'))}passed/c/4` })).statusCode,
      200,
    )
    for (const name of Object.keys(compressors)) {
      for (const [at, target] of Object.keys(targets).entries()) {
        if (target === 'right' && name !== 'passed') continue
        const url = `${storeUrlOf(other, origin.url('refs.json'))}${name}/c/${at}`
        const [get, head] = [await other.http.inject({ url }), await other.http.inject({ url, method: 'HEAD' })]
        assert.equal(head.statusCode, get.statusCode, `${name}, ${target}`)
        assert.equal(get.statusCode < 300, target === 'right', `${name}, ${target}: ${get.statusCode}`)
      }
    }
    const short = netcdf3File().subarray(0, -100)
    origin.put('short.nc', short)
    const url = `${storeUrlOf(other, origin.url('short.nc'))}temperature/c/0/0`
    const [get, head] = [await other.http.inject({ url }), await other.http.inject({ url, method: 'HEAD' })]
    assert.deepEqual([get.statusCode, head.statusCode], [422, 422])
  } finally {
    await other.close()
    await origin.close()
  }
})
