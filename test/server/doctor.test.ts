import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Check } from '../../src/server/doctor/check.ts'
import { SETTINGS } from '../../src/server/settings.ts'
import { type Commands, startCommands } from '../helpers/commands.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

interface Report {
  readonly ok: boolean
  readonly installed: readonly Check[]
  readonly configured: readonly Check[]
  readonly reachable: readonly Check[]
}

let commands: Commands
let folder: string
let empty: string
let late: Server
before(async () => {
  commands = startCommands()
  folder = await mkdtemp(join(tmpdir(), 'vz-doctor-'))
  await writeFile(join(folder, 'grid.nc'), netcdf3File({ rows: 4, columns: 3 }))
  await writeFile(join(folder, 'notes.txt'), 'plain text')
  empty = join(folder, 'empty.yaml')
  await writeFile(empty, 'datasets: []\n')
  // An hour behind.
  late = createServer(({ url }, response) => {
    response.writeHead(url === '/' ? 200 : 404, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end()
  }).listen(0, '127.0.0.1')
  await once(late, 'listening')
})
after(async () => {
  await commands.close()
  late.close()
  await rm(folder, { recursive: true })
})

async function examined(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await commands.run(
    ['doctor', '--json', '--port', '0', '--config', empty, ...words],
    environment,
  )
  const report = JSON.parse(stdout) as Report
  const stateOf = (what: string) =>
    [...report.installed, ...report.configured, ...report.reachable].find((check) => check.what === what)
  return { code, report, stateOf }
}

test('a machine where all is well: 0, with versions and what is in use', async () => {
  const { code, report, stateOf } = await examined([join(folder, 'grid.nc')])
  assert.equal(code, 0, JSON.stringify(report))
  assert.equal(report.ok, true)
  assert.match(stateOf('Node')?.told ?? '', new RegExp(`^${process.versions.node}, `))
  assert.equal(stateOf('lerc')?.state, 'ok')
  assert.equal(stateOf('manifest folder')?.state, 'off')
  assert.equal(stateOf('@azure/identity')?.state, 'off')
  assert.match(report.reachable[0]?.told ?? '', /^netcdf3, \d+ arrays?, opened in \d+ ms$/)
})

test('what would not work is found, each with its reason, and the exit code is 1', async () => {
  const { port } = late.address() as AddressInfo
  const taken = await examined(['--port', String(port), join(folder, 'notes.txt')])
  assert.equal(taken.code, 1)
  assert.equal(taken.stateOf(`port ${port}`)?.state, 'failed')
  assert.match(taken.report.reachable.find(({ what }) => what.endsWith('notes.txt'))?.told ?? '', /source is text/)
  const file = await examined(['--manifest-dir', join(folder, 'grid.nc', 'below')])
  assert.equal(file.stateOf('manifest folder')?.state, 'failed')
  const closed = await examined(['http://127.0.0.1:9/a.nc'])
  assert.equal(closed.stateOf('http://127.0.0.1:9')?.state, 'failed')
  assert.equal(closed.code, 1)
})

test('a clock that differs from a host’s is a warning', async () => {
  const { port } = late.address() as AddressInfo
  const { stateOf } = await examined(['--allow', `http://127.0.0.1:${port}/`])
  assert.equal(stateOf(`http://127.0.0.1:${port}`)?.state, 'warning')
  assert.match(stateOf(`http://127.0.0.1:${port}`)?.told ?? '', /3(599|600|601) s behind/)
})

test('a manifest folder is tried, and nothing stays in it', async () => {
  const kept = join(folder, 'kept')
  await mkdir(kept)
  const { stateOf } = await examined(['--manifest-dir', kept])
  assert.match(stateOf('manifest folder')?.told ?? '', /can be written, .* free/)
  assert.deepEqual(await readdir(kept), [])
})

test('settings are told with their origin, without what may be a secret', async () => {
  const secret = 'canary-secret'
  const { report, stateOf } = await examined(['--only-sources', `https://example.invalid/a?sig=${secret}`], {
    VZ_CACHE_BYTES: String(64 * 2 ** 20),
    VZ_API_KEYS: `${secret}-of-more-than-16-signs`,
    VZ_SIGNING_KEYS: `${secret}-of-more-than-32-signs-00000000`,
  })
  assert.equal(stateOf('VZ_API_KEYS')?.told, 'set (environment)')
  assert.match(stateOf('VZ_CACHE_BYTES')?.told ?? '', /\(environment\)$/)
  assert.match(stateOf('VZ_ONLY_SOURCES')?.told ?? '', /\(flag\)$/)
  assert.ok(!JSON.stringify(report).includes(secret))
  const wrong = await examined([], { VZ_CACHE_BYTES: 'much' })
  assert.equal(wrong.code, 1)
  assert.equal(wrong.stateOf('VZ_CACHE_BYTES')?.state, 'ok')
  assert.ok(wrong.report.configured.some(({ state, told }) => state === 'failed' && /whole number/.test(told)))
})

test('no setting that is named like a secret is shown', () => {
  const named = SETTINGS.filter(({ key }) => /KEY|SECRET|TOKEN|PASSWORD/.test(key))
  assert.ok(named.length > 0)
  assert.deepEqual(
    named.filter(({ isSecret }) => isSecret !== true),
    [],
  )
})

test('as text it has a line for each, in columns', async () => {
  const { code, stdout } = await commands.run(['doctor', '--port', '0', '--config', empty])
  assert.equal(code, 0)
  assert.match(stdout, /^installed\n {2}ok {6}virtual-zarr-server +\d/)
  assert.match(stdout, /\nconfigured\n[\s\S]*\n {2}- {7}manifest folder +none/)
})

test('a server of Redis that does not answer is told without its password', async () => {
  const { stdout } = await commands.run(['doctor', '--json', '--port', '0', '--config', empty], {
    VZ_REDIS_URL: 'redis://user:can,ary@127.0.0.1:1',
  })
  const { reachable } = JSON.parse(stdout) as Report
  const check = reachable.find(({ what }) => what === 'redis 127.0.0.1:1')
  assert.equal(check?.state, 'failed')
  assert.match(check?.told ?? '', /ECONNREFUSED/)
  assert.doesNotMatch(stdout, /ary@|user:/)
})
