import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { FetchStore, open as openArray, get as readArray, root } from 'zarrita'
import { installed, startFleet } from '../../deploy/fleet/local.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { startOrigin } from '../helpers/origin.ts'
import { randoms } from '../helpers/randoms.ts'
import { zarrPythonClients } from './zarr-python-clients.ts'

// Three replicas behind nginx, with Redis where it is installed, while parts of it are killed, drained and stopped, and a source is replaced.

const SHAPE = { rows: 100, columns: 100 }
const CHUNK_BYTES = SHAPE.rows * SHAPE.columns * 4
const FILES = 40
const CLIENTS = 50
/** Of them: zarr-python's, which are one process. */
const PYTHON_CLIENTS = 5

/** A file whose chunk is like no other's. */
function fileOf(seed: number): Buffer {
  const bytes = Buffer.from(netcdf3File(SHAPE))
  for (let at = 0; at < 100; at++) bytes.writeFloatBE(seed * 1000 + at, bytes.length - CHUNK_BYTES + at * 40)
  return bytes
}
const chunkOf = (file: Buffer) => file.subarray(file.length - CHUNK_BYTES)

/** What clients saw. */
class Seen {
  readonly caches = new Map<string, number>()
  readonly errors: string[] = []
  requests = 0
  wrong = 0
  changed = 0
}

