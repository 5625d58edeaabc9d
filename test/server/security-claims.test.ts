import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { toProblem } from '../../src/server/problem.ts'
import { StoreSigner } from '../../src/service/signed-stores.ts'
import { runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { startOrigin } from '../helpers/origin.ts'
import { startServer } from '../helpers/process.ts'
import { v3Array, v3Group } from '../helpers/zarr-store.ts'

// Claims of docs/security.md that no other test shows.

const KEY = 'alice-0123456789abcdef'
const SIGNING = 'signing-0123456789abcdef0123456789abcdef'

test('an error that nobody expected tells nothing of itself', () => {
  const error = new Error('canary-detail at /canary/path')
  for (const isChunk of [true, false]) {
    const { status, body } = toProblem(error, { instance: '/zarr/a', isChunk })
    assert.equal(status, 500)
    assert.deepEqual(body, { type: 'about:blank', title: 'Internal Server Error', status: 500, instance: '/zarr/a' })
  }
})

test('the log names the source that an origin fails at, without what may be secret in its URL', async () => {
  const origin = await startOrigin()
  origin.fault({ kind: 'status', status: 500 })
  const server = await startServer({ VZ_ALLOW_SOURCES: origin.base, VZ_LOG_LEVEL: 'trace' })
  try {
    const source = origin.url('failing/a.nc?sig=canary-secret&canary-token')
    const store = `/zarr/~${Buffer.from(source).toString('base64url')}`
    const answer = await fetch(`${server.url}${store}/zarr.json`)
    const body = await answer.text()
    assert.equal(answer.status, 502)
    await server.stop()
    const log = server.log()
    assert.match(log, /"path":"\/zarr\/~[0-9a-f]{8}\/zarr\.json"/)
    assert.match(log, /failing\/a\.nc\?sig=/)
    assert.ok(!`${log}${body}`.includes('canary'), log)
  } finally {
    await server.stop()
    await origin.close()
  }
})

/** What needs no key, beside health: what browsers ask beforehand, refused methods, and files that everybody can read in the repository. */
test('with signing keys alone nothing is open but signed stores, and what is open with keys as well', async () => {
  for (const environment of [{ VZ_SIGNING_KEYS: SIGNING }, { VZ_API_KEYS: KEY }] as Record<string, string>[]) {
    const app = await runApp({ 'a.nc': netcdf3File({ rows: 4, columns: 3 }) }, environment)
    try {
      const store = storeUrlOf(app, 'a.nc')
      const source = encodeURIComponent(`file://${app.folder}/a.nc`)
      const closed = [
        '/',
        '/datasets',
        '/joins',
        '/metrics',
        '/docs',
        '/openapi.json',
        '/static/page.css',
        '/none',
        store,
      ]
      for (const url of [...closed, `${store}zarr.json`, `/inspect?url=${source}`, `/export?url=${source}`])
        assert.equal((await app.http.inject({ url })).statusCode, 401, url)
      assert.equal((await app.http.inject({ method: 'POST', url: '/joins', payload: '{}' })).statusCode, 401)
      assert.equal((await app.http.inject({ method: 'PROPFIND' as 'GET', url: store })).statusCode, 401)
      assert.equal((await app.http.inject({ method: 'OPTIONS', url: store })).statusCode, 204)
      assert.equal((await app.http.inject({ method: 'DELETE', url: store })).statusCode, 405)
    } finally {
      await app.close()
    }
  }
})

test('a signature opens no page or operation but its store, and counts for the address it is used from', async () => {
  const app = await runApp(
    { 'a.nc': netcdf3File({ rows: 4, columns: 3 }) },
    { VZ_SIGNING_KEYS: SIGNING, VZ_RATE_LIMIT: '6/h' },
  )
  try {
    const path = storeUrlOf(app, 'a.nc')
    const named = { source: `file://${app.folder}/a.nc`, options: new Map() }
    const texts = new StoreSigner([SIGNING]).sign(named, Math.floor(Date.now() / 1000) + 60)
    const segment = path.slice('/zarr/'.length, -1) + [...texts].map(([key, value]) => `;${key}=${value}`).join('')
    const statuses = []
    for (const url of [`/zarr/${segment}/zarr.json`, `/inspect?store=${encodeURIComponent(segment)}`, `/${segment}`])
      statuses.push((await app.http.inject({ url })).statusCode)
    assert.deepEqual(statuses, [200, 401, 401])
    for (let at = 0; at < 4; at++) statuses.push((await app.http.inject(`/zarr/${segment}/zarr.json`)).statusCode)
    assert.deepEqual(statuses.slice(3), [200, 200, 200, 429])
  } finally {
    await app.close()
  }
})

test("the pages of the API's description run no script but their own files", async () => {
  const app = await runApp({})
  try {
    for (const url of ['/docs', '/docs/', '/docs/static/index.html']) {
      const { statusCode, headers, body } = await app.http.inject(url)
      assert.ok(statusCode === 200 || statusCode === 302, `${statusCode} for ${url}`)
      if (statusCode !== 200) continue
      const policy = String(headers['content-security-policy'])
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
      assert.match(scripts, /'self'/, url)
      assert.doesNotMatch(scripts, /unsafe|https?:|\*/, url)
      assert.doesNotMatch(body, /<script(?![^>]*\ssrc=)|\son\w+=/i, url)
    }
  } finally {
    await app.close()
  }
})

test('processes of one service tell each other what clients have used up', async () => {
  const server = await startServer({ VZ_WORKERS: '2', VZ_RATE_LIMIT: '10/h', VZ_LOG_LEVEL: 'info' })
  try {
    let taken = 0
    // Each connection comes to one of the processes; between them is time enough to tell the other.
    for (let at = 0; at < 30; at++) {
      const { status } = await fetch(`${server.url}/joins`, { headers: { connection: 'close' } })
      assert.ok(status === 200 || status === 429, String(status))
      if (status === 200) taken++
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    // What two processes let in before either has told the other.
    assert.ok(taken >= 10 && taken <= 12, `${taken} were taken of 10 an hour`)
  } finally {
    await server.stop()
  }
})

test('links lead to no denied file: as a source, a folder, a member of a join, a reference, or a part of a Zarr folder', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vz-links-')))
  const put = async (name: string, content: unknown) =>
    await writeFile(join(folder, name), content instanceof Uint8Array ? content : JSON.stringify(content))
  for (const name of ['secret/z.zarr/a/c', 'public/half.zarr/b/c']) await mkdir(join(folder, name), { recursive: true })
  const chunk = Buffer.from([7, 7, 7, 7])
  await put('secret/a.nc', netcdf3File({ rows: 4, columns: 3 }))
  await put('secret/z.zarr/zarr.json', v3Group({ a: v3Array() }))
  await put('secret/z.zarr/a/zarr.json', v3Array())
  await put('secret/z.zarr/a/c/0', chunk)
  await put('public/b.nc', netcdf3File({ rows: 4, columns: 3 }))
  await put('public/half.zarr/zarr.json', v3Group({ a: v3Array(), b: v3Array() }))
  await put('public/half.zarr/b/zarr.json', v3Array())
  await put('public/half.zarr/b/c/0', chunk)
  const array = {
    zarr_format: 2,
    shape: [4],
    chunks: [4],
    dtype: '|u1',
    compressor: null,
    fill_value: 0,
    order: 'C',
    filters: null,
  }
  const refs = { '.zgroup': '{"zarr_format":2}', 'a/.zarray': JSON.stringify(array), 'a/0': ['linked/a.nc', 0, 4] }
  await put('public/refs.json', { version: 1, refs })
  await put('public/join.json', { virtual_zarr: 'join/1', sources: ['b.nc', 'linked/a.nc'], along: 'y' })
  for (const [name, target] of [
    ['a.nc', '../secret/a.nc'],
    ['linked', '../secret'],
    ['z.zarr', '../secret/z.zarr'],
    ['half.zarr/a', '../../secret/z.zarr/a'],
  ] as const)
    await symlink(target, join(folder, 'public', name))
  const urlOf = (name: string) => pathToFileURL(join(folder, name)).href
  const storeOf = (name: string) => `/zarr/~${Buffer.from(urlOf(name)).toString('base64url')}`
  const probes: readonly (readonly [url: string, isChunk?: boolean])[] = [
    [`${storeOf('public/a.nc')}/zarr.json`],
    [`${storeOf('public/linked/a.nc')}/zarr.json`],
    [`${storeOf('public/a.nc')}/temperature/c/0/0`, true],
    [`${storeOf('public/z.zarr')}/zarr.json`],
    [`${storeOf('public/z.zarr')}/a/c/0`, true],
    [`${storeOf('public/half.zarr')}/a/c/0`, true],
    [`${storeOf('public/refs.json')}/a/c/0`, true],
    [`${storeOf('public/join.json')}/zarr.json`],
    [`/resolve?url=${urlOf('public/a.nc')}`],
    [`/inspect?url=${urlOf('public/linked/a.nc')}`],
    [`/export?url=${urlOf('public/z.zarr')}`],
    [`${storeOf('public/linked/{a}.nc')}/zarr.json`],
  ]
  const statuses = async (environment: Record<string, string>) => {
    const app = await runApp({}, { VZ_FILE_ROOT: folder, ...environment })
    try {
      const found = []
      for (const [url] of probes) found.push((await app.http.inject(url)).statusCode)
      assert.equal((await app.http.inject(`${storeOf('public/b.nc')}/zarr.json`)).statusCode, 200)
      assert.equal((await app.http.inject(`${storeOf('public/half.zarr')}/b/c/0`)).statusCode, 200)
      return found
    } finally {
      await app.close()
    }
  }
  try {
    const open = await statuses({})
    for (const [at, [url]] of probes.slice(0, -1).entries()) assert.equal(open[at], 200, `${url} without rules`)
    for (const environment of [{ VZ_DENY_SOURCES: urlOf('secret/') }, { VZ_ONLY_SOURCES: urlOf('public/') }])
      for (const [at, status] of (await statuses(environment as Record<string, string>)).entries()) {
        const [url = '', isChunk] = probes[at] ?? []
        assert.equal(status, isChunk === true ? 424 : 403, `${url} with ${JSON.stringify(environment)}`)
      }
  } finally {
    await rm(folder, { recursive: true })
  }
})
