import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const TESTS = resolve(import.meta.dirname, '..')
/** What was measured with a clock, in an assertion: a busy machine breaks it. Waiting until something holds, with an end, is none. */
const MEASURED = /assert(?:\.\w+)?\([^\n]*(?:performance|Date)\.now\(\) *-|assert(?:\.\w+)?\((?:took|elapsed)\b/

test('no test asserts how long something took by the clock', () => {
  assert.match('  assert.ok(performance.now() - start < 2000)', MEASURED)
  assert.match('  assert(Date.now() - start < 1500)', MEASURED)
  const timed = globSync('**/*.test.ts', { cwd: TESTS }).filter((name) => {
    if (name === 'architecture/clocks.test.ts') return false
    const text = readFileSync(join(TESTS, name), 'utf8')
    return MEASURED.test(text) && !text.includes('processorMilliseconds') && !text.includes('cpuUsage')
  })
  assert.deepEqual(timed, [])
})
