import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { runCli, type Server, startServer } from '../helpers/process.ts'

let origin: Origin
let server: Server
before(async () => {
  origin = await startOrigin()
  origin.put('a.nc', netcdf3File({ rows: 400, columns: 400 }))
  server = await startServer({ VZ_ALLOW_SOURCES: origin.base, VZ_LOG_LEVEL: 'info' })
})
after(async () => {
  server.process.kill('SIGKILL')
  await origin.close()
})

const storeOf = (source: string) => `${server.url}/zarr/~${Buffer.from(source).toString('base64url')}/`

test('healthcheck asks the running server', async () => {
  const { port } = new URL(server.url)
  assert.equal((await runCli(['healthcheck', '--port', port])).code, 0)
  assert.notEqual((await runCli(['healthcheck', '--port', '9'])).code, 0)
})

test('a request head that does not come is cut off (slow-loris), and others are served meanwhile', {
  timeout: 60_000,
}, async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n')
  assert.equal((await fetch(`${server.url}/health/live`)).status, 200)
  await new Promise((resolve) =>
    socket
      .resume()
      .once('close', resolve)
      .on('error', () => undefined),
  )
})

test('the absolute form of a request target is refused', async () => {
  const { hostname, port } = new URL(server.url)
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.once('close', () => resolve(text))
    socket.write('GET http://example.org/ HTTP/1.1\r\nhost: example.org\r\nconnection: close\r\n\r\n')
  })
  assert.match(answer, /^HTTP\/1\.1 400 /)
})

test('secrets of a source URL appear in no log line', async () => {
  const source = origin.url('missing.nc?sig=canary-secret')
  for (const path of ['zarr.json', 'a/c/0']) await (await fetch(storeOf(source) + path)).text()
  await (await fetch(`${server.url}/zarr/${encodeURIComponent(source)}/zarr.json`)).text()
  await (await fetch(`${server.url}/inspect?url=${encodeURIComponent(source)}`)).text()
  const log = server.log()
  assert.ok(log.includes('/zarr/~'), 'requests are logged')
  assert.ok(!log.includes('canary-secret') && !log.includes(Buffer.from(source).toString('base64url')))
})

test('a client that leaves before its chunk has come is no failure in the log', async () => {
  const store = storeOf(origin.url('a.nc'))
  await (await fetch(`${store}zarr.json`)).text()
  const before = server.log().length
  origin.fault({ kind: 'stall' }, 1)
  await assert.rejects(fetch(`${store}temperature/c/0/0`, { signal: AbortSignal.timeout(300) }))
  const deadline = Date.now() + 10_000
  while (!server.log().slice(before).includes('temperature/c/0/0') && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.ok(server.log().slice(before).includes('temperature/c/0/0'), 'the answer is logged')
  assert.ok(!/"level":[4-6]0/.test(server.log().slice(before)), server.log().slice(before))
})

test('a request has one line and one name in the log, whoever answers it', async () => {
  const store = storeOf(origin.url('a.nc'))
  const from = server.log().length
  await (await fetch(`${store}zarr.json`)).text()
  origin.faultOf = () => ({ kind: 'status', status: 500 })
  assert.equal((await fetch(`${store}temperature/c/0/0`)).status, 502)
  origin.faultOf = () => undefined
  const lines = () =>
    server
      .log()
      .slice(from)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const answeredLines = () => lines().filter(({ msg }) => msg === 'answered')
  for (const end = Date.now() + 10_000; answeredLines().length < 2 && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 20))
  const answered = answeredLines()
  assert.deepEqual(
    answered.map(({ status }) => status),
    [200, 502],
  )
  const [failed] = lines().filter(({ msg }) => msg === 'request failed')
  assert.equal(answered[1]?.req.id, failed?.req.id)
  assert.notEqual(answered[0]?.req.id, answered[1]?.req.id)
  assert.equal(answered[0]?.req.remoteAddress, '127.0.0.1')
})

test('FAULT-23: SIGTERM lets requests that have started end, refuses new ones and exits with 0', async () => {
  const store = storeOf(origin.url('a.nc'))
  const document = await fetch(`${store}zarr.json`)
  assert.equal(document.status, 200)
  await document.text()
  origin.latencyMs = 700
  const asked = origin.requests.length
  const started = Array.from({ length: 20 }, async () => {
    const answer = await fetch(`${store}temperature/c/0/0`)
    return { status: answer.status, length: (await answer.arrayBuffer()).byteLength }
  })
  // Those count that the server has taken up: each of them asks the origin.
  for (const end = Date.now() + 10_000; origin.requests.length - asked < 20 && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 10))
  const stopped = server.stop('SIGTERM')
  const answers = await Promise.all(started)
  assert.ok(
    answers.every(({ status, length }) => status === 200 && length === 400 * 400 * 4),
    JSON.stringify(answers),
  )
  assert.equal(await stopped, 0)
  await assert.rejects(fetch(`${server.url}/health/live`))
})