test('FAULT-23, FAULT-25, FAULT-27: a fleet that loses its parts answers every request, and none of them wrong', async (t) => {
  if (installed('nginx') === undefined) return t.skip('nginx is not installed')
  const origin = await startOrigin()
  const files = Array.from({ length: FILES }, (_, at) => fileOf(at))
  for (const [at, bytes] of files.entries()) origin.put(`f${at}.nc`, { bytes, etag: `"v1-${at}"` })
  const versions = [fileOf(1000), fileOf(2000)]
  origin.put('changing.nc', { bytes: versions[0] ?? Buffer.alloc(0), etag: '"one"' })
  const python = await zarrPythonClients(PYTHON_CLIENTS)
  if (python.missing !== undefined) t.diagnostic(python.missing)
  const fleet = await startFleet({ VZ_ALLOW_SOURCES: origin.base, VZ_FRESH_SECONDS: '1' })
  const seen = new Seen()
  let isOver = false
  const storeOf = (name: string) => `${fleet.url}/zarr/~${Buffer.from(origin.url(name)).toString('base64url')}`

  async function ask(url: string): Promise<{ status: number; body: Buffer } | undefined> {
    seen.requests++
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) })
      const cache = answer.headers.get('x-cache') ?? 'none'
      seen.caches.set(cache, (seen.caches.get(cache) ?? 0) + 1)
      const body = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, body }
    } catch (error) {
      seen.errors.push(`${url.slice(-40)}: ${String((error as Error).cause ?? error)}`)
      return undefined
    }
  }

  /** The version that a source has now. */
  async function versionOf(name: string): Promise<string> {
    const answer = await ask(`${fleet.url}/resolve?url=${encodeURIComponent(origin.url(name))}`)
    if (answer?.status !== 200) seen.errors.push(`${name} is not resolved: ${answer?.status}`)
    return answer?.status === 200 ? JSON.parse(answer.body.toString()).version : ''
  }

  const known = new Map<string, Promise<string>>()
  async function readStatic(name: string, expected: Buffer, isPinned: boolean): Promise<void> {
    const document = await ask(`${storeOf(name)}/zarr.json`)
    if (document === undefined) return
    if (document.status !== 200)
      return void seen.errors.push(`${name}: ${document.status} ${document.body.toString().slice(0, 200)}`)
    const version = await (known.get(name) ?? versionOf(name))
    known.set(name, Promise.resolve(version))
    const chunk = await ask(`${storeOf(name)}${isPinned ? `;version=${version}` : ''}/temperature/c/0/0`)
    if (chunk === undefined) return
    if (chunk.status !== 200) seen.errors.push(`${name} chunk: ${chunk.status} ${chunk.body.toString().slice(0, 200)}`)
    else if (!chunk.body.equals(expected)) seen.wrong++
  }

  /** Reads one version until it is told that it is the past, and then the other. */
  async function readChanging(): Promise<void> {
    const document = await ask(`${storeOf('changing.nc')}/zarr.json`)
    const version = await versionOf('changing.nc')
    if (document?.status !== 200) return void seen.errors.push(`changing: ${document?.status}`)
    const bodies = new Set<string>()
    for (let at = 0; at < 5; at++) {
      const chunk = await ask(`${storeOf('changing.nc')};version=${version}/temperature/c/0/0`)
      if (chunk?.status === 409) {
        seen.changed++
        return
      }
      if (chunk?.status !== 200) return void seen.errors.push(`changing chunk: ${chunk?.status}`)
      if (!versions.some((known) => chunk.body.equals(chunkOf(known)))) seen.wrong++
      bodies.add(chunk.body.toString('latin1'))
      await pause(50)
    }
    if (bodies.size > 1) seen.wrong++
  }

  async function readWithZarrita(at: number): Promise<void> {
    seen.requests++
    try {
      const array = await openArray(root(new FetchStore(`${storeOf(`f${at}.nc`)}/temperature`)), { kind: 'array' })
      const { data } = await readArray(array)
      const values = data as Float32Array
      if (values.length !== SHAPE.rows * SHAPE.columns || values[10] !== at * 1000 + 1) seen.wrong++
    } catch (error) {
      seen.errors.push(`zarrita: ${String(error)}`)
    }
  }

  async function client(number: number): Promise<void> {
    const numbers = randoms(number + 1)
    const random = () => numbers.next().value / 2 ** 32
    while (!isOver) {
      // A few files are asked for most of the time.
      const at = Math.floor(FILES * random() ** 3)
      if (number < 5) await readWithZarrita(at)
      else if (number < 10) await readChanging()
      else await readStatic(`f${at}.nc`, chunkOf(files[at] ?? Buffer.alloc(0)), number % 2 === 0)
      await pause(20 + 40 * random())
    }
  }

  async function disturb(): Promise<void> {
    const [first, second] = fleet.replicas
    await pause(1500)
    await first?.stop('SIGKILL')
    await pause(1500)
    await first?.start()
    await second?.stop('SIGTERM')
    await second?.start()
    await fleet.redis?.stop('SIGKILL')
    origin.put('changing.nc', { bytes: versions[1] ?? Buffer.alloc(0), etag: '"two"' })
    await pause(1500)
    await fleet.redis?.start()
    await pause(1500)
  }

  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const stores = files.map((file, at) => [storeOf(`f${at}.nc`), hashOf(chunkOf(file))] as const)

  try {
    const began = performance.now()
    python.start(stores)
    const disturbed = disturb().finally(() => {
      isOver = true
    })
    await Promise.all([disturbed, ...Array.from({ length: CLIENTS - python.count }, (_, number) => client(number))])
    const inPython = await python.stop()
    seen.requests += inPython.rounds
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const told = [...seen.caches].map(([name, count]) => `${name} ${count}`).join(', ')
    t.diagnostic(
      `${seen.requests} requests in ${seconds} s, ${inPython.rounds} of them arrays by zarr-python; nginx: ${told}; at the origin: ${origin.requests.length}; 409 after the change: ${seen.changed}`,
    )
    assert.deepEqual(seen.errors, [])
    assert.equal(seen.wrong, 0)
    assert.deepEqual([inPython.errors, inPython.wrong], [[], 0])
    assert.ok(inPython.rounds > 0 || python.count === 0)
    assert.ok((seen.caches.get('HIT') ?? 0) > 0 && (seen.caches.get('REVALIDATED') ?? 0) > 0, told)
    const version = await versionOf('changing.nc')
    const chunk = await ask(`${storeOf('changing.nc')};version=${version}/temperature/c/0/0`)
    assert.ok(chunk?.body.equals(chunkOf(versions[1] ?? Buffer.alloc(0))), 'the new version is read in the end')
  } finally {
    python.kill()
    await fleet.close()
    await origin.close()
  }
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
