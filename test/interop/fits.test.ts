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

const EXAMPLE = new URL('../../examples/nebula.fits', import.meta.url)
const FIXTURES = new URL('../fixtures/fits/', import.meta.url)
const SHARED = new URL('fits/', CORPUS_FOLDER)

interface Case {
  readonly id: string
  readonly source: string
  readonly url: string
}

interface Row {
  readonly client: string
  readonly case: string
  readonly read: number
  readonly failures: readonly string[]
}

describe('FITS files, through the running service, as astropy reads them', () => {
  let server: ServerProcess
  let origin: StaticOrigin | undefined
  let own: StaticOrigin
  let folder: string

  before(async () => {
    if (existsSync(SHARED)) origin = await startStaticOrigin(CORPUS_FOLDER)
    else console.log('skipped: the shared corpus (../shared/corpus) is not on this machine; only the example is read')
    own = await startStaticOrigin(FIXTURES)
    server = await startServer({ VZ_ALLOW_SOURCES: [own.url, ...(origin === undefined ? [] : [origin.url])].join(',') })
    folder = mkdtempSync(join(tmpdir(), 'interop-fits-'))
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
    await own?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('TEST-1, TEST-2: zarr-python, tensorstore and xarray', async () => {
    const example = { id: 'examples/nebula', source: fileURLToPath(EXAMPLE), url: `${server.url}zarr/nebula/` }
    const world = caseOf('fixtures/world', new URL('world.fits', FIXTURES), server.url, `${own.url}world.fits`)
    const cases = [example, world, ...(origin === undefined ? [] : corpusCases(server.url, origin.url))]
    const rows = await readWithPython(cases)
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    const read = rows.reduce((sum, row) => sum + row.read, 0)
    assert.ok(read >= 2 * cases.length, `${read} arrays of ${cases.length} files were read`)
    console.log(`${cases.length} FITS files, ${read} arrays equal`)
  })

  async function readWithPython(cases: readonly Case[]): Promise<readonly Row[]> {
    const job = join(folder, 'job.json')
    writeFileSync(job, JSON.stringify({ cases }))
    const script = fileURLToPath(new URL('python/fits_check.py', import.meta.url))
    const options = { maxBuffer: 2 ** 26 }
    const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', script, job], options)
    return (JSON.parse(stdout) as { rows: readonly Row[] }).rows
  }
})

function corpusCases(serviceUrl: string, originUrl: string): Case[] {
  const golden = JSON.parse(readFileSync(new URL('golden.json', SHARED), 'utf8')) as {
    files: Readonly<Record<string, { readonly expect: string }>>
  }
  const files = Object.entries(golden.files).filter(([, { expect }]) => expect !== 'error')
  return files.map(([name]) => caseOf(`fits/${name}`, new URL(name, SHARED), serviceUrl, `${originUrl}fits/${name}`))
}

function caseOf(id: string, file: URL, serviceUrl: string, url: string): Case {
  return { id, source: fileURLToPath(file), url: `${serviceUrl}zarr/~${Buffer.from(url).toString('base64url')}/` }
}
