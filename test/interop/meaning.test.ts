import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

describe("what values and attributes mean, through the running service, against xarray's own readers of the files", () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-meaning-'))
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('SPEC 3: characters are texts where xarray joins them, and values where it does not', async () => {
    const { compared, failures } = (await report('texts_check.py')) as { compared: number; failures: string[] }
    assert.deepEqual(failures, [])
    assert.ok(compared > 150, `${compared} variables were compared`)
  })

  async function report(script: string): Promise<unknown> {
    const path = fileURLToPath(new URL(`python/${script}`, import.meta.url))
    const { stdout } = await promisify(execFile)(interopPython(), [path, folder, server.url], { maxBuffer: 2 ** 26 })
    return JSON.parse(stdout)
  }
})
