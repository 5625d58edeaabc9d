import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { type RawAnswer, rawRequest, sendRawBytes } from '../helpers/raw-request.ts'
import { putStore, v3Array, v3Group } from '../helpers/zarr-store.ts'

const CHUNK = Buffer.from([1, 0, 2, 0])

let origin: Origin
let app: RunningApp
let port: number
let store: string
before(async () => {
  origin = await startOrigin()
  const nodes = { temp: v3Array(), 'g/temp': v3Array(), g: { zarr_format: 3, node_type: 'group', attributes: {} } }
  putStore(origin, 's', { 'zarr.json': v3Group(nodes), 'temp/c/0': CHUNK, 'g/temp/c/0': CHUNK })
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port)
  store = segmentOf(origin.url('s/'))
})
after(async () => {
  await app.close()
  await origin.close()
})

const segmentOf = (url: string) => `~${Buffer.from(url).toString('base64url')}`
const get = async (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  await rawRequest(port, target, headers, method)

function assertProblem(answer: RawAnswer, status: number, what: string): void {
  assert.equal(answer.status, status, what)
  assert.equal(answer.headers['content-type'], 'application/problem+json', what)
  assert.equal(answer.headers['cache-control'], 'no-store', what)
  assert.equal(answer.headers['access-control-allow-origin'], '*', what)
  assert.equal(JSON.parse(answer.body.toString()).status, status, what)
}

test('URL-1: a store URL whose reserved characters a client or proxy has escaped is the same store', async () => {
  const bare = store.slice(1)
  for (const segment of [
    `%7E${bare}`,
    `%7e${bare}`,
    `${store};codecs%3Draw`,
    `${store}%3Bcodecs%3Draw`,
    `%7E${bare}%3bcodecs=raw`,
    encodeURIComponent(origin.url('s/')),
    encodeURIComponent(origin.url('s/')).toLowerCase(),
  ]) {
    assert.deepEqual((await get(`/zarr/${segment}/temp/c/0`)).body, CHUNK, segment)
  }
})

test('a key with one slash too many before its last part is the same key: as an absent chunk it would read fill', async () => {
  for (const key of ['/temp/c/0', 'temp//c/0', 'g//temp//c/0']) {
    assert.deepEqual((await get(`/zarr/${store}/${key}`)).body, CHUNK, key)
  }
  for (const key of ['temp//zarr.json', 'g//zarr.json']) assert.equal((await get(`/zarr/${store}/${key}`)).status, 200)
  assert.equal((await get(`/zarr/${store}/temp/c//0`)).status, 404)
})

test('what only looks like a store URL is 404, and its source is not told', async () => {
  for (const path of ['/%7Aarr/', '/ZARR/', '//zarr/', '/zarr2/']) {
    const answer = await get(`${path}${store}/zarr.json`)
    assertProblem(answer, 404, path)
    assert.ok(!answer.body.includes(store.slice(1)), path)
  }
})

test('a target that is no URL is a problem that names no source', async () => {
  for (const key of ['temp/c/0%', 'temp/c/%zz', '%ff/c/0']) {
    const answer = await get(`/zarr/${store}/${key}`)
    assertProblem(answer, 400, key)
    assert.ok(!answer.body.includes(store.slice(1)), key)
  }
})

test('HTTP-7: what is no HTTP, or too much of it, is a problem too', async () => {
  assertProblem(await get(`/zarr/${store}/温度/c/0`), 400, 'a target that is not escaped')
  assertProblem(await sendRawBytes(port, 'GARBAGE\r\n\r\n'), 400, 'garbage')
  assertProblem(await get(`/${'a'.repeat(40_000)}`), 431, 'a long target')
  assertProblem(await get('/health/live', { 'x-long': 'a'.repeat(40_000) }), 431, 'a long header')
})

test('a method that changes things is 405, with what is allowed', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPPATCH', 'MKCOL', 'PROPFIND', 'QUERY']) {
    for (const target of [`/zarr/${store}/temp/c/0`, '/datasets', '/nothing']) {
      const isListable = target.startsWith('/zarr/')
      if (isListable && method === 'PROPFIND') continue
      const answer = await get(target, { 'content-length': '0' }, method)
      assertProblem(answer, 405, `${method} ${target}`)
      assert.equal(answer.headers['allow'], `GET, HEAD, OPTIONS${isListable ? ', PROPFIND' : ''}`)
    }
  }
})

