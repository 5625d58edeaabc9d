import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { folderPlace } from '../../src/manifests/folder.ts'
import { ManifestStore, Outcomes } from '../../src/manifests/manifests.ts'
import type { ManifestPlace } from '../../src/manifests/place.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService } from '../../src/server/service.ts'
import { addressOfUrl } from '../../src/service/store-address.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '../../src/source/settings.ts'
import { fixtureFiles } from '../formats/icechunk/served.ts'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { netcdfDataset } from '../helpers/netcdf-dataset.ts'
import { Origin } from '../helpers/origin.ts'
import { month } from '../joins/helpers.ts'
import { compareRestored } from './compare-restored.ts'
import { outcomesOf, serviceOf } from './outcomes.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const FIXTURES = new URL('../fixtures/', import.meta.url)
const root = await mkdtemp(join(tmpdir(), 'vz-keys-'))
const origin = new Origin()
await origin.start()
const workers = recodeWorkers({ threads: 1 })
const cleanups: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanup of cleanups) await cleanup()
  await workers.close()
  await origin.close()
  await rm(root, { recursive: true, force: true })
})

function sourcesWith(settings: Partial<SourceSettings> = {}) {
  const fileRoots = [fileURLToPath(EXAMPLES), fileURLToPath(FIXTURES), root]
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base], fileRoots, ...settings })
  cleanups.push(() => sources.close())
  return sources
}

const plain = sourcesWith()

interface ProcessInput {
  readonly folder: string
  readonly revision?: string
  readonly sources?: ReturnType<typeof sourcesWith>
  readonly freshSeconds?: number
  /** A place that is further away. */
  readonly further?: ManifestPlace
}

/** A process over a folder. */
function processOver({ folder, revision = 'r', sources = plain, freshSeconds, further }: ProcessInput) {
  const outcomes = new Outcomes()
  const near = folderPlace({ path: join(root, folder), mostBytes: 2 ** 30, count: outcomes.count })
  const places = further === undefined ? [near] : [near, further]
  return serviceOf(sources, workers, new ManifestStore({ places, revision, outcomes }), freshSeconds)
}

/** Whether a process that opens this parses it; it answers all that it is asked. */
async function parses(
  input: ProcessInput,
  url: string,
  options: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const service = processOver(input)
  assert.ok((await outcomesOf(service, url, options, 1)).size > 1)
  await service.close()
  return service.statistics.opens > 0
}

function putFixture(name: string, etag: string, path = 'hdf5/netcdf.nc'): string {
  origin.put(name, { bytes: new Uint8Array(readFileSync(new URL(path, FIXTURES))), etag })
  return origin.url(name)
}

describe('an entry is for one', () => {
  test('source', async () => {
    const folder = 'source'
    assert.equal(await parses({ folder }, putFixture('a.nc', '"same"')), true)
    assert.equal(await parses({ folder }, putFixture('b.nc', '"same"')), true)
    assert.equal(await parses({ folder }, origin.url('a.nc')), false)
  })

  test('version of it', async () => {
    const folder = 'version'
    assert.equal(await parses({ folder }, putFixture('v.nc', '"1"')), true)
    assert.equal(await parses({ folder }, putFixture('v.nc', '"2"')), true)
    assert.equal(await parses({ folder }, putFixture('v.nc', '"2"')), false)
  })

  test('revision of the program', async () => {
    const url = putFixture('r.nc', '"r"')
    assert.equal(await parses({ folder: 'revision', revision: 'one' }, url), true)
    assert.equal(await parses({ folder: 'revision', revision: 'two' }, url), true)
    assert.equal(await parses({ folder: 'revision', revision: 'one' }, url), false)
  })

  test('set of those options that parsing knows, whatever the view', async () => {
    const url = new URL('harvest.tif', EXAMPLES).href
    const folder = 'options'
    assert.equal(await parses({ folder }, url), true)
    assert.equal(await parses({ folder }, url, { layout: 'ifd' }), true)
    assert.equal(await parses({ folder }, url, { codecs: 'native' }), false)
    assert.equal(await parses({ folder }, url, { layout: 'ifd', missing: 'fill' }), false)
  })

  test('scope of credentials', async () => {
    const at = (key: string) => {
      const credentials = { kind: 'static', accessKeyId: { text: key }, secretAccessKey: { text: key } } as const
      const place = { endpoint: new URL(origin.base), region: 'us-east-1', pathStyle: true }
      return sourcesWith({ clouds: { places: {}, prefixes: [{ prefix: 's3://box/', place, credentials }] } })
    }
    putFixture('box/c.nc', '"c"')
    const [mine, yours] = [at('mine'), at('yours')]
    const folder = 'scope'
    assert.equal(await parses({ folder, sources: mine }, 's3://box/c.nc'), true)
    assert.equal(await parses({ folder, sources: yours }, 's3://box/c.nc'), true)
    assert.equal(await parses({ folder, sources: mine }, 's3://box/c.nc'), false)
  })

  test('set of own formats: a module that changes may know another source', async () => {
    const module = join(root, 'own.mjs')
    const folder = join(root, 'own')
    const url = new URL('currents.nc', EXAMPLES).href
    const opens = async (what: string) => {
      await writeFile(module, what)
      const config = readConfig({
        flags: {},
        environment: { VZ_FORMATS: module, VZ_MANIFEST_DIR: folder, VZ_FILE_ROOT: fileURLToPath(EXAMPLES) },
        bundledCatalog: undefined,
      })
      const own = { name: 'x-own', recognises: () => false, parse: () => Promise.reject(new Error('never')) }
      const service = openService(config, { workers, formats: [own] })
      await service.stores.describe(addressOfUrl(url, new Map()))
      await service.stores.close()
      return service.stores.statistics.opens
    }
    assert.equal(await opens('export const one = 1'), 1)
    assert.equal(await opens('export const one = 1'), 0)
    assert.equal(await opens('export const one = 2'), 1)
  })
})

