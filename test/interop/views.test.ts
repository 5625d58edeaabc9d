import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const SCRIPT = fileURLToPath(new URL('python/views_check.py', import.meta.url))
/** Files, three views of each; `VIEWS_SEED` and `VIEWS_FILES` ask for others and more. */
const SEED = process.env['VIEWS_SEED'] ?? '7'
const FILES = process.env['VIEWS_FILES'] ?? '12'

test('random views of random files are what numpy and xarray make of what was written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vz-views-'))
  const server = await startServer({ VZ_FILE_ROOT: folder })
  try {
    const check = spawn(interopPython(), [SCRIPT, server.url, folder, SEED, FILES], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let told = ''
    check.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    const [status] = (await once(check, 'close')) as [number | null]
    assert.equal(status, 0, told)
    assert.match(told, new RegExp(`compared ${FILES} files, 0 failed`))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
