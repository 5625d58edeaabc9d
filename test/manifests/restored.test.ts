import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { folderPlace } from '../../src/manifests/folder.ts'
import { ManifestStore, Outcomes } from '../../src/manifests/manifests.ts'
import { unsealed } from '../../src/manifests/seal.ts'
import type { StoreService } from '../../src/service/store-service.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { Origin } from '../helpers/origin.ts'
import { compareRestored } from './compare-restored.ts'
import { outcomesOf, serviceOf } from './outcomes.ts'

const FIXTURES = new URL('../fixtures/', import.meta.url)
const EXAMPLES = new URL('../../examples/', import.meta.url)
const origin = new Origin()
await origin.start()
const sources = openSources({
  ...DEFAULT_SOURCE_SETTINGS,
  allow: [origin.base],
  fileRoots: [fileURLToPath(FIXTURES), fileURLToPath(EXAMPLES)],
})
const workers = recodeWorkers({ threads: 1 })
const root = await mkdtemp(join(tmpdir(), 'vz-restored-'))
after(async () => {
  await workers.close()
  await sources.close()
  await origin.close()
  await rm(root, { recursive: true, force: true })
})

/** Processes that share a folder, one after the other or at the same time. */
function processes(name: string) {
  const path = join(root, name)
  const open = (): StoreService => {
    const outcomes = new Outcomes()
    const place = folderPlace({ path, mostBytes: 2 ** 30, count: outcomes.count })
    return serviceOf(sources, workers, new ManifestStore({ places: [place], revision: 'r', outcomes }))
  }
  return { path, open }
}

async function fixture(path: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(new URL(path, FIXTURES)))
}

/** Root and one chunk of each array, by a process that then ends. */
async function opened(open: () => StoreService, url: string) {
  const service = open()
  const outcomes = await outcomesOf(service, url, {}, 1)
  await service.close()
  return { outcomes, statistics: service.statistics }
}

describe('every answer from what is kept is that of a source just parsed', () => {
  const stacks = ['tczyx.ome.tif', 'pyramid.ome.tif', 'planar.ome.tif', 'imagej.tif', 'imagej_virtual.tif'].map(
    (name) => `tiff-stacks/${name}`,
  )
  const repositories = ['icechunk/format-1/', 'icechunk/format-2/', 'hdf4/images.hdf', 'hdf4/jpeg.hdf']
  const urls = [
    ...stacks,
    ...repositories,
    'tiff/bands.tif',
    'hdf5/indexes.h5',
    'hdf5/sequences.h5',
    'hdf5/types.h5',
    'hdf5/user_block.h5',
    'hdf5/netcdf.nc',
  ]
  const examples = [
    'currents.nc',
    'currents.nc.dmrpp',
    'harvest.tif',
    'nebula.fits',
    'relief.nc',
    'rivers.zarr.zip',
    'chlorophyll.zarr/',
    'tides.icechunk/',
    'storms.json',
    'vegetation.hdf',
    'sea-surface.nc',
  ]
  for (const url of [
    ...urls.map((path) => new URL(path, FIXTURES)),
    ...examples.map((path) => new URL(path, EXAMPLES)),
  ]) {
    test(url.pathname.split('/').slice(-2).join('/'), async () => {
      const compared = await compareRestored({ sources, workers, url: url.href, options: {}, mostChunks: 3 })
      assert.ok(compared.answers > 1)
      assert.equal(compared.isKept, true, String(compared.reason))
    })
  }
})

