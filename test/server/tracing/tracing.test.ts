import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { readConfig } from '../../../src/server/config.ts'
import { ConfigError } from '../../../src/server/config-error.ts'
import { netcdf3File } from '../../helpers/netcdf3-file.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { type Server, startServer } from '../../helpers/process.ts'

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[]
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

/** What a collector was sent. */
const spans: OtlpSpan[] = []
let authorization: string | undefined
const collector = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    assert.equal(request.url, '/v1/traces')
    authorization = request.headers.authorization
    const { resourceSpans } = JSON.parse(Buffer.concat(pieces).toString())
    for (const { resource, scopeSpans } of resourceSpans) {
      const names = resource.attributes.filter(({ key }: { key: string }) => key === 'service.name')
      assert.deepEqual(names, [{ key: 'service.name', value: { stringValue: 'zarr-test' } }])
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

let origin: Origin
let server: Server
before(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  origin = await startOrigin()
  origin.put('a.nc', netcdf3File({ rows: 400, columns: 400 }))
  server = await startServer({
    VZ_ALLOW_SOURCES: origin.base,
    VZ_LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20canary-collector-token',
    OTEL_SERVICE_NAME: 'zarr-test',
  })
})
after(async () => {
  server.process.kill('SIGKILL')
  collector.close()
  collector.closeAllConnections()
  await origin.close()
})

test('PROC-3: one span a request, with parts for opening and reading; the trace goes on upstream', async () => {
  const store = `${server.url}/zarr/~${Buffer.from(origin.url('a.nc?sig=canary-source')).toString('base64url')}/`
  origin.put('a.nc?sig=canary-source', netcdf3File({ rows: 400, columns: 400 }))
  const headers = { traceparent: PARENT }
  const before = origin.requests.length
  assert.equal((await fetch(`${store}zarr.json`, { headers })).status, 200)
  assert.equal((await fetch(`${store}temperature/c/0/0`, { headers })).status, 200)
  assert.equal((await fetch(`${server.url}/nowhere`)).status, 404)
  await fetch(`${server.url}/datasets`, { headers: { traceparent: PARENT.replace(/01$/, '00') } })
  await fetch(`${server.url}/health/live`, { headers })
  const upstream = origin.requests.slice(before).map((request) => request.headers['traceparent'])
  const { stdout } = { stdout: server.log() }
  assert.equal(await server.stop('SIGTERM'), 0, 'what is left is sent before it ends')
  assert.ok(spans.length >= 5, JSON.stringify(spans))
  assert.equal(authorization, 'Bearer canary-collector-token')
  const mine = spans.filter(({ traceId }) => traceId === TRACE)
  const [document, chunk] = mine.filter(({ name }) => name === 'GET /zarr/*')
  assert.ok(document !== undefined && chunk !== undefined)
  assert.equal(document.parentSpanId, '00f067aa0ba902b7')
  assert.equal(document.kind, 2)
  const opening = mine.find(({ name }) => name === 'open source')
  assert.equal(opening?.parentSpanId, document.spanId)
  const reads = mine.filter(({ name }) => name === 'GET origin')
  assert.ok(
    reads.some(({ parentSpanId }) => parentSpanId === opening?.spanId),
    'opening reads',
  )
  assert.ok(
    reads.some(({ parentSpanId }) => parentSpanId === chunk.spanId),
    'a chunk is read',
  )
  for (const header of upstream) {
    const [, traceId, parentId] = (header ?? '').split('-')
    assert.equal(traceId, TRACE)
    assert.ok(reads.some(({ spanId }) => spanId === parentId))
  }
  assert.ok(upstream.length >= 2)
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans) {
    assert.ok(BigInt(end) >= BigInt(start) && Math.abs(Number(BigInt(start) / 1_000_000n) - Date.now()) < 600_000)
  }
  assert.ok(
    spans.some(({ name, traceId }) => name === 'GET none' && traceId !== TRACE),
    'a trace of its own',
  )
  assert.ok(!spans.some(({ name }) => name.includes('/health') || name.includes('/datasets')), 'what is not sampled')
  assert.ok(stdout.includes(`"trace_id":"${TRACE}"`), 'log lines tell the trace')
  const told = JSON.stringify(spans) + server.log()
  for (const secret of [
    'canary',
    origin.url('a.nc'),
    Buffer.from(origin.url('a.nc?sig=canary-source')).toString('base64url'),
  ])
    assert.ok(!told.includes(secret), secret)
})

test('without an endpoint nothing is traced; what makes no sense is named', () => {
  const read = (environment: Record<string, string>) =>
    readConfig({ flags: {}, environment, bundledCatalog: undefined })
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/base/' }
  assert.equal(read({}).tracing, undefined)
  assert.equal(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).tracing, undefined)
  assert.equal(read(endpoint).tracing?.endpoint, 'http://c:4318/base/v1/traces')
  assert.equal(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/x' }).tracing?.endpoint, 'http://c/x')
  assert.deepEqual(
    read({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }).tracing?.ratio,
    0.1,
  )
  for (const [key, text] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ] as const)
    assert.throws(
      () => read({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', [key]: text }),
      (error) => error instanceof ConfigError && error.message.startsWith(`${key}:`),
      key,
    )
})
