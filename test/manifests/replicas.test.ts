import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Origin } from '../helpers/origin.ts'
import { type Server, startServer } from '../helpers/process.ts'
import { metricOf, metricsOf } from '../helpers/process-state.ts'
import { startRedis, until, withoutRedis } from '../helpers/redis.ts'

// Real processes: those of other tests of this folder share one.

if (withoutRedis) console.log(`skipped: ${withoutRedis}`)
const origin = new Origin()
await origin.start()
const root = await mkdtemp(join(tmpdir(), 'vz-replicas-'))
const servers: Server[] = []
after(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  await origin.close()
  await rm(root, { recursive: true, force: true })
})
const fixture = new Uint8Array(await readFile(new URL('../fixtures/hdf5/netcdf.nc', import.meta.url)))

async function replica(
  environment: Readonly<Record<string, string>>,
  through: readonly string[] = [],
): Promise<Server> {
  const allowed = { VZ_ALLOW_SOURCES: origin.base, VZ_LOG_LEVEL: 'info' }
  const server = await startServer({ ...allowed, ...environment }, [], through)
  servers.push(server)
  return server
}

async function replicas(environments: readonly Readonly<Record<string, string>>[]): Promise<readonly Server[]> {
  return await Promise.all(environments.map((environment) => replica(environment)))
}

function storeUrl(server: Server, path: string, key = 'zarr.json'): string {
  return `${server.url}/zarr/${encodeURIComponent(origin.url(path))}/${key}`
}

/** A document, by its text; anything but 200 fails. */
async function documentOf(server: Server, path: string): Promise<string> {
  const response = await fetch(storeUrl(server, path))
  const text = await response.text()
  assert.equal(response.status, 200, text.slice(0, 500))
  return text
}

/** What places were asked, as `hit 1, miss 2`. */
async function outcomesOf(server: Server, place: string): Promise<ReadonlyMap<string, number>> {
  const lines = (await metricsOf(server)).matchAll(/^vz_manifests\{place="(\w+)",outcome="(\w+)"\} (\d+)$/gm)
  return new Map([...lines].flatMap(([, of, outcome = '', count]) => (of === place ? [[outcome, Number(count)]] : [])))
}

