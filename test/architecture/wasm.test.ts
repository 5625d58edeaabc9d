import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { COMPILED, compiledModules } from '../../scripts/build-wasm.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the compiled modules are those of the sources in wasm', async () => {
  const modules = await compiledModules()
  assert.deepEqual(readdirSync(join(root, COMPILED)).toSorted(), Object.keys(modules).toSorted())
  for (const [name, text] of Object.entries(modules)) {
    assert.equal(readFileSync(join(root, COMPILED, name), 'utf8'), text, 'npm run build:wasm')
  }
})
