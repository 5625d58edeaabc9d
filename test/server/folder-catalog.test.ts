import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { readConfig } from '../../src/server/config.ts'
import { ConfigError } from '../../src/server/config-error.ts'
import { folderCatalog, MOST_FILES } from '../../src/server/folder-catalog.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

const file = netcdf3File({ rows: 2, columns: 2 })
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vz-folder-'))
})
after(async () => await rm(folder, { recursive: true }))

async function write(name: string, bytes: Uint8Array | string = file): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), bytes)
}

/** As `serve PATH…` puts it together. */
async function catalogOf(paths: readonly string[], configured = new Map(), late?: RegExp) {
  const config = readConfig({ flags: {}, environment: {}, bundledCatalog: undefined, paths })
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, fileRoots: config.fileRoots })
  const open: typeof sources.open = async (url, ...rest) => {
    if (late?.test(url)) await setTimeout(50)
    return await sources.open(url, ...rest)
  }
  return await folderCatalog(config.folders, { sources: { ...sources, open } }, configured)
}

type Listed = Awaited<ReturnType<typeof catalogOf>>
const idsOf = (catalog: Listed) => [...catalog.values()].map(({ id }) => id)

test('a folder is listed with all its files of a known format, at any depth, in the order of people', async () => {
  const names = ['many/a10.nc', 'many/a2.nc', 'many/2020/Sea Ice é.NC', 'many/packed.nc.gz', 'many/packed.nc.zst']
  const bytes = new Map([
    ['many/packed.nc.gz', gzipSync(file)],
    ['many/packed.nc.zst', zstdCompressSync(file)],
  ])
  for (const name of names) await write(name, bytes.get(name))
  await write('many/notes.txt', 'no data')
  await write('many/empty', '')
  await write('many/.hidden/a.nc')
  await write('many/cut.nc.gz', gzipSync(Buffer.alloc(100)).subarray(0, 12))
  await write('many/store/zarr.json', '{"zarr_format":3,"node_type":"group"}')
  await write('many/store/inside.nc')
  const catalog = await catalogOf([join(folder, 'many')])
  assert.deepEqual(
    [...catalog.values()].map(({ id, title, format }) => [id, title, format]),
    [
      ['2020-sea-ice-e.nc', '2020/Sea Ice é.NC', 'netcdf3'],
      ['a2.nc', 'a2.nc', 'netcdf3'],
      ['a10.nc', 'a10.nc', 'netcdf3'],
      ['packed.nc.gz', 'packed.nc.gz', 'netcdf3'],
      ['packed.nc.zst', 'packed.nc.zst', 'netcdf3'],
      ['store', 'store', 'zarr'],
    ],
  )
  const { sourceUrl } = catalog.get('2020-sea-ice-e.nc') ?? {}
  assert.equal(
    decodeURIComponent(sourceUrl ?? ''),
    decodeURIComponent(pathToFileURL(join(folder, names[2] ?? '')).href),
  )
})

test('links that lead out of the folder, pipes and archives without Zarr are not listed, and stop nothing', async () => {
  await write('secret.nc')
  await write('odd/a.nc')
  await symlink(join(folder, 'secret.nc'), join(folder, 'odd/out.nc'))
  await symlink('a.nc', join(folder, 'odd/in.nc'))
  await symlink('.', join(folder, 'odd/loop'))
  execFileSync('mkfifo', [join(folder, 'odd/pipe')])
  await write('odd/office.zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]))
  await write('odd/store.zip', Buffer.from(`PK\x03\x04${'\0'.repeat(26)}zarr.json{}`))
  assert.deepEqual(idsOf(await catalogOf([join(folder, 'odd')])), ['a.nc', 'in.nc', 'store.zip'])
})

test('a folder that is itself a store is one dataset, and so is a file', async () => {
  await write('sea.zarr/.zgroup', '{"zarr_format":2}')
  const catalog = await catalogOf([join(folder, 'sea.zarr/'), join(folder, 'many/a2.nc')])
  assert.deepEqual(idsOf(catalog), ['sea.zarr', 'a2.nc'])
})

test('two files never share an id, nor take one of the configuration', async () => {
  await write('same/A B.nc')
  await write('same/a-b.nc')
  await write('same/温度')
  const configured = new Map([
    ['file', { id: 'file', title: 'x', description: '', sourceUrl: 'http://h/', options: new Map() }],
  ])
  assert.deepEqual(idsOf(await catalogOf([join(folder, 'same')], configured)), ['file', 'a-b.nc', 'a-b.nc-2', 'file-2'])
})

test('the same files have the same ids, whichever of them answers first', async () => {
  await write('late/A B.nc')
  await write('late/a-b.nc')
  for (const late of [/A%20B/, /a-b/]) {
    const catalog = await catalogOf([join(folder, 'late')], new Map(), late)
    assert.match(catalog.get('a-b.nc')?.sourceUrl ?? '', /A%20B/)
    assert.match(catalog.get('a-b.nc-2')?.sourceUrl ?? '', /a-b/)
  }
})

test('files that come and go are seen when the list is asked for again, and keep their ids', async (t) => {
  mock.timers.enable({ apis: ['Date'] })
  t.after(() => mock.timers.reset())
  await write('live/b.nc')
  const catalog = await catalogOf([join(folder, 'live')])
  await write('live/B.nc')
  await catalog.refresh()
  assert.deepEqual(idsOf(catalog), ['b.nc'], 'not looked at twice in a moment')
  mock.timers.tick(3000)
  await catalog.refresh()
  assert.deepEqual(idsOf(catalog).toSorted(), ['b.nc', 'b.nc-2'])
  assert.match(catalog.get('b.nc')?.sourceUrl ?? '', /\/b\.nc$/)
  await rename(join(folder, 'live/b.nc'), join(folder, 'live/c.nc'))
  mock.timers.tick(3000)
  await catalog.refresh()
  assert.deepEqual(idsOf(catalog).toSorted(), ['b.nc-2', 'c.nc'])
})

test('of a folder of very many files the first are listed, and it is said', async () => {
  for (let i = 0; i <= MOST_FILES; i++) await write(`crowd/${i}.nc`)
  const catalog = await catalogOf([join(folder, 'crowd')])
  assert.equal(catalog.isCut, true)
  assert.equal(idsOf(catalog).length, MOST_FILES)
})

test('a path that does not exist stops the start', () => {
  assert.throws(
    () => readConfig({ flags: {}, environment: {}, bundledCatalog: undefined, paths: [join(folder, 'nowhere')] }),
    (error) => error instanceof ConfigError && /no file or folder .*nowhere/.test(error.message),
  )
})
