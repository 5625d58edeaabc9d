import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { withAbsoluteSources } from '../../src/joins/absolute-sources.ts'
import { parseJson } from '../../src/json/parse.ts'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService } from '../../src/server/service.ts'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { netcdfDataset } from '../helpers/netcdf-dataset.ts'
import { startOrigin } from '../helpers/origin.ts'
import { month } from './helpers.ts'

const FILES = {
  'a1.nc': netcdfDataset(month('2000-01-01', 1)),
  'a2.nc': netcdfDataset(month('2000-01-02', 1, { first: 100 })),
}

describe('join documents that are posted', () => {
  let app: RunningApp
  before(async () => {
    app = await runApp(FILES)
  })
  after(() => app.close())

  const post = (body: string, type = 'application/json', to = app) =>
    to.http.inject({ method: 'POST', url: '/joins', payload: body, headers: { 'content-type': type } })
  const shapeOf = async (url: string, array = 't') => {
    const answer = await app.http.inject(`${new URL(url).pathname}${array}/zarr.json`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json<{ shape: number[] }>().shape
  }
  const files = () => ['a1.nc', 'a2.nc'].map((name) => pathToFileURL(join(app.folder, name)).href)

  test('JSON and YAML become stores; the same document has the same URL, whatever it says of its type', async () => {
    const text = JSON.stringify({ virtual_zarr: 'join/1', sources: files(), along: 'time' })
    const answer = await post(text)
    assert.equal(answer.statusCode, 201)
    const { url } = answer.json<{ url: string }>()
    assert.equal(answer.headers['location'], url)
    assert.deepEqual(await shapeOf(url), [2, 2])
    assert.equal((await post(text, 'text/plain')).json<{ url: string }>().url, url)
    const yaml = `virtual_zarr: join/1\nsources: [${files().reverse().join(', ')}]\nalong: time\n`
    const other = (await post(yaml, 'application/yaml')).json<{ url: string }>().url
    assert.notEqual(other, url)
    assert.deepEqual(await shapeOf(other), [2, 2])
    const source = Buffer.from(new URL(url).pathname.split('~')[1]?.replace('/', '') ?? '', 'base64url').toString()
    const inspected = await app.http.inject(`/inspect?url=${encodeURIComponent(source)}`)
    assert.equal(inspected.json<{ format: string }>().format, 'join')
  })

  test('what is no join document is refused at once, a URL that nobody posted is not found', async () => {
    assert.equal((await post('{"virtual_zarr": "join/1"}')).statusCode, 422)
    assert.equal((await post('')).statusCode, 400)
    assert.equal((await post(`{"virtual_zarr": "join/1", "sources": ["a1.nc"], "x": 1}`)).statusCode, 422)
    assert.equal((await post(`# ${'x'.repeat(2 ** 20)}\nvirtual_zarr: join/1`)).statusCode, 413)
    const gone = `/zarr/~${Buffer.from('join:0000').toString('base64url')}/`
    assert.equal((await app.http.inject(`${gone}zarr.json`)).statusCode, 404)
    assert.equal((await app.http.inject(`${gone}t/c/0/0`)).statusCode, 424)
    assert.equal((await app.http.inject({ method: 'POST', url: '/zarr/x' })).statusCode, 405)
    const preflight = await app.http.inject({ method: 'OPTIONS', url: '/joins' })
    assert.match(String(preflight.headers['access-control-allow-methods']), /POST/)
  })

  test('they name their sources in full, and read what a URL of their sender could', async () => {
    const open = async (sources: readonly string[], to = app) => {
      const text = JSON.stringify({ virtual_zarr: 'join/1', sources, along: 'time', lengths: 1 })
      const { url } = (await post(text, 'application/json', to)).json<{ url: string }>()
      return await to.http.inject(`${new URL(url).pathname}zarr.json`)
    }
    assert.equal((await open(['a1.nc', 'a2.nc'])).statusCode, 400)
    assert.equal((await open(['http://169.254.169.254/x', 'http://127.0.0.1:1/y'])).statusCode, 403)
    assert.equal((await open(['file:///etc/passwd', 'file:///etc/hosts'])).statusCode, 403)
    const own = await post(JSON.stringify({ virtual_zarr: 'join/1', sources: files(), along: 'time' }))
    const { url } = own.json<{ url: string }>()
    const held = Buffer.from(url.split('~')[1]?.replace('/', '') ?? '', 'base64url').toString()
    const nested = await open([held, held])
    assert.equal(nested.statusCode, 501)
    assert.match(nested.body, /is a join itself/)
    // A document of the wild gets no further than the guard of references.
    const origin = await startOrigin()
    origin.put('wild.json', Buffer.from(JSON.stringify({ virtual_zarr: 'join/1', sources: [held], along: 'time' })))
    const visited = await runApp(FILES, { VZ_ALLOW_SOURCES: origin.base })
    const wild = await visited.http.inject(
      `/zarr/~${Buffer.from(origin.url('wild.json')).toString('base64url')}/zarr.json`,
    )
    assert.ok(wild.statusCode >= 400 && wild.statusCode !== 500, String(wild.statusCode))
    await visited.close()
    await origin.close()
  })

  test('they are taken on a loopback address, and elsewhere where the operator says so', async () => {
    const config = (environment: Readonly<Record<string, string>>) =>
      readConfig({ flags: {}, environment, bundledCatalog: undefined }).allowPostedJoins
    assert.deepEqual(
      [
        {},
        { HOST: '0.0.0.0' },
        { HOST: '0.0.0.0', VZ_ALLOW_POSTED_JOINS: 'true' },
        { VZ_ALLOW_POSTED_JOINS: 'false' },
      ].map(config),
      [true, false, true, false],
    )
    const closed = await runApp(FILES, { HOST: '0.0.0.0' })
    assert.equal((await post('{}', 'application/json', closed)).statusCode, 403)
    assert.deepEqual((await closed.http.inject('/joins')).json(), { posted: false })
    await closed.close()
  })

  test('the catalog holds joins by their documents, whose sources count from it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vz-catalog-'))
    for (const [name, bytes] of Object.entries(FILES)) await writeFile(join(folder, name), bytes)
    const path = join(folder, 'catalog.yaml')
    await writeFile(
      path,
      'datasets:\n  - id: joined\n    title: Joined\n    join:\n      sources: { template: "a{n}.nc", n: 1..2 }\n      along: time\n',
    )
    const config = readConfig({
      flags: { config: path },
      environment: { VZ_FILE_ROOT: folder, VZ_LOG_LEVEL: 'silent' },
      bundledCatalog: undefined,
    })
    const service = openService(config)
    const { http } = await buildApp({ ...service, catalog: config.catalog }, config)
    assert.deepEqual((await http.inject('/zarr/joined/t/zarr.json')).json<{ shape: number[] }>().shape, [2, 2])
    const [listed] = (await http.inject('/datasets')).json<{ datasets: { format: string }[] }>().datasets
    assert.equal(listed?.format, 'join')
    await http.close()
    await service.close()
    for (const entry of ['url: x\n    join: {}', 'join: {sources: [a], alnog: time}', 'join: 7', '']) {
      await writeFile(path, `datasets:\n  - id: bad\n    ${entry}\n`)
      const read = () => readConfig({ flags: { config: path }, environment: {}, bundledCatalog: undefined })
      assert.throws(read, { name: 'ConfigError' }, entry)
    }
    await rm(folder, { recursive: true })
  })
})

