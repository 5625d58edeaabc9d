import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { type RawAnswer, rawRequest } from '../helpers/raw-request.ts'
import { putStore, v3Array, v3Group } from '../helpers/zarr-store.ts'

const CHUNK = Buffer.from([1, 0, 2, 0])
const GROUP = { zarr_format: 3, node_type: 'group', attributes: {} }

let origin: Origin
let app: RunningApp
let port: number
let store: string
before(async () => {
  origin = await startOrigin()
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port)
  const odd = 'é <x>&"y"'
  const nodes = { temp: v3Array(), g: GROUP, 'g/temp': v3Array(), [`g/${odd}`]: GROUP, [`g/${odd}/a`]: v3Array() }
  putStore(origin, 's', { 'zarr.json': v3Group(nodes), 'temp/c/0': CHUNK })
  store = pathOf('s/')
})
after(async () => {
  await app.close()
  await origin.close()
})

const pathOf = (source: string) => `/zarr/~${Buffer.from(origin.url(source)).toString('base64url')}/`
const ask = async (target: string, headers: Record<string, string> = {}, method = 'PROPFIND') =>
  await rawRequest(port, target, headers, method)

interface Entry {
  href: string
  isFolder: boolean
  length: number | undefined
  etag: string
}

/** What a multistatus tells; it throws for what is no well-formed XML. */
function entriesOf({ status, headers, body }: RawAnswer): Entry[] {
  assert.equal(status, 207, body.toString())
  assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
  assert.equal(headers['access-control-allow-origin'], '*')
  const entries: Entry[] = []
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local, uri }) => {
    assert.equal(uri, 'DAV:')
    text = ''
    if (local === 'response') entries.push({ href: '', isFolder: false, length: undefined, etag: '' })
    const entry = entries.at(-1)
    if (local === 'collection' && entry !== undefined) entry.isFolder = true
  })
  parser.on('text', (more) => {
    text += more
  })
  parser.on('closetag', ({ local }) => {
    const entry = entries.at(-1)
    if (entry === undefined) return
    if (local === 'href') entry.href = text
    if (local === 'getcontentlength') entry.length = Number(text)
    if (local === 'getetag') entry.etag = text
    if (local === 'getlastmodified') assert.ok(!Number.isNaN(Date.parse(text)))
    if (local === 'status') assert.equal(text, 'HTTP/1.1 200 OK')
  })
  parser.write(body.toString()).close()
  return entries
}

const hrefs = (answer: RawAnswer) => entriesOf(answer).map(({ href }) => href)

test('HTTP-6: PROPFIND lists what the index pages show, as deep as asked', async () => {
  assert.deepEqual(hrefs(await ask(store, { depth: '0' })), [store])
  assert.deepEqual(hrefs(await ask(store, { depth: '1' })), [store, `${store}zarr.json`, `${store}temp/`, `${store}g/`])
  const group = [`${store}g/`, `${store}g/zarr.json`, `${store}g/temp/`]
  const odd = `${store}g/${encodeURIComponent('é <x>&"y"')}/`
  for (const target of [`${store}g/`, `${store}g`]) {
    assert.deepEqual(hrefs(await ask(target, { depth: '1' })), [...group, odd], target)
  }
  const below = [...group, `${store}g/temp/zarr.json`, odd, `${odd}zarr.json`, `${odd}a/`, `${odd}a/zarr.json`]
  for (const headers of [{ depth: 'infinity' }, { depth: 'Infinity' }, {}]) {
    assert.deepEqual(hrefs(await ask(`${store}g/`, headers)), below)
  }
  const page = (await ask(store, {}, 'GET')).body.toString()
  for (const name of ['zarr.json', 'temp/', 'g/']) assert.ok(page.includes(`<a href="${name}">`), name)
})

test('HTTP-6: each file of a listing is there, as long as it says and under its ETag', async () => {
  const listed = entriesOf(await ask(store))
  assert.equal(listed.length, 12)
  for (const { href, isFolder, length, etag } of listed) {
    const answer = await ask(href, {}, 'GET')
    assert.equal(answer.status, 200, href)
    assert.equal(isFolder, href.endsWith('/'))
    if (!isFolder) assert.deepEqual([answer.body.length, answer.headers['etag']], [length, etag], href)
    const alone = entriesOf(await ask(href, { depth: '0' }))
    assert.deepEqual(alone, [{ href, isFolder, length, etag }])
  }
})

