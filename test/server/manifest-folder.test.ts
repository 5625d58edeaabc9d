import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { folderPlace } from '../../src/manifests/folder.ts'
import { readConfig } from '../../src/server/config.ts'
import { manifestFolder, whyNotWritable } from '../../src/server/manifest-folder.ts'
import { runCli, startServer } from '../helpers/process.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'vz-cache-'))
after(() => rmSync(root, { recursive: true, force: true }))

test('opened stores are persisted in the cache folder of the user, as the platform has it', () => {
  assert.equal(manifestFolder({ XDG_CACHE_HOME: '/x', HOME: '/home/u' }, 'linux'), '/x/virtual-zarr-server')
  assert.equal(manifestFolder({ HOME: '/home/u' }, 'linux'), '/home/u/.cache/virtual-zarr-server')
  assert.equal(
    manifestFolder({ XDG_CACHE_HOME: 'relative', HOME: '/home/u' }, 'linux'),
    '/home/u/.cache/virtual-zarr-server',
  )
  assert.equal(manifestFolder({ HOME: '/Users/u' }, 'darwin'), '/Users/u/Library/Caches/virtual-zarr-server')
  assert.equal(manifestFolder({ LOCALAPPDATA: '/local', HOME: '/u' }, 'win32'), '/local/virtual-zarr-server')
})

test('a setting names another folder, and an empty one turns it off, over a configuration file too', () => {
  const file = join(root, 'settings.yaml')
  writeFileSync(file, 'manifest-dir: /from/file\n')
  const folderOf = (environment: Record<string, string>, flags: Record<string, string> = {}) =>
    readConfig({ flags, environment, bundledCatalog: undefined, defaultManifestFolder: '/default' }).manifestFolder
  assert.equal(folderOf({}), '/default')
  assert.equal(folderOf({ VZ_MANIFEST_DIR: '/own' }), '/own')
  assert.equal(folderOf({ VZ_MANIFEST_DIR: '' }), undefined)
  assert.equal(folderOf({ VZ_CONFIG: file }), '/from/file')
  assert.equal(folderOf({ VZ_CONFIG: file, VZ_MANIFEST_DIR: '' }), undefined)
  assert.equal(folderOf({ VZ_MANIFEST_DIR: '/own' }, { 'manifest-dir': '' }), undefined)
  assert.equal(readConfig({ flags: {}, environment: {}, bundledCatalog: undefined }).manifestFolder, undefined)
})

test('serve writes there, other commands write nothing', async () => {
  const cache = join(root, 'cache')
  // As `npm start` and nothing else in the environment: not even the empty setting of the other tests.
  const environment = { XDG_CACHE_HOME: cache, VZ_FILE_ROOT: EXAMPLES }
  const inspected = await runCli(['inspect', join(EXAMPLES, 'sea-surface.nc')], environment)
  assert.equal(inspected.code, 0)
  assert.throws(() => readdirSync(cache))
  const words = ['-u', 'VZ_MANIFEST_DIR']
  const server = await startServer(environment, [], ['env', ...words])
  try {
    assert.equal((await fetch(`${server.url}/zarr/sea-surface/zarr.json`)).status, 200)
  } finally {
    await server.stop()
  }
  const entries = readdirSync(join(cache, 'virtual-zarr-server'), { recursive: true, encoding: 'utf8' })
  assert.ok(entries.some((name) => /[0-9a-f]{64}$/.test(name)))
})

test('a folder that can not be written is one line in the log', async () => {
  const file = join(root, 'a-file')
  writeFileSync(file, '')
  assert.match(
    (await whyNotWritable(join(file, 'folder'))) ?? '',
    /not persisted: .*a-file\/folder can't be written \(ENOTDIR\)/,
  )
  assert.equal(await whyNotWritable(join(root, 'new', 'folder')), undefined)
  const server = await startServer({ VZ_MANIFEST_DIR: join(file, 'folder'), VZ_FILE_ROOT: EXAMPLES })
  try {
    assert.equal((await fetch(`${server.url}/zarr/sea-surface/zarr.json`)).status, 200)
    assert.equal(server.log().split("can't be written").length - 1, 1)
  } finally {
    await server.stop()
  }
})

test('a FIFO in the folder is ignored, and gives way to an entry', { timeout: 10_000 }, async () => {
  const path = join(root, 'fifo')
  const name = 'ab'.repeat(32)
  mkdirSync(join(path, 'ab'), { recursive: true })
  assert.equal(spawnSync('mkfifo', [join(path, 'ab', name)]).status, 0)
  const place = folderPlace({ path, mostBytes: 2 ** 20, count: () => undefined })
  assert.equal(await place.get(name), undefined)
  assert.equal(await place.put(name, Uint8Array.of(1, 2, 3)), true)
  assert.deepEqual(await place.get(name), Buffer.from([1, 2, 3]))
  await place.close()
})