test('sources of a document in the catalog count from its folder, templates and rows and merged joins too', () => {
  const document = parseJson(
    JSON.stringify({
      sources: [
        [{ template: 'a{n}.nc', n: '1..2' }, '/b.nc'],
        { glob: 'x/*.nc' },
        { list: ['c d.nc', 'https://h/e.nc'] },
      ],
      merge: [{ sources: '../f.nc' }],
      along: 'a.nc',
    }),
  )
  const made = withAbsoluteSources(document, new URL('file:///data/catalog.yaml'))
  assert.deepEqual(JSON.parse(JSON.stringify(made)), {
    sources: [
      [{ template: 'file:///data/a{n}.nc', n: '1..2' }, 'file:///b.nc'],
      { glob: 'file:///data/x/*.nc' },
      { list: ['file:///data/c d.nc', 'https://h/e.nc'] },
    ],
    merge: [{ sources: 'file:///data/../f.nc' }],
    along: 'a.nc',
  })
})

describe('headers that take their time', () => {
  test('/inspect answers 202 with counts while they are read, and the tree once they are', async (t) => {
    const origin = await startOrigin()
    for (let n = 1; n <= 240; n++) origin.put(`s${n}.nc`, netcdfDataset(month('2000-01-01', 1)))
    const app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
    t.after(() => Promise.all([app.close(), origin.close()]))
    origin.latencyMs = 800
    const url = `/inspect?url=${encodeURIComponent(origin.url('s{1..240}.nc'))}&along=time`
    let read = 0
    while (read === 0) {
      const answer = await app.http.inject(url)
      assert.equal(answer.statusCode, 202, answer.body)
      assert.equal(answer.headers['retry-after'], '1')
      const told = answer.json<{ status: string; read: number; of: number }>()
      assert.deepEqual([told.status, told.of], ['opening', 240])
      read = told.read
    }
    assert.ok(read < 240, `${read} of 240`)
    origin.latencyMs = 0
    for (;;) {
      const later = await app.http.inject(url)
      if (later.statusCode === 202) continue
      assert.equal(later.statusCode, 200)
      assert.deepEqual(later.json<{ arrays: { t: { shape: number[] } } }>().arrays.t.shape, [240, 2])
      break
    }
    assert.equal((await app.http.inject(url)).statusCode, 200)
  })
})
