import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Agent, request } from 'undici'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type Fault, type Origin, startOrigin } from '../helpers/origin.ts'
import { putStore, v3Array, v3Group } from '../helpers/zarr-store.ts'

/** More requests, for whoever has the time: the short run is for every `npm test`. */
const SOAK_CHUNKS = Number(process.env['VZ_TEST_SOAK_CHUNKS'] ?? 400)
const SLOW_CLIENTS = Number(process.env['VZ_TEST_SLOW_CLIENTS'] ?? 100)
const SHAPE = { rows: 80, columns: 1300 }

let origin: Origin
let app: RunningApp
let base: string
before(async () => {
  origin = await startOrigin()
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  base = await app.http.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await app.close()
  await origin.close()
})

const segmentOf = (source: string) => `~${Buffer.from(origin.url(source)).toString('base64url')}`

/** What the one chunk of `netcdf3File(SHAPE)` holds. */
const contentOf = (file: Uint8Array) => file.subarray(file.length - SHAPE.rows * SHAPE.columns * 4)

async function openClient(path: string): Promise<Socket> {
  const { port, hostname } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
  return socket
}

/** What nobody holds any more is no memory that clients cost: only a full collection tells the two apart. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

async function until(holds: () => boolean, milliseconds: number): Promise<void> {
  const start = performance.now()
  while (!holds() && performance.now() - start < milliseconds) await setTimeout(2)
}

const FAULTS: readonly Fault[] = [
  { kind: 'reset' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'cut', after: 1000, how: 'reset' },
  { kind: 'cut', after: 100_000, how: 'close' },
  { kind: 'length', announced: 400_000, sent: 100 },
  { kind: 'html' },
  { kind: 'content-range', value: 'bytes 0-5/100' },
  { kind: 'whole' },
  { kind: 'gzip' },
  { kind: 'hang-up' },
  { kind: 'chunked' },
]

test('FAULT-33: with one upstream answer of ten faulty, every chunk is 200 and exact', async () => {
  const files = [0, 1, 2].map((first) => netcdf3File({ ...SHAPE, first }))
  for (const [at, file] of files.entries()) origin.put(`soak${at}.nc`, file)
  let asked = 0
  origin.faultOf = () => (asked++ % 10 === 7 ? FAULTS[Math.floor(asked / 10) % FAULTS.length] : undefined)
  const agent = new Agent({ connections: 16 })
  let next = 0
  const reader = async () => {
    while (next < SOAK_CHUNKS) {
      const at = next++ % files.length
      const url = `${base}/zarr/${segmentOf(`soak${at}.nc`)}/temperature/c/0/0`
      const { statusCode, body } = await request(url, { dispatcher: agent })
      const bytes = Buffer.from(await body.arrayBuffer())
      assert.equal(statusCode, 200, statusCode === 200 ? '' : bytes.toString())
      assert.equal(Buffer.compare(bytes, contentOf(files[at] ?? Buffer.alloc(0))), 0)
    }
  }
  try {
    await Promise.all(Array.from({ length: 16 }, reader))
  } finally {
    origin.faultOf = () => undefined
    await agent.close()
  }
  assert.ok(asked > SOAK_CHUNKS, `${asked} upstream requests`)
})

test('FAULT-21: a client that leaves stops its upstream read; who shares its open goes on', async () => {
  origin.put('left.nc', netcdf3File(SHAPE))
  const store = `/zarr/${segmentOf('left.nc')}`
  await (await request(`${base}${store}/zarr.json`)).body.dump()
  await until(() => origin.requests.length > 0, 1000)
  for (const fault of [{ kind: 'stall' }, { kind: 'stall', after: 70_000 }] as const) {
    origin.fault(fault, 1)
    const asked = origin.requests.length
    const client = await openClient(`${store}/temperature/c/0/0`)
    await until(() => origin.requests.length > asked, 2000)
    await setTimeout(50)
    const connected = origin.sockets.size
    client.destroy()
    // The origin says nothing for ever: nothing but the client's leaving ends the connection so soon.
    await until(() => origin.sockets.size < connected, 2000)
    assert.ok(origin.sockets.size < connected, 'the upstream connection is still open')
  }
  origin.heal()
  origin.put('shared.nc', netcdf3File(SHAPE))
  origin.latencyMs = 300
  const shared = `/zarr/${segmentOf('shared.nc')}/temperature/c/0/0`
  const leaving = await openClient(shared)
  const staying = request(base + shared)
  await setTimeout(100)
  leaving.destroy()
  const { statusCode, body } = await staying
  origin.latencyMs = 0
  assert.equal(statusCode, 200)
  assert.equal((await body.arrayBuffer()).byteLength, SHAPE.rows * SHAPE.columns * 4)
})

test('FAULT-30: clients that do not read cost bounded memory, and a new one is served', async () => {
  const rows = 4000
  origin.put('slow.nc', netcdf3File({ ...SHAPE, rows }))
  const store = `/zarr/${segmentOf('slow.nc')}`
  const clients: Socket[] = []
  try {
    for (let at = 0; at < SLOW_CLIENTS; at++) {
      const client = await openClient(`${store}/temperature/c/${at % 5}/0`)
      clients.push(client.pause())
    }
    const { statusCode, body } = await request(`${base}${store}/temperature/c/2/0`)
    assert.equal(statusCode, 200)
    await body.dump({ limit: Number.POSITIVE_INFINITY })
    // Held whole, the chunks of all of them would take hundreds of megabytes.
    collectGarbage()
    const { arrayBuffers } = process.memoryUsage()
    assert.ok(arrayBuffers < 128 * 2 ** 20 + SLOW_CLIENTS * 2 ** 19, `${arrayBuffers} bytes of buffers`)
  } finally {
    // Without this what fails above would leave the service waiting for them.
    for (const client of clients) client.destroy()
  }
})

test('FAULT-24: a full cache evicts, stays under its limit, and keeps what alone is too large for it', async () => {
  const limit = 2 ** 20
  const sources = 150
  const small = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, VZ_CACHE_BYTES: String(limit) })
  const get = async (source: string, key: string) =>
    await small.http.inject({ url: `/zarr/${segmentOf(source)}/${key}` })
  try {
    for (let at = 0; at < sources; at++) origin.put(`small${at}.nc`, netcdf3File({ first: at }))
    for (const round of [0, 1]) {
      for (let at = 0; at < sources; at++) {
        const { rawPayload } = await get(`small${at}.nc`, 'temperature/c/0/0')
        assert.equal(rawPayload.readFloatBE(0), at, `round ${round}`)
        assert.ok(small.service.stores.statistics.cachedBytes <= limit)
      }
    }
    const nodes = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`a${at}`, v3Array()]))
    putStore(origin, 'large', { 'zarr.json': v3Group(nodes), 'a7/c/0': Buffer.from([1, 0, 2, 0]) })
    await get('large/', 'zarr.json')
    const { opens } = small.service.stores.statistics
    for (let round = 0; round < 5; round++) assert.equal((await get('large/', 'a7/c/0')).statusCode, 200)
    assert.equal(small.service.stores.statistics.opens, opens)
  } finally {
    await small.close()
  }
})
