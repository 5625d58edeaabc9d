import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pythonScript } from './python.ts'
import { type ServerProcess, startServer } from './server-process.ts'

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

  test('TREE-9: characters are texts where xarray joins them, and values where it does not', async () => {
    const { compared, failures } = await report<{ compared: number; failures: string[] }>('texts_check.py')
    assert.deepEqual(failures, [])
    assert.ok(compared > 150, `${compared} variables were compared`)
  })

  test('TEST-1: what is missing in the store is missing in the file, but for what the rule names', async () => {
    const { compared, equal, documented, failures } = await report<Masks>('masks_check.py')
    console.log(`${compared} combinations, ${equal} equal`, documented)
    assert.deepEqual(failures, [])
    assert.ok(compared > 4000 && equal > 0.9 * compared, `${equal} of ${compared} are equal`)
  })

  test('TEST-1, PACK-1, PACK-4: packed values are what the file gives, but for what docs/packing.md names', async () => {
    const { compared, equal, documented, restored, failures } = await report<Packed>('packing_check.py')
    console.log(`${compared} combinations, ${equal} equal, ${restored} by the recipe for 32 bits`, documented)
    assert.deepEqual(failures, [])
    assert.ok(compared > 3000 && equal > 2000 && restored > 50, `${equal} of ${compared} are equal`)
  })

  function report<Said>(script: string): Promise<Said> {
    return pythonScript(script)(folder, server.url)
  }
})