async function opensOf(processes: readonly Server[]): Promise<number> {
  const counts = await Promise.all(processes.map(async (server) => metricOf(await metricsOf(server), 'vz_opens')))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Fifty requests for one source at once, dealt out to all. */
async function fiftyAtOnce(processes: readonly Server[], path: string): Promise<void> {
  origin.put(path, { bytes: fixture, etag: `"${path}"` })
  const asked = Array.from({ length: 50 }, (_, i) => documentOf(processes[i % processes.length] as Server, path))
  assert.equal(new Set(await Promise.all(asked)).size, 1)
}

describe('50 cold requests over three processes', () => {
  test('parse the source once where they share a folder', async () => {
    const folder = join(root, 'shared')
    const three = await replicas(Array.from({ length: 3 }, () => ({ VZ_MANIFEST_DIR: folder })))
    for (let i = 1; i <= 3; i++) {
      await fiftyAtOnce(three, `folder-${i}.nc`)
      assert.equal(await opensOf(three), i)
    }
  })

  test('parse it once where they share a server of Redis', { skip: withoutRedis }, async () => {
    const redis = await startRedis()
    const url = `redis://127.0.0.1:${redis.port}`
    const three = await replicas(Array.from({ length: 3 }, () => ({ VZ_REDIS_URL: url })))
    for (const server of three) await until('Redis is there', () => /VZ_REDIS_URL answers/.test(server.log()))
    for (let i = 1; i <= 3; i++) await fiftyAtOnce(three, `redis-${i}.nc`)
    const late = (await Promise.all(three.map((server) => outcomesOf(server, 'redis')))).map(
      (outcomes) => (outcomes.get('late') ?? 0) + (outcomes.get('down') ?? 0),
    )
    // On a machine so busy that Redis takes over 20 ms, nobody waits for it.
    const isPrompt = late.every((count) => count === 0)
    assert.ok((await opensOf(three)) <= (isPrompt ? 3 : 9), `opens: ${await opensOf(three)}, late: ${late}`)
    await redis.end()
  })

  test('parse it once with a folder each and a server of Redis for all', { skip: withoutRedis }, async () => {
    const redis = await startRedis()
    const url = `redis://127.0.0.1:${redis.port}`
    const environments = [1, 2].map((i) => ({ VZ_REDIS_URL: url, VZ_MANIFEST_DIR: join(root, `own-${i}`) }))
    const both = await replicas(environments)
    for (const server of both) await until('Redis is there', () => /VZ_REDIS_URL answers/.test(server.log()))
    await fiftyAtOnce(both, 'both.nc')
    const opens = await opensOf(both)
    assert.ok(opens >= 1 && opens <= 2)
    // What came from Redis lies in each folder now, and lasts when the server is gone.
    await until('the entries are in every folder', () =>
      [1, 2].every((i) => entriesIn(join(root, `own-${i}`)).length >= 1),
    )
    await redis.end()
    for (const server of both) await server.stop()
    const again = await replicas(environments)
    for (const server of again) await documentOf(server, 'both.nc')
    assert.equal(await opensOf(again), 0)
  })

  test('parse it once in each where they share nothing', async () => {
    const two = await replicas([{}, {}])
    await fiftyAtOnce(two, 'alone.nc')
    assert.equal(await opensOf(two), 2)
  })
})

describe('whatever becomes of the process that parses', () => {
  test('the others wait no longer than its lease lasts', { skip: withoutRedis }, async () => {
    const redis = await startRedis()
    const environment = { VZ_REDIS_URL: `redis://127.0.0.1:${redis.port}` }
    const [first, second] = (await replicas([environment, environment])) as [Server, Server]
    for (const server of [first, second]) await until('Redis is there', () => /VZ_REDIS_URL answers/.test(server.log()))
    // It does without a lease where Redis is late, which a busy machine may be.
    let attempt = { path: '', lost: Promise.resolve('') }
    await until('the first has a lease', async () => {
      origin.heal()
      const path = `killed-${performance.now()}.nc`
      origin.put(path, { bytes: fixture, etag: '"k"' })
      origin.fault({ kind: 'stall' }, Number.POSITIVE_INFINITY, path)
      attempt = { path, lost: documentOf(first, path).catch(() => 'lost') }
      await until('it asks its origin', () => origin.requests.some((request) => request.path === `/${path}`))
      return redis.cli('KEYS', '*:lease') !== ''
    })
    const { path, lost } = attempt
    const waiting = documentOf(second, path)
    await first.stop('SIGKILL')
    origin.heal()
    assert.equal(await lost, 'lost')
    assert.match(await waiting, /zarr_format/)
    assert.equal(await opensOf([second]), 1)
    await redis.end()
  })

  /** A document that holds a chunk of noise: an entry long enough to be killed in the middle of. */
  function longDocument(): Uint8Array {
    const noise = randomBytes(12 * 2 ** 20)
    const array = { zarr_format: 2, shape: [noise.length], chunks: [noise.length], dtype: '|u1', compressor: null }
    const refs = {
      '.zgroup': '{"zarr_format":2}',
      'a/.zarray': JSON.stringify({ ...array, fill_value: 0, order: 'C', filters: null }),
      'a/0': `base64:${noise.toString('base64')}`,
    }
    return Buffer.from(JSON.stringify(refs))
  }

  test('FAULT-27: killed while it writes to the folder, it leaves nothing that is read', async (t) => {
    const folder = join(root, 'killed')
    const environment = { VZ_MANIFEST_DIR: folder }
    for (let round = 0; round < 5 && draftsIn(folder).length === 0; round++) {
      const server = await replica(environment)
      const path = `noise-${round}.json`
      origin.put(path, { bytes: longDocument(), etag: `"${path}"` })
      await documentOf(server, path)
      // No pause: a draft is there for some milliseconds.
      for (const end = Date.now() + 5000; draftsIn(folder).length === 0 && Date.now() < end; );
      await server.stop('SIGKILL')
    }
    const drafts = draftsIn(folder)
    t.diagnostic(`${drafts.length} drafts were left behind`)
    for (const draft of drafts) await utimes(draft, 1, 1)
    const next = await replica(environment)
    for (const path of [0, 1, 2, 3, 4].map((round) => `noise-${round}.json`)) {
      const isKnown = (await fetch(origin.url(path))).ok
      if (isKnown) assert.match(await documentOf(next, path), /zarr_format/)
    }
    await until('what was left behind is gone', () => drafts.every((draft) => !existsSync(draft)))
    assert.equal((await outcomesOf(next, 'folder')).get('damaged'), undefined)
  })

  test('FAULT-27: killed while it writes to Redis, the same', { skip: withoutRedis }, async () => {
    const redis = await startRedis()
    const environment = { VZ_REDIS_URL: `redis://127.0.0.1:${redis.port}` }
    const server = await replica(environment)
    await until('Redis is there', () => /VZ_REDIS_URL answers/.test(server.log()))
    origin.put('noise.json', { bytes: longDocument(), etag: '"noise"' })
    // The server stops reading: what is being sent to it stays half-sent.
    const answered = documentOf(server, 'noise.json')
    await until('the source is read', () => origin.requests.some(({ path }) => path === '/noise.json'))
    redis.process.kill('SIGSTOP')
    await answered
    await server.stop('SIGKILL')
    redis.process.kill('SIGCONT')
    const next = await replica(environment)
    await until('Redis is there', () => /VZ_REDIS_URL answers/.test(next.log()))
    assert.match(await documentOf(next, 'noise.json'), /zarr_format/)
    assert.equal((await outcomesOf(next, 'redis')).get('damaged'), undefined)
    await redis.end()
  })

  test('FAULT-28: a disk that is full costs no answer', { skip: withoutSmallDisk() }, async () => {
    const folder = join(root, 'full')
    await mkdir(folder)
    const mount = `mount -t tmpfs -o size=64k none ${folder} && exec "$@"`
    const server = await replica({ VZ_MANIFEST_DIR: folder }, ['unshare', '-m', 'sh', '-c', mount, 'sh'])
    const paths = Array.from({ length: 60 }, (_, i) => `full-${i}.nc`)
    for (const path of paths) origin.put(path, { bytes: fixture, etag: `"${path}"` })
    for (const path of paths) assert.match(await documentOf(server, path), /zarr_format/)
    const outcomes = await outcomesOf(server, 'folder')
    assert.ok((outcomes.get('written') ?? 0) > 0 && (outcomes.get('failed') ?? 0) > 0, JSON.stringify([...outcomes]))
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
    const inside = join('/proc', String(server.process.pid), 'root', folder)
    // The last answers were given before what is kept of them was written, or could not be.
    await until('no draft is left', async () => !(await readdir(inside, { recursive: true })).some(isDraft))
  })
})

function isDraft(path: string): boolean {
  return /[0-9a-f]{64}\.[0-9a-f-]{36}$/.test(path)
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
}

function draftsIn(folder: string): string[] {
  return namesIn(folder)
    .filter(isDraft)
    .map((name) => join(folder, name))
}

function entriesIn(folder: string): string[] {
  return namesIn(folder).filter((name) => /[0-9a-f]{64}$/.test(name) && !name.startsWith('leases'))
}

/** Why no small disk can be made here. */
function withoutSmallDisk(): string | false {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', tmpdir()], { stdio: 'ignore' })
    return false
  } catch {
    const reason = 'this user can not mount a small disk'
    console.log(`skipped: ${reason}`)
    return reason
  }
}