describe('views of a source that was kept are those of one just parsed', () => {
  for (const [name, options] of [
    ['sea-surface.nc', { select: 'lat:1..3' }],
    ['sea-surface.nc', { packing: 'decoded' }],
    ['sea-surface.nc', { missing: 'mask' }],
    ['currents.nc', { chunks: 'time:1' }],
    ['harvest.tif', { pyramid: 'mean' }],
    ['harvest.tif', { layout: 'levels' }],
    ['relief.nc', { codecs: 'raw' }],
    ['atmosphere.nc', { codecs: 'native', packing: 'codecs' }],
  ] as const) {
    test(`${name} with ${JSON.stringify(options)}`, async () => {
      const url = new URL(name, EXAMPLES).href
      const compared = await compareRestored({ sources: plain, workers, url, options, mostChunks: 4 })
      assert.ok(compared.answers > 1, 'the source has these')
      assert.equal(compared.isKept, true, String(compared.reason))
    })
  }
})

describe('two places', () => {
  test('a newer entry further away counts where the nearer one is of the past', async () => {
    const shared = new Outcomes()
    const further = folderPlace({ path: join(root, 'further'), mostBytes: 2 ** 30, count: shared.count })
    const url = putFixture('two.nc', '"1"')
    assert.equal(await parses({ folder: 'near-1', further }, url), true)
    assert.equal(await parses({ folder: 'near-2', further }, url), false)
    putFixture('two.nc', '"2"', 'hdf5/noncoord.nc')
    assert.equal(await parses({ folder: 'near-1', further }, url), true)
    origin.requests.length = 0
    const service = processOver({ folder: 'near-2', further })
    const outcomes = await outcomesOf(service, url, {}, 0)
    assert.deepEqual(outcomes, await outcomesOf(serviceOf(plain, workers), url, {}, 0))
    assert.equal(service.statistics.opens, 0)
    const asked = origin.requests.map(({ headers }) => headers['if-none-match']).filter((etag) => etag !== undefined)
    assert.deepEqual(asked, ['"1"', '"2"'])
    await service.close()
  })
})

describe('a repository of versions that was kept', () => {
  const chunk = 'chunks/split/c/0/0'
  const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`icechunk/${name}`, FIXTURES)))

  test('stays when another branch moves, and is the past when its own does', async () => {
    const put = (name: string, etag: string) => origin.put('repository/repo', { bytes: fixture(name), etag })
    for (const [path, bytes] of fixtureFiles('format-2')) origin.put(`repository/${path}`, bytes)
    put('repo-before-main-moves', '"1"')
    const url = origin.url('repository/')
    assert.equal(await parses({ folder: 'repository' }, url), true)
    const service = processOver({ folder: 'repository', freshSeconds: 0 })
    const address = addressOfUrl(url, new Map())
    const get = async (key: string) => await service.get({ address, key })
    const before = await get('zarr.json')
    assert.equal((await get(chunk)).kind, 'chunk')
    assert.deepEqual([service.statistics.opens, service.statistics.kept?.restored], [0, 1])
    // The same names in another document.
    origin.put('repository/repo', { bytes: fixture('repo-before-main-moves'), etag: '"2"' })
    assert.equal((await get(chunk)).kind, 'chunk')
    put('format-2/repo', '"3"')
    await assert.rejects(get(chunk), { code: 'source-changed' })
    assert.notDeepEqual(await get('zarr.json'), before)
    await service.close()
  })
})

describe('join documents that were posted', () => {
  const FILES = { 'a.nc': netcdfDataset(month('2000-01-01', 1)), 'b.nc': netcdfDataset(month('2000-01-02', 1)) }
  const open = async (folder: string) => {
    const app = await runApp(FILES, { VZ_MANIFEST_DIR: join(root, folder), VZ_FILE_ROOT: root })
    cleanups.push(app.close)
    return app
  }
  const post = async (app: RunningApp, sources: readonly string[]) => {
    const payload = JSON.stringify({ virtual_zarr: 'join/1', sources, along: 'time' })
    const answer = await app.http.inject({ method: 'POST', url: '/joins', payload })
    assert.equal(answer.statusCode, 201, answer.body)
    return new URL(answer.json<{ url: string }>().url).pathname
  }

  test('are found by the next process, and by one beside', async () => {
    for (const [name, bytes] of Object.entries(FILES)) await writeFile(join(root, name), bytes)
    const one = await open('posted')
    const path = await post(
      one,
      ['a.nc', 'b.nc'].map((name) => pathToFileURL(join(root, name)).href),
    )
    const here = await one.http.inject(`${path}zarr.json`)
    const there = await (await open('posted')).http.inject(`${path}zarr.json`)
    assert.equal(there.statusCode, 200, there.body)
    assert.equal(there.body, here.body)
    assert.equal((await (await open('elsewhere')).http.inject(`${path}zarr.json`)).statusCode, 404)
  })

  test('GUARD-9: are written nowhere when their URLs may hold secrets', async () => {
    const one = await open('secret')
    const url = putFixture('secret.nc?sig=c4n4ry', '"s"')
    const path = await post(one, [`${origin.url('secret.nc')}?sig=c4n4ry`, url])
    await one.http.inject(`${path}zarr.json`)
    assert.equal((await (await open('secret')).http.inject(`${path}zarr.json`)).statusCode, 404)
    assert.equal((await readFile(join(root, 'a.nc'))).length, FILES['a.nc'].length)
  })
})
