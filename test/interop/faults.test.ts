import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Behaviour, type FaultOrigin, startFaultOrigin } from '../corpus/fault-origin.ts'
import { writeNetcdf3 } from '../corpus/netcdf3-writer.ts'
import { storeUrl } from '../corpus/service.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const FILE = writeNetcdf3([{ name: 'field', shape: [50, 512, 512] }])

interface Answer {
  readonly sha256?: string
  readonly error?: string
}

describe('faults of the origin as zarr-python over fsspec, which never retries, meets them', () => {
  let origin: FaultOrigin
  let server: ServerProcess
  let python: ChildProcess
  let answers: AsyncIterator<string>
  let expected: string
  let count = 0

  before(async () => {
    origin = await startFaultOrigin(FILE.bytes)
    server = await startServer({ VZ_ALLOW_SOURCES: origin.url, VZ_LOG_LEVEL: 'fatal' })
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
  beforeEach(() => origin.behave(() => ({})))

  async function read(): Promise<Answer> {
    python.stdin?.write(`${JSON.stringify({ url: storeUrl(server, `${origin.url}${count++}.nc`), path: 'field' })}\n`)
    const { value } = await answers.next()
    return JSON.parse(value) as Answer
  }

  const transient: Readonly<Record<string, Behaviour>> = {
    '500': { status: 500 },
    '503': { status: 503, headers: { 'retry-after': '0' } },
    '429': { status: 429, headers: { 'retry-after': '0' } },
    reset: { cut: { after: 50_000, how: 'reset' } },
    'short body': { cut: { after: 50_000, how: 'end' } },
  }
  for (const [fault, behaviour] of Object.entries(transient)) {
    test(`every fifth answer a ${fault}: all 50 MB arrive as they are`, { timeout: 60_000 }, async () => {
      origin.behave(({ index }) => (index % 5 === 1 ? behaviour : {}))
      assert.deepEqual(await read(), { sha256: expected })
    })
  }

  const lasting: Readonly<Record<string, Behaviour>> = {
    '500': { status: 500 },
    '404': { status: 404 },
    'short body': { cut: { after: 1000, how: 'end' } },
    'shifted Content-Range': { headers: { 'content-range': 'bytes 0-9/52428800' } },
    'HTML page': {
      status: 200,
      body: new TextEncoder().encode('<!DOCTYPE html><p>Log in'),
      headers: { 'content-type': 'text/html' },
    },
    'another ETag': { headers: { etag: '"v2"' } },
  }
  for (const [fault, behaviour] of Object.entries(lasting)) {
    test(`a lasting ${fault} after the metadata is an error in the client, never values`, {
      timeout: 60_000,
    }, async () => {
      // The first request opens the file; everything after it, the chunks, fails.
      origin.behave(({ index }) => (index === 0 ? {} : behaviour))
      const answer = await read()
      assert.equal(answer.sha256, undefined)
      assert.match(answer.error ?? '', /\w/)
    })
  }
})
