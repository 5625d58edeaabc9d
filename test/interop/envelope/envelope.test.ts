import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as zarrita from 'zarrita'
import { planDelivery } from '../../../src/delivery/plan.ts'
import { frameCases, writeFrames } from './frames.ts'

const PYTHON = fileURLToPath(new URL('../../../node_modules/.cache/interop-venv/bin/python', import.meta.url))
const CHECK = fileURLToPath(new URL('check.py', import.meta.url))

const cases = frameCases()

test('streams that fit in a Blosc frame go out enveloped, and plain zstd as it is', () => {
  for (const { name, array, way } of cases) assert.equal(planDelivery(array, 'portable').ways[0]?.kind, way, name)
})

test('zarrita decodes every sort of frame', async () => {
  await withFrames(async (folders) => {
    for (const [name, folder] of folders) {
      const array = await zarrita.open.v3(zarrita.root(storeIn(folder)), { kind: 'array' })
      const { data } = await zarrita.get(array)
      const bytes = data as unknown as Uint8Array
      const expected = readFileSync(join(folder, 'expected'))
      assert.ok(expected.equals(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), name)
    }
  })
})

test('numcodecs, zarr-python, zarrs and tensorstore decode every sort of frame', async (t) => {
  if (!existsSync(PYTHON)) {
    t.skip('skipped: no Python environment (npm run test:interop makes it)')
    return
  }
  await withFrames(async (folders) => {
    const input = [...folders.values()].join('\n')
    const output = execFileSync(PYTHON, [CHECK], { input, encoding: 'utf8', maxBuffer: 2 ** 26 })
    const report = JSON.parse(output) as Record<string, Record<string, string>>
    const failures: string[] = []
    for (const [name, folder] of folders) {
      const answers = Object.entries(report[folder] ?? {})
      assert.equal(answers.length, 4, name)
      for (const [client, answer] of answers) {
        if (answer !== 'ok' && !isKnownLimit(client, name)) failures.push(`${client}: ${name}: ${answer}`)
      }
    }
    assert.deepEqual(failures, [])
  })
})

/** tensorstore reads the first frame of plain zstd only, in a source of its own too; inside Blosc it reads all of them. */
function isKnownLimit(client: string, name: string): boolean {
  return client === 'tensorstore' && / zstd in two frames item 1 /.test(name)
}

async function withFrames(use: (folders: Map<string, string>) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frames-'))
  try {
    await use(await writeFrames(folder, cases))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function storeIn(folder: string) {
  return {
    get: async (key: string) => {
      const path = join(folder, key)
      return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined
    },
  }
}
