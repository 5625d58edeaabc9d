import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url).href

/** What a test client makes up is refused for good reasons; these must be the documented ones. */
const CONFIG = `
[generation]
deterministic = true
max-examples = 25

[checks]
# Whether a value is right depends on the source that it is about.
positive_data_acceptance.expected-statuses = ["2xx", "3xx", 400, 403, 404, 409, 413, 415, 416, 422, 424, 501]
# "Valid, but not supported": all other answers of 500 and more are failures here, as no origin is asked.
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 501]
# PROPFIND has no place in OpenAPI 3.1.
allow_header_conformance.enabled = false

[[operations]]
include-method = "OPTIONS"
checks.negative_data_rejection.enabled = false
`

/** Stores with an array in one chunk along each dimension: path parameters of one segment reach it. */
const STORES = [
  { store: 'sea-surface', path: 'lat', file: 'sea-surface.nc' },
  { store: 'nebula;codecs=native', path: 'SCI', file: 'nebula.fits' },
  { store: 'forest', path: 'cover', file: 'forest.zarr/' },
  { store: 'atmosphere;codecs=raw', path: 'time', file: 'atmosphere.nc' },
] as const

/** The Python that has it: its own command would hold the path at which the environment was made, which may have moved since. */
function findSchemathesis(): string | undefined {
  try {
    const python = interopPython()
    return spawnSync(python, ['-c', 'import schemathesis.cli']).status === 0 ? python : undefined
  } catch {
    return undefined
  }
}

describe('the API answers what openapi.yaml says', () => {
  const python = findSchemathesis()
  const skip = python === undefined ? 'schemathesis is not on this machine, and pip can not bring it' : false
  let server: ServerProcess
  let folder: string

  before(async () => {
    if (python === undefined) return
    // No origin is asked: what it would answer is not under test.
    server = await startServer({ VZ_ONLY_SOURCES: `${EXAMPLES},http://127.0.0.1:1/` })
    folder = mkdtempSync(join(tmpdir(), 'schemathesis-'))
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  async function run(name: string, config: string, phases: string): Promise<string> {
    const file = join(folder, `${name}.toml`)
    writeFileSync(file, config)
    // One worker: Python 3.11 counts the depth of syntax trees for all threads together, and fails where two build them.
    const options = ['--phases', phases, '--workers', '1', '--continue-on-failure', '--no-color', '--warnings', 'off']
    const words = ['-m', 'schemathesis.cli', '--config-file', file, 'run', `${server.url}openapi.json`, ...options]
    try {
      const { stdout } = await promisify(execFile)(python ?? '', words, { cwd: folder, maxBuffer: 2 ** 26 })
      return stdout
    } catch (error) {
      if (typeof error !== 'object' || error === null || !('stdout' in error)) throw error
      return assert.fail(`schemathesis found something:\n${String(error.stdout)}`)
    }
  }

  test('HTTP-7: no made-up request gets an answer that is not documented', { skip }, async () => {
    const output = await run('made-up', CONFIG, 'examples,coverage,fuzzing,stateful')
    assert.match(output, /Selected: +(6\d)\/\1\n/)
    assert.match(output, /Test cases:\s+[1-9]\d{3,} generated, [1-9]\d{3,} passed/)
  })

  for (const { store, path, file } of STORES) {
    test(`HTTP-7: what is answered of ${store} is as documented, headers, bodies and all`, { skip }, async () => {
      const values = { 'path.store': store, 'path.path': path, 'path.chunk': '0', 'query.url': EXAMPLES + file }
      const lines = Object.entries(values).map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)
      const output = await run(path, `${CONFIG}\n[parameters]\n${lines.join('\n')}\n`, 'examples,coverage')
      assert.match(output, /Test cases:\s+[1-9]\d{2,} generated, [1-9]\d{2,} passed/)
    })
  }
})
