import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const CORPUS = new URL('tiff/', CORPUS_FOLDER)
/** What Python clients decode by the names that virtual-tiff registers. */
const PUBLISHED = ['imagecodecs_delta', 'imagecodecs_floatpred', 'imagecodecs_lzw', 'imagecodecs_packbits']
const MOST_ELEMENTS = 3e7
/** JPEG as rasterio 1.5 reads it (test/formats/tiff/make-jpeg-golden.py). */
const JPEG = JSON.parse(readFileSync(new URL('../formats/tiff/jpeg-golden.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, GoldenArray>>>
>

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

  before(async () => {
    origin = await startStaticOrigin(CORPUS_FOLDER)
    server = await startServer({ VZ_ALLOW_SOURCES: origin.url })
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
  })

  test('TEST-1: codecs=native through zarr-python with virtual-tiff', async () => {
    const job = { cases: cases(server.url, origin.url) }
    const { read, failures, codecs } = await pythonJob<Report>('tiff_native.py', job)
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
      const readable = Object.entries({ ...arrays, ...JPEG[name] }).filter(
        ([, { shape, sha256 }]) => sha256 !== undefined && shape.reduce((a, b) => a * b, 1) <= MOST_ELEMENTS,
      )
      return {
        id: name,
        url: storeUrl(serviceUrl, `${originUrl}tiff/${encodeURIComponent(name)}`, ';codecs=native;layout=ifd'),
        arrays: Object.fromEntries(readable.map(([path, { sha256 }]) => [path, sha256])),
      }
    })
}