test('a chunk is told about as HEAD does: WebDAV clients ask before they read', async () => {
  const [chunk] = entriesOf(await ask(`${store}temp/c/0`, { depth: '0' }))
  const head = await ask(`${store}temp/c/0`, {}, 'HEAD')
  assert.deepEqual([String(chunk?.length), chunk?.etag], [head.headers['content-length'], head.headers['etag']])
  assert.equal((await ask(`${store}temp/c/1`)).status, 404)
  assert.equal((await ask(`${store}nothing/c/1`)).status, 400)
  assert.equal((await ask(`${pathOf('gone.nc')}a/c/0`)).status, 424)
  for (const key of ['nothing', 'nothing/', 'nothing/zarr.json', '.zgroup']) {
    assert.equal((await ask(store + key)).status, 404, key)
  }
  assert.equal((await ask(pathOf('gone.nc'))).status, 404)
  assert.equal((await ask(store, { depth: '2' })).status, 400)
})

test('object_store, which takes the path of a link for the place below its base URL, is given that', async () => {
  const headers = { 'user-agent': 'object_store/0.14.2', depth: '1' }
  const list = async (target: string) => hrefs(await ask(target, headers))
  const odd = encodeURIComponent('é <x>&"y"')
  const root = ['/', '/zarr.json', '/temp/', '/g/']
  for (const target of [store, store.slice(0, -1)]) assert.deepEqual(await list(target), root, target)
  // Its base URL is the store's, with and without a slash at the end.
  for (const target of [`${store}/g`, `${store}g`]) {
    assert.deepEqual(await list(target), ['/g/', '/g/zarr.json', '/g/temp/', `/g/${odd}/`], target)
  }
  assert.deepEqual(await list(`${store}/g/${odd}`), [`/g/${odd}/`, `/g/${odd}/zarr.json`, `/g/${odd}/a/`])
  // It is a group's.
  assert.deepEqual(await list(`${store}g/`), ['/', '/zarr.json', '/temp/', `/${odd}/`])
  assert.deepEqual(await list(`${store}g//${odd}`), [`/${odd}/`, `/${odd}/zarr.json`, `/${odd}/a/`])
  assert.deepEqual(await list(`${store}g/${odd}//a`), ['/a/', '/a/zarr.json'])
})

test('what a client sends along with PROPFIND is not read, and not in the way of the next request', async () => {
  const body = `<propfind xmlns="DAV:"><allprop/>${' '.repeat(2 ** 20)}</propfind>`
  const url = `http://127.0.0.1:${port}${store}`
  for (const type of ['application/xml', 'text/xml', 'application/json', 'x/y']) {
    const answer = await fetch(url, { method: 'PROPFIND', headers: { depth: '0', 'content-type': type }, body })
    assert.equal(answer.status, 207, type)
    await answer.arrayBuffer()
    assert.equal((await fetch(`${url}zarr.json`)).status, 200)
  }
})

test('OPTIONS tells what is allowed: to list is, below /zarr/ alone', async () => {
  for (const [target, methods] of [
    [store, 'GET, HEAD, OPTIONS, PROPFIND'],
    ['/datasets', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const answer = await ask(target, { origin: 'https://viewer.example' }, 'OPTIONS')
    assert.equal(answer.status, 204)
    assert.equal(answer.headers['allow'], methods)
    assert.equal(answer.headers['access-control-allow-methods'], methods)
    assert.equal(answer.headers['dav'], target === store ? '1' : undefined)
    for (const name of ['Range', 'If-None-Match', 'If-Range', 'Cache-Control', 'Content-Type', 'Authorization']) {
      assert.ok(answer.headers['access-control-allow-headers']?.includes(name), name)
    }
  }
})

test('a deep tree is listed level by level; each of its groups is a store, and no more is kept than the root', async () => {
  const depth = 40
  const path = (levels: number) => Array.from({ length: levels }, () => 'g').join('/')
  const nodes: Record<string, object> = {}
  for (let levels = 1; levels < depth; levels++) nodes[path(levels)] = GROUP
  nodes[`${path(depth - 1)}/a`] = v3Array({ attributes: { text: 'x'.repeat(2 ** 20) } })
  putStore(origin, 'deep', { 'zarr.json': v3Group(nodes) })
  const root = pathOf('deep/')
  assert.equal((await ask(root, {}, 'GET')).status, 200)
  const before = app.service.stores.statistics.cachedBytes
  for (let levels = 1; levels < depth; levels++) {
    const group = JSON.parse((await ask(`${root}${path(levels)}/zarr.json`, {}, 'GET')).body.toString())
    assert.equal(Object.keys(group.consolidated_metadata.metadata).length, depth - levels)
  }
  assert.equal(app.service.stores.statistics.cachedBytes, before)
  const refused = await ask(root)
  assert.equal(refused.status, 413)
  assert.match(refused.reason, /depth of 1/)
  assert.deepEqual(hrefs(await ask(root, { depth: '1' })), [root, `${root}zarr.json`, `${root}g/`])
})
