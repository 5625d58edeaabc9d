import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const MODULE = new URL('../../src/server/garbage.ts', import.meta.url).href

/** What a process prints that does something, lets garbage die young as if by this V8, and does something else. */
function run(v8Version: string, { before = '', after = '', options = [] as readonly string[] } = {}) {
  const act = `const { letGarbageDieYoung } = await import('${MODULE}')\nletGarbageDieYoung(${v8Version})`
  const script = [before, act, after].join('\n')
  return spawnSync(process.execPath, [...options, '--input-type=module', '-e', script], { encoding: 'utf8' })
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

/** Has the options of V8 written to the output instead of taken. */
const TELL_OPTIONS = `
import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'
v8.setFlagsFromString = (option) => console.log(option)
syncBuiltinESMExports()`

test('the V8 of this Node takes the options, and an unknown one is not asked to', () => {
  assert.equal(run('process.versions.v8').stderr, '')
  assert.match(run('process.versions.v8', { before: TELL_OPTIONS }).stdout, /^--no-allocation-site-pretenuring$/m)
  assert.equal(run('"15.1.1"', { before: TELL_OPTIONS }).stdout, '')
})

test('what a request leaves behind is collected while it is young', () => {
  const options = ['--trace-gc', '--max-semi-space-size=16']
  const { stdout } = run('process.versions.v8', { after: SIGNALS, options })
  const wholeHeaps = stdout.match(/Mark-Compact/g)?.length ?? 0
  assert.match(stdout, /Scavenge/)
  // 36 and more without the options on a machine that does nothing else.
  assert.ok(wholeHeaps <= 5, `${wholeHeaps} looks through the whole heap`)
})
