import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const CORPUS = new URL('tiff/', CORPUS_FOLDER)
/** What Python clients decode by the names that virtual-tiff registers. */
const PUBLISHED = ['imagecodecs_delta', 'imagecodecs_floatpred', 'imagecodecs_lzw', 'imagecodecs_packbits']
const MOST_ELEMENTS = 3e7

interface Golden {
  readonly files: Readonly<
    Record<string, { readonly expect: string; readonly arrays: Readonly<Record<string, GoldenArray>> }>
  >
}

interface GoldenArray {
  readonly shape: readonly number[]
  readonly sha256?: string
}

interface Report {
  readonly read: number
  readonly failures: readonly string[]
  readonly codecs: readonly string[]
}

describe('TIFF blocks as they are stored, read by a client that knows their codecs', { skip: skipped() }, () => {
  let server: ServerProcess
  let origin: StaticOrigin
  let folder: string

  before(async () => {
    origin = await startStaticOrigin(CORPUS_FOLDER)
    server = await startServer({ VZ_ALLOW_SOURCES: origin.url })
    folder = mkdtempSync(join(tmpdir(), 'interop-tiff-native-'))
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('TEST-1: codecs=native through zarr-python with virtual-tiff', async () => {
    const job = join(folder, 'job.json')
    writeFileSync(job, JSON.stringify({ cases: cases(server.url, origin.url) }))
    const script = fileURLToPath(new URL('python/tiff_native.py', import.meta.url))
    const options = { maxBuffer: 2 ** 26 }
    const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', script, job], options)
    const { read, failures, codecs } = JSON.parse(stdout) as Report
    assert.deepEqual(failures, [])
    assert.deepEqual(
      PUBLISHED.filter((name) => !codecs.includes(name)),
      [],
    )
    assert.ok(read > 400, `${read} arrays were read`)
    console.log(`${read} arrays equal, with the codecs ${codecs.join(', ')}`)
  })
})

function skipped(): string | false {
  return existsSync(CORPUS) ? false : 'the shared corpus (../shared/corpus) is not on this machine'
}

function cases(serviceUrl: string, originUrl: string) {
  const golden = JSON.parse(readFileSync(new URL('golden.json', CORPUS), 'utf8')) as Golden
  return Object.entries(golden.files)
    .filter(([, { expect }]) => expect === 'ok')
    .map(([name, { arrays }]) => {
      const source = Buffer.from(`${originUrl}tiff/${encodeURIComponent(name)}`).toString('base64url')
      const readable = Object.entries(arrays).filter(
        ([, { shape, sha256 }]) => sha256 !== undefined && shape.reduce((a, b) => a * b, 1) <= MOST_ELEMENTS,
      )
      return {
        id: name,
        url: `${serviceUrl}zarr/~${source};codecs=native;layout=ifd/`,
        arrays: Object.fromEntries(readable.map(([path, { sha256 }]) => [path, sha256])),
      }
    })
}