test('GEN-6: numbers of any length and spelling make a range; what lies outside is 416, as a problem', async () => {
  const target = `/zarr/${store}/temp/c/0`
  for (const [range, from, to] of [
    ['bytes=1-99999999999999999999999', 1, 4],
    ['bytes=-99999999999999999999999', 0, 4],
    ['Bytes=00-01', 0, 2],
  ] as const) {
    const answer = await get(target, { range })
    assert.equal(answer.status, 206, range)
    assert.equal(answer.headers['content-range'], `bytes ${from}-${to - 1}/4`, range)
    assert.deepEqual(answer.body, CHUNK.subarray(from, to), range)
  }
  for (const range of ['bytes=4-', 'bytes=-0', 'bytes=99999999999999999999999-']) {
    const answer = await get(target, { range })
    assertProblem(answer, 416, range)
    assert.equal(answer.headers['content-range'], 'bytes */4', range)
    assert.equal((await get(target, { range }, 'HEAD')).headers['content-length'], answer.headers['content-length'])
  }
})

test('HTTP-5: every document answers a range of its identity coding, whatever coding the client takes', async () => {
  for (const key of ['zarr.json', 'temp/zarr.json', 'g/zarr.json']) {
    const target = `/zarr/${store}/${key}`
    const whole = await get(target)
    assert.equal(whole.headers['accept-ranges'], 'bytes', key)
    const size = whole.body.length
    const { etag = '' } = whole.headers
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=5-', 5, size],
      ['bytes=-7', size - 7, size],
      [`bytes=0-${size + 9}`, 0, size],
    ] as const) {
      const headers = { range, 'accept-encoding': 'gzip, br, zstd' }
      for (const part of [await get(target, headers), await get(target, { ...headers, 'if-range': etag })]) {
        assert.equal(part.status, 206, range)
        assert.equal(part.headers['content-range'], `bytes ${from}-${to - 1}/${size}`, range)
        assert.equal(part.headers['content-length'], String(to - from), range)
        assert.equal(part.headers['content-encoding'], undefined, range)
        assert.equal(part.headers['etag'], etag, range)
        assert.deepEqual(part.body, whole.body.subarray(from, to), range)
      }
      const head = await get(target, headers, 'HEAD')
      assert.deepEqual(
        [head.status, head.headers['content-length'], head.body.length],
        [206, String(to - from), 0],
        range,
      )
    }
    const outside = await get(target, { range: `bytes=${size}-` })
    assertProblem(outside, 416, key)
    assert.equal(outside.headers['content-range'], `bytes */${size}`)
    assert.equal((await get(target, { range: 'bytes=0-9', 'if-range': '"other"' })).status, 200)
    assert.deepEqual((await get(target, { range: 'bytes=0-1,4-5' })).body, whole.body)
    assert.equal((await get(target, { range: 'bytes=0-9', 'if-none-match': etag })).status, 304)
  }
})

