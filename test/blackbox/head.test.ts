import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse as parseYaml } from 'yaml'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'

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
  test(`RELIABILITY 1: HEAD of each key of ${id} is answered as GET, recoded chunks too`, async () => {
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
