import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const MODULE = new URL('../../src/server/garbage.ts', import.meta.url).href

/** What a process prints that first lets garbage die young, as if by this V8. */
function run(v8Version: string, then = '', options: readonly string[] = []) {
  const script = `const { letGarbageDieYoung } = await import('${MODULE}')\nletGarbageDieYoung(${v8Version})\n${then}`
  const { stdout, stderr } = spawnSync(process.execPath, [...options, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return { stdout, stderr }
}

/** As each request has one: a signal with a listener, of which V8 comes to think that it lives long. */
const SIGNALS = `
const someSignals = () => {
  for (let i = 0; i < 100; i++) {
    const { signal } = new AbortController()
    const listener = { held: new Array(200), handleEvent() {} }
    signal.addEventListener('abort', listener, { once: true })
    signal.removeEventListener('abort', listener)
  }
}
for (let turn = 0; turn < 5000; turn++) {
  someSignals()
  await new Promise(setImmediate)
}`

test('the V8 of this Node takes the options, and an unknown one is not asked to', () => {
  assert.equal(run('process.versions.v8').stderr, '')
  assert.equal(run('"15.1.1"').stderr, '')
})

test('what a request leaves behind is collected while it is young', () => {
  const { stdout } = run('process.versions.v8', SIGNALS, ['--trace-gc', '--max-semi-space-size=16'])
  const wholeHeaps = stdout.match(/Mark-Compact/g)?.length ?? 0
  // 36 and more without the options.
  assert.ok(wholeHeaps <= 5, `${wholeHeaps} looks through the whole heap`)
})