test('HTTP-7: the reason phrase is title and detail, which is all that some users see', async () => {
  const unknown = await get(`/zarr/${store};codec=raw/zarr.json`)
  const { title, detail } = JSON.parse(unknown.body.toString())
  assert.equal(unknown.reason, `${title}: ${detail}`.slice(0, 297) + (`${title}: ${detail}`.length > 300 ? '...' : ''))
  assert.match(unknown.reason, /codec/)
  assert.equal((await get(`/zarr/${store}/nothing/zarr.json`)).reason, 'There is nothing here')
  assert.match(
    (await get(`/zarr/${store}/temp/c/0`, { range: 'bytes=9-' })).reason,
    /^The range is not satisfiable: .*4 bytes$/,
  )
  assert.match((await sendRawBytes(port, 'GARBAGE\r\n\r\n')).reason, /^Bad Request: the request is no HTTP/)
  const odd = await get(`/zarr/${store};format=${encodeURIComponent('a\r\nset-cookie: x=y')}/zarr.json`)
  assertProblem(odd, 400, 'an option that holds a line end')
  assert.equal(odd.headers['set-cookie'], undefined)
})

test('BYTES-1: a chunk of what is no array of the store, or of another rank, is 400, never 404', async () => {
  const nothing = ['nothing/c/0', 'g/c/0', 'c/0', 'c', 'temp/temp/c/0', 'te%252525mp/c/0', '100%25/c/0']
  for (const key of [...nothing, 'temp/c', 'temp/c/0/0', 'temp/c/9/9', 'g/temp/c/0/0/0']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get(`/zarr/${store}/${key}`, {}, method)
      assert.equal(answer.status, 400, `${method} ${key}`)
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
  }
  for (const key of ['temp/c/2', 'temp/c/00', 'temp/c/0/00', '.zgroup', 'nothing/.zarray', 'nothing/zarr.json']) {
    assertProblem(await get(`/zarr/${store}/${key}`), 404, key)
  }
})

test('TREE-1: a group’s URL is a store: its document has those of all nodes below it', async () => {
  const root = JSON.parse((await get(`/zarr/${store}/zarr.json`)).body.toString())
  const { consolidated_metadata: below, ...group } = JSON.parse(
    (await get(`/zarr/${store}/g/zarr.json`)).body.toString(),
  )
  const { consolidated_metadata: empty, ...listed } = root.consolidated_metadata.metadata.g
  assert.deepEqual(group, listed)
  assert.deepEqual(empty.metadata, {})
  assert.deepEqual(below, { ...empty, metadata: { temp: root.consolidated_metadata.metadata['g/temp'] } })
})

test('RFC 9110, 13.1.5: a part of another version than the one held is the whole of this one', async () => {
  const target = `/zarr/${store}/temp/c/0`
  const { etag = '' } = (await get(target)).headers
  const ask = async (ifRange: string) => await get(target, { range: 'bytes=0-1', 'if-range': ifRange })
  assert.equal((await ask(etag)).status, 206)
  for (const other of ['"other"', `W/${etag}`, 'Tue, 15 Nov 1994 12:45:26 GMT']) {
    const answer = await ask(other)
    assert.equal(answer.status, 200, other)
    assert.deepEqual(answer.body, CHUNK, other)
  }
})

test('a host that is none names no service in links', async () => {
  const local = new RegExp(`^<http://127\\.0\\.0\\.1:${port}/zarr/`)
  for (const host of ['', 'a>; rel="x"', '"><script>', 'a/b', 'a b']) {
    assert.match((await get(`/zarr/${store}/zarr.json`, { host })).headers['link'] ?? '', local, host)
  }
  const old = await sendRawBytes(port, `GET /zarr/${store}/zarr.json HTTP/1.0\r\n\r\n`)
  assert.match(old.headers['link'] ?? '', local)
  const [named, ip] = ['data.example:8080', '[::1]:80']
  for (const host of [named, ip]) {
    assert.ok((await get(`/zarr/${store}/zarr.json`, { host })).headers['link']?.startsWith(`<http://${host}/zarr/`))
  }
})

test('BYTES-1: a chunk key spelled with escapes is a chunk key: its failure is never 404', async () => {
  const gone = segmentOf(origin.url('gone.nc'))
  for (const key of ['a/c/0', 'a/%63/0', 'a/c/%30', '%61//c/0', '%63']) {
    assertProblem(await get(`/zarr/${gone}/${key}`), 424, key)
  }
})