describe('a process that finds a source', () => {
  test('answers zarr.json after one conditional request, and a chunk after one more', async () => {
    origin.put('known.nc', { bytes: await fixture('hdf5/netcdf.nc'), etag: '"known"' })
    const { open } = processes('known')
    const first = await opened(open, origin.url('known.nc'))
    assert.equal(first.statistics.opens, 1)
    origin.requests.length = 0
    const second = open()
    const { outcomes } = { outcomes: await outcomesOf(second, origin.url('known.nc'), {}, 0) }
    assert.equal(outcomes.get('zarr.json'), first.outcomes.get('zarr.json'))
    assert.deepEqual(
      origin.requests.map(({ headers }) => headers['if-none-match']),
      ['"known"'],
    )
    const chunk = [...first.outcomes.keys()].find((key) => /c\/0/.test(key)) ?? ''
    assert.equal((await outcomesOf(second, origin.url('known.nc'), {}, 1)).get(chunk), first.outcomes.get(chunk))
    assert.equal(second.statistics.opens, 0)
    assert.equal(second.statistics.kept?.restored, 1)
    // Chunks of this file are inline or one read each; no part of its metadata is asked for again.
    assert.ok(origin.requests.every(({ headers }) => !/bytes=0-65535/.test(headers['range'] ?? '')))
    await second.close()
  })

  test('that was replaced meanwhile parses it, and keeps that', async () => {
    origin.put('replaced.nc', { bytes: await fixture('hdf5/netcdf.nc'), etag: '"one"' })
    const { open } = processes('replaced')
    const one = await opened(open, origin.url('replaced.nc'))
    origin.put('replaced.nc', { bytes: await fixture('hdf5/noncoord.nc'), etag: '"two"' })
    const two = await opened(open, origin.url('replaced.nc'))
    assert.notEqual(two.outcomes.get('zarr.json'), one.outcomes.get('zarr.json'))
    assert.equal(two.statistics.opens, 1)
    assert.equal((await opened(open, origin.url('replaced.nc'))).statistics.opens, 0)
  })

  test('that is gone says so', async () => {
    origin.put('gone.nc', { bytes: await fixture('hdf5/netcdf.nc'), etag: '"gone"' })
    const { open } = processes('gone')
    await opened(open, origin.url('gone.nc'))
    origin.remove('gone.nc')
    assert.match((await opened(open, origin.url('gone.nc'))).outcomes.get('zarr.json') ?? '', /^source-not-found/)
  })

  test('of an origin that tells nothing of versions parses it: a change might be missed for ever', async () => {
    origin.put('guessed.nc', { bytes: await fixture('hdf5/netcdf.nc') })
    const { open } = processes('guessed')
    await opened(open, origin.url('guessed.nc'))
    assert.equal((await opened(open, origin.url('guessed.nc'))).statistics.opens, 1)
  })

  test('whose entries were damaged parses it, and mends them', async () => {
    origin.put('damaged.nc', { bytes: await fixture('hdf5/netcdf.nc'), etag: '"d"' })
    const { open, path } = processes('damaged')
    const first = await opened(open, origin.url('damaged.nc'))
    for (const file of await entriesIn(path)) await writeFile(file, (await readFile(file)).subarray(0, 100))
    const second = await opened(open, origin.url('damaged.nc'))
    assert.deepEqual(second.outcomes, first.outcomes)
    assert.equal(second.statistics.opens, 1)
    assert.equal((await opened(open, origin.url('damaged.nc'))).statistics.opens, 0)
  })

  test('50 at once in three processes: the source is parsed once', async () => {
    origin.put('once.nc', { bytes: await fixture('hdf5/netcdf.nc'), etag: '"once"' })
    const { open } = processes('once')
    const replicas = [open(), open(), open()]
    const asked = Array.from({ length: 50 }, (_, i) => {
      const replica = replicas[i % 3]
      assert.ok(replica !== undefined)
      return outcomesOf(replica, origin.url('once.nc'), {}, 0)
    })
    const answers = await Promise.all(asked)
    assert.equal(new Set(answers.map((outcomes) => outcomes.get('zarr.json'))).size, 1)
    assert.equal(
      replicas.reduce((sum, { statistics }) => sum + statistics.opens, 0),
      1,
    )
    for (const replica of replicas) await replica.close()
  })
})

describe('GUARD-9: no secret is kept', () => {
  const CANARY = 'c4n4ry-s3cr3t'

  test('neither of a presigned URL, though its store is', async () => {
    origin.put(`signed.nc?sig=${CANARY}`, { bytes: await fixture('hdf5/netcdf.nc'), etag: '"s"' })
    const { open, path } = processes('signed')
    await opened(open, `${origin.url('signed.nc')}?sig=${CANARY}`)
    assert.equal((await opened(open, `${origin.url('signed.nc')}?sig=${CANARY}`)).statistics.opens, 0)
    await assertNoCanary(path)
  })

  test('nor of a reference within a document, whose store is not', async () => {
    const references = {
      '.zgroup': '{"zarr_format":2}',
      'a/.zarray': JSON.stringify(ARRAY),
      'a/0': [`x.bin?sig=${CANARY}`, 0, 4],
    }
    origin.put('refs.json', { bytes: Buffer.from(JSON.stringify(references)), etag: '"r"' })
    const { open, path } = processes('references')
    await opened(open, origin.url('refs.json'))
    assert.equal((await opened(open, origin.url('refs.json'))).statistics.opens, 1)
    await assertNoCanary(path)
  })

  async function assertNoCanary(path: string): Promise<void> {
    for (const file of await entriesIn(path)) {
      const content = await unsealed(file.split('/').at(-1) ?? '', await readFile(file))
      for (const bytes of [await readFile(file), Buffer.from(content ?? [])]) {
        assert.ok(!bytes.includes(CANARY) && !bytes.includes(CANARY, 'utf16le'), file)
      }
      assert.ok(!file.includes(CANARY))
    }
  }
})

const ARRAY = {
  zarr_format: 2,
  shape: [4],
  chunks: [4],
  dtype: '|u1',
  compressor: null,
  fill_value: 0,
  order: 'C',
  filters: null,
}

/** Entries, but for leases, which come and go. */
async function entriesIn(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true }).catch(() => [])
  return names
    .filter((name) => /[/\\][0-9a-f]{64}$/.test(name) && !name.startsWith('leases'))
    .map((name) => join(path, name))
}
