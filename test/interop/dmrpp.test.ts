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

const EXAMPLES = new URL('../../examples/', import.meta.url)
const FIXTURES = new URL('../fixtures/dmrpp/', import.meta.url)
const SHARED = new URL('dmrpp/', CORPUS_FOLDER)
/** The data file beside it is another version; and data that is not filled though it has a fill value (test/formats/dmrpp). */
const EXCEPT = ['FletcherShuffle.nc4.dmrpp', 'FValue_chunk.h5.dmrpp']
const NOT_FILLED = '/chunks_fill_not_write'

interface Case {
  readonly id: string
  /** The data file, where xarray's reader shows the same as the sidecar describes; null where it can't. */
  readonly source: string | null
  readonly url: string
  /** Hashes of values by path, of the golden file; null: of the data file. */
  readonly hashes: Readonly<Record<string, string>> | null
}

interface Report {
  readonly rows: readonly {
    readonly client: string
    readonly case: string
    readonly read: number
    readonly failures: readonly string[]
  }[]
}

describe('DMR++ sidecars, through the running service, as readers of their data files read them', () => {
  let server: ServerProcess
  let fixtures: StaticOrigin
  let corpus: StaticOrigin | undefined
  let folder: string

  before(async () => {
    fixtures = await startStaticOrigin(FIXTURES)
    if (existsSync(SHARED)) corpus = await startStaticOrigin(SHARED)
    else
      console.log('skipped: the shared corpus (../shared/corpus) is not on this machine; only our own files are read')
    const allowed = [fixtures.url, ...(corpus === undefined ? [] : [corpus.url])]
    server = await startServer({ VZ_ALLOW_SOURCES: allowed.join(',') })
    folder = mkdtempSync(join(tmpdir(), 'interop-dmrpp-'))
  })
  after(async () => {
    await server?.stop()
    await fixtures?.close()
    await corpus?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('TEST-1, TEST-2: xarray, zarr-python, tensorstore and zarrs', async () => {
    const example = {
      id: 'examples/currents',
      source: fileURLToPath(new URL('currents.nc', EXAMPLES)),
      url: `${server.url}zarr/currents/`,
      hashes: null,
    }
    const cases = [
      example,
      ...fixtureCases(server.url, fixtures.url),
      ...(corpus === undefined ? [] : corpusCases(server.url, corpus.url)),
    ]
    const { rows } = await readWithPython(cases)
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    const read = rows.reduce((sum, row) => sum + row.read, 0)
    assert.ok(read >= cases.length * 4, `${read} arrays of ${cases.length} sidecars were read`)
    console.log(`${cases.length} sidecars, ${read} arrays equal`)
  })

  async function readWithPython(cases: readonly Case[]): Promise<Report> {
    const job = join(folder, 'job.json')
    writeFileSync(job, JSON.stringify({ cases }))
    const script = fileURLToPath(new URL('python/dmrpp_check.py', import.meta.url))
    // Not the synchronous form: the origins live in this process.
    const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', script, job], {
      maxBuffer: 2 ** 26,
    })
    return JSON.parse(stdout) as Report
  }
})

type Golden = Record<string, { readonly sha256?: string | null }>

function fixtureCases(serviceUrl: string, originUrl: string): Case[] {
  const golden = JSON.parse(readFileSync(new URL('golden.json', FIXTURES), 'utf8')) as Record<string, Golden>
  return Object.entries(golden).map(([name, arrays]) => ({
    id: `fixtures/${name}`,
    source: name.startsWith('tree') ? fileURLToPath(new URL('tree.h5', FIXTURES)) : null,
    url: storeUrl(serviceUrl, originUrl + name),
    hashes: hashesOf(arrays),
  }))
}

function corpusCases(serviceUrl: string, originUrl: string): Case[] {
  const golden = JSON.parse(readFileSync(new URL('golden.json', SHARED), 'utf8')) as {
    files: Record<string, { expect: string; data: string | null; arrays: Golden }>
  }
  return Object.entries(golden.files)
    .filter(([name, file]) => file.expect === 'ok' && file.data !== null && !EXCEPT.includes(name))
    .map(([name, file]) => ({
      id: `dmrpp/${name}`,
      source: null,
      url: storeUrl(serviceUrl, originUrl + name),
      hashes: hashesOf(file.arrays),
    }))
}

function hashesOf(arrays: Golden): Record<string, string> {
  const hashes: Record<string, string> = {}
  for (const [path, { sha256 }] of Object.entries(arrays)) {
    if (typeof sha256 === 'string' && path !== NOT_FILLED) hashes[path.replace(/^\//, '')] = sha256
  }
  return hashes
}

function storeUrl(serviceUrl: string, sourceUrl: string): string {
  return `${serviceUrl}zarr/~${Buffer.from(sourceUrl).toString('base64url')}/`
}
