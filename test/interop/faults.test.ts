import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { writeNetcdf3 } from '../corpus/netcdf3-writer.ts'
import { storeUrl } from '../corpus/service.ts'
import { get } from '../corpus/store-client.ts'
import { type Fault, type Origin, startOrigin } from '../helpers/origin.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const FILE = writeNetcdf3([{ name: 'field', shape: [50, 512, 512] }])

interface Answer {
  readonly sha256?: string
  readonly error?: string
}

describe('faults of the origin as zarr-python over fsspec, which never retries, meets them', () => {
  let origin: Origin
  let server: ServerProcess
  let python: ChildProcess
  let answers: AsyncIterator<string>
  let expected: string
  let file: string
  let store: string
  let count = 0

  before(async () => {
    origin = await startOrigin()
    server = await startServer({ VZ_ALLOW_SOURCES: origin.base, VZ_LOG_LEVEL: 'fatal' })
    const script = fileURLToPath(new URL('python/reader.py', import.meta.url))
    python = spawn(interopPython(), ['-W', 'ignore', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    if (python.stdout === null) throw new Error('the reader has no output')
    answers = createInterface(python.stdout)[Symbol.asyncIterator]()
    const { offset, length } = FILE.extents.get('field') ?? { offset: 0, length: 0 }
    const littleEndian = Buffer.from(FILE.bytes.subarray(offset, offset + length)).swap32()
    expected = createHash('sha256').update(littleEndian).digest('hex')
  })
  after(async () => {
    python?.kill()
    await server?.stop()
    await origin?.close()
  })
  beforeEach(async () => {
    origin.heal()
    file = `${count++}.nc`
    origin.put(file, FILE.bytes)
    store = storeUrl(server, origin.url(file))
    assert.equal((await get(`${store}zarr.json`)).status, 200)
  })

  async function read(): Promise<Answer> {
    python.stdin?.write(`${JSON.stringify({ url: store, path: 'field' })}\n`)
    const { value } = await answers.next()
    return JSON.parse(value) as Answer
  }

  const transient: Readonly<Record<string, Fault>> = {
    '500': { kind: 'status', status: 500 },
    '503': { kind: 'status', status: 503, headers: { 'retry-after': '0' } },
    '429': { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
    reset: { kind: 'reset' },
    'short body': { kind: 'cut', after: 50_000, how: 'close' },
  }
  for (const [name, fault] of Object.entries(transient)) {
    test(`a few answers with a ${name}: all 50 MB arrive as they are`, { timeout: 60_000 }, async () => {
      // The reader asks for many chunks at once. Fewer than the server's attempts: they may all meet one chunk.
      origin.fault(fault, 4)
      assert.deepEqual(await read(), { sha256: expected })
      assert.ok(origin.requests.length > 0)
    })
  }

  const lasting: Readonly<Record<string, Fault>> = {
    '500': { kind: 'status', status: 500 },
    '404': { kind: 'status', status: 404 },
    'short body': { kind: 'cut', after: 1000, how: 'close' },
    'shifted Content-Range': { kind: 'content-range', value: `bytes 0-9/${FILE.bytes.length}` },
    'HTML page': { kind: 'html' },
  }
  for (const [name, fault] of Object.entries(lasting)) {
    test(`a lasting ${name} after the metadata is an error in the client, never values`, {
      timeout: 60_000,
    }, async () => {
      origin.fault(fault)
      const answer = await read()
      assert.equal(answer.sha256, undefined)
      assert.match(answer.error ?? '', /\w/)
    })
  }

  test('a source replaced after the metadata is an error in the client, never values of two versions', async () => {
    origin.put(file, { bytes: FILE.bytes, etag: '"v2"' })
    assert.equal((await read()).sha256, undefined)
  })
})
