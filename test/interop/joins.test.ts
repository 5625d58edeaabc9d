import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const SCRIPT = fileURLToPath(new URL('python/joins_check.py', import.meta.url))

describe('joins, through the running service, as xarray concatenates the same files', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'interop-joins-')))
    await python('make', folder)
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('COMB-2, COMB-3, COMB-4, PACK-6: months, calendars, packing, gaps, runs, rows, mixed formats', async () => {
    const { read, failures } = JSON.parse(await python('check', folder, server.url)) as Checked
    assert.deepEqual(failures, [])
    assert.ok(read >= 90, `${read} variables were read`)
    console.log(`${read} variables of joins equal`)
  })

  test('COMB-1, COMB-2: exports, read by fsspec and xarray, are what the store is; files of several kinds are refused by name', async () => {
    const { read, failures, refused } = JSON.parse(await python('exports', folder, server.url)) as Exported
    assert.deepEqual(failures, [])
    assert.equal(read, 16)
    assert.match(
      refused,
      /^422 sst can not be written as references: the (?:codecs|chunks) of .*h\d+\.nc are not those of/,
    )
  })

  test('COMB-1: one file upside down is refused by name', async () => {
    const url = `file://${folder}/upside.json`
    const answer = await fetch(`${server.url}zarr/~${Buffer.from(url).toString('base64url')}/zarr.json`)
    const { detail } = (await answer.json()) as { readonly detail: string }
    assert.equal(answer.status, 422)
    assert.match(detail, /the values of lat differ between .*gap_0\.nc and .*upside\.nc/)
  })
})

interface Checked {
  readonly read: number
  readonly failures: readonly string[]
}

interface Exported extends Checked {
  readonly refused: string
}

async function python(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', SCRIPT, ...args], {
    maxBuffer: 2 ** 26,
  })
  return stdout
}
