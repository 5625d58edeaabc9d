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

interface Masks {
  readonly compared: number
  readonly equal: number
  readonly documented: Readonly<Record<string, number>>
  readonly failures: readonly string[]
}

interface Packed extends Masks {
  readonly restored: number
}

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

  test('TEST-1: what is missing in the store is missing in the file, but for what the rule names', async () => {
    const { compared, equal, documented, failures } = (await report('masks_check.py')) as Masks
    console.log(`${compared} combinations, ${equal} equal`, documented)
    assert.deepEqual(failures, [])
    assert.ok(compared > 4000 && equal > 0.9 * compared, `${equal} of ${compared} are equal`)
  })

  test('TEST-1, PACK-1, PACK-4: packed values are what the file gives, but for what docs/packing.md names', async () => {
    const { compared, equal, documented, restored, failures } = (await report('packing_check.py')) as Packed
    console.log(`${compared} combinations, ${equal} equal, ${restored} by the recipe for 32 bits`, documented)
    assert.deepEqual(failures, [])
    assert.ok(compared > 3000 && equal > 2000 && restored > 50, `${equal} of ${compared} are equal`)
  })

  async function report(script: string): Promise<unknown> {
    const path = fileURLToPath(new URL(`python/${script}`, import.meta.url))
    const { stdout } = await promisify(execFile)(interopPython(), [path, folder, server.url], { maxBuffer: 2 ** 26 })
    return JSON.parse(stdout)
  }
})
