import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const MODULE = new URL('../../src/server/buffer-accounting.ts', import.meta.url).href

function stderrOf(v8Version: string): string {
  const script = `import(${JSON.stringify(MODULE)}).then((m) => m.countBuffersAsHeap(${v8Version}))`
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stderr
}

test('the V8 of this Node takes the option for buffers, and a later one is not asked to', () => {
  assert.equal(stderrOf('process.versions.v8'), '')
  assert.equal(stderrOf('"14.1.1"'), '')
})
