import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { netcdf3File } from '../../helpers/netcdf3-file.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { runCli, type Server, startServer } from '../../helpers/process.ts'

const POISON = fileURLToPath(new URL('poison.mjs', import.meta.url))

let origin: Origin
let server: Server
let folder: string
before(async () => {
  origin = await startOrigin()
  origin.put('a.nc', netcdf3File({ rows: 400, columns: 400 }))
  for (const name of ['bad', 'bad2']) origin.put(name, Buffer.alloc(4096, 'POISON'))
  folder = await mkdtemp(join(tmpdir(), 'vz-workers-'))
  server = await startServer({
    VZ_WORKERS: '2',
    VZ_ALLOW_SOURCES: origin.base,
    VZ_FORMATS: POISON,
    VZ_MANIFEST_DIR: folder,
    VZ_RATE_LIMIT: '3000/h',
    // With a line for each chunk, which tells which process has answered it.
    VZ_LOG_LEVEL: 'debug',
  })
  await until(() => pids().length === 2, 'two workers listen')
})
after(async () => {
  server.process.kill('SIGKILL')
  await origin.close()
  await rm(folder, { recursive: true, force: true })
})

const storeOf = (name: string) => `/zarr/~${Buffer.from(origin.url(name)).toString('base64url')}/`

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not within 60 s: ${what}`)
}

/** Processes that have said that they listen. */
function pids(): string[] {
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.includes('listening at'))
  return [...new Set(lines.map((line) => /"pid":(\d+)/.exec(line)?.[1] ?? ''))]
}

interface Told {
  readonly status: number
  readonly body: Buffer
}

/** Each on a connection of its own: they are given to the workers in turn. */
async function ask(path: string, method = 'GET', body = ''): Promise<Told | undefined> {
  return await new Promise((resolve) => {
    const request = httpRequest(server.url + path, { agent: new Agent(), method, timeout: 20_000 }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces) }))
      answer.on('error', () => resolve(undefined))
    })
    request.on('error', () => resolve(undefined))
    request.on('timeout', () => request.destroy())
    request.end(body)
  })
}

async function metric(name: string): Promise<number> {
  const text = (await ask('/metrics'))?.body.toString() ?? ''
  const lines = text.split('\n').filter((line) => line.startsWith(name))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

test('PROC-1: several processes answer on one port, from one folder of manifests', async () => {
  const chunks: (Told | undefined)[] = []
  // The second process may still be starting, and lines of a log come after the answers that they are about.
  await until(async () => {
    const round = Array.from({ length: 20 }, () => ask(`${storeOf('a.nc')}temperature/c/0/0`))
    chunks.push(...(await Promise.all(round)))
    return answeringPids().size === 2
  }, 'both processes answer')
  assert.deepEqual([...new Set(chunks.map((chunk) => chunk?.status))], [200])
  assert.equal(new Set(chunks.map((chunk) => chunk?.body.toString('latin1'))).size, 1)
})

/** The processes that have answered, by the lines of their log. */
function answeringPids(): Set<string | undefined> {
  const lines = server.log().split('\n')
  return new Set(lines.filter((line) => line.includes('"answered"')).map((line) => /"pid":(\d+)/.exec(line)?.[1]))
}

test('metrics are those of all processes', async () => {
  const before = await metric('vz_http_request_seconds_count{route="/health/live"')
  for (let at = 0; at < 10; at++) assert.equal((await ask('/health/live'))?.status, 200)
  assert.equal(await metric('vz_http_request_seconds_count{route="/health/live"'), before + 10)
  assert.equal(await metric('vz_workers '), 2)
})

test('a join document posted to one process is held by all when it is answered', async () => {
  const document = {
    virtual_zarr: 'join/1',
    sources: { list: [origin.url('a.nc'), origin.url('a.nc')] },
    along: { new: 'run' },
  }
  const posted = await ask('/joins', 'POST', JSON.stringify(document))
  assert.equal(posted?.status, 201, posted?.body.toString())
  const { pathname } = new URL(JSON.parse(String(posted?.body)).url)
  for (let at = 0; at < 6; at++) assert.equal((await ask(`${pathname}zarr.json`))?.status, 200)
})

test('a worker that is killed is replaced, and the other goes on', async () => {
  const [victim = ''] = pids()
  process.kill(Number(victim), 'SIGKILL')
  for (let at = 0; at < 10; at++) {
    // The one that was just then given to the dead one may fail; no more.
    const answer = (await ask(`${storeOf('a.nc')}zarr.json`)) ?? (await ask(`${storeOf('a.nc')}zarr.json`))
    assert.equal(answer?.status, 200)
  }
  await until(() => pids().length === 3, 'a third process listens')
  assert.equal(await metric('vz_worker_deaths'), 1)
})

test('FAULT-32: a source that ends a process is refused for a while, and cannot end them in turn', async () => {
  const deaths = await metric('vz_worker_deaths')
  let refused: Told | undefined
  let asked = 0
  await until(async () => {
    const answer = await ask(`${storeOf('bad')}zarr.json`)
    asked++
    if (answer?.status === 502) refused = answer
    return refused !== undefined
  }, 'the source is refused')
  assert.equal(JSON.parse(String(refused?.body)).type, '/problems/source-unavailable')
  assert.match(String(refused?.body), /ended a process of the server/)
  for (let at = 0; at < 20; at++) {
    const answer = await ask(`${storeOf('bad')}a/c/0`)
    if (answer !== undefined) assert.equal(answer.status, 502, answer.body.toString())
  }
  await until(async () => (await metric('vz_workers ')) === 2, 'two workers again')
  const died = (await metric('vz_worker_deaths')) - deaths
  assert.ok(died >= 1 && died <= 2, `${died} deaths for ${asked + 20} requests`)
  assert.ok((await metric('vz_refused_sources')) >= 1)
  assert.equal((await ask(`${storeOf('a.nc')}zarr.json`))?.status, 200)
})

test('TERM drains all: requests under way are answered, and the port is free', async () => {
  origin.latencyMs = 700
  const asked = origin.requests.length
  const started = Array.from({ length: 12 }, () => ask(`${storeOf('a.nc')}temperature/c/0/0`))
  await until(() => origin.requests.length - asked >= 12, 'all are under way')
  const stopped = server.stop('SIGTERM')
  assert.deepEqual([...new Set((await Promise.all(started)).map((answer) => answer?.status))], [200])
  assert.equal(await stopped, 0)
  assert.equal(await ask('/health/live'), undefined)
})

test('workers that cannot start end the command with their own exit code', async () => {
  const { code, stderr } = await runCli(['serve', '--port', '0'], { VZ_WORKERS: '2', VZ_FORMATS: '/nowhere.mjs' })
  assert.equal(code, 2, stderr)
  assert.match(stderr, /^VZ_FORMATS: /)
})
