import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import type { CloudKey } from '../../../src/source/clouds/cloud.ts'
import { KeptKey, type LoadedKey } from '../../../src/source/clouds/kept-key.ts'

const MINUTE = 60_000

/** A source of keys: what it gives is set by the test, and each gift is counted. */
function source(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const state = { token: 'first', lifeMs: (15 * MINUTE) as number | undefined, fails: false, loads: 0, refused: 0 }
  const kept = new KeptKey('s3://bucket/', async (isRefused): Promise<LoadedKey> => {
    state.loads++
    if (isRefused) state.refused++
    if (state.fails) throw new TypeError('SECRET')
    const { token, lifeMs } = state
    return { key: { kind: 'bearer', token }, expires: lifeMs === undefined ? undefined : Date.now() + lifeMs }
  })
  const tokenNow = async () => tokenOf(await kept.get(undefined))
  return { state, kept, tokenNow, pass: (ms: number) => t.mock.timers.tick(ms) }
}

function tokenOf(key: CloudKey): string {
  return key.kind === 'bearer' ? key.token : ''
}

test('a key is loaded once for all who ask', async (t) => {
  const { state, kept, tokenNow } = source(t)
  assert.deepEqual(await Promise.all([tokenNow(), tokenNow()]), ['first', 'first'])
  assert.equal(state.loads, 1)
  assert.ok(!(kept.get(undefined) instanceof Promise), 'then it is at hand')
})

test('it is renewed before it expires, and nobody waits for that', async (t) => {
  const { state, kept, tokenNow, pass } = source(t)
  await tokenNow()
  pass(10 * MINUTE + 30_000)
  assert.ok(!(kept.get(undefined) instanceof Promise))
  assert.equal(state.loads, 1, 'not early')
  pass(MINUTE)
  state.token = 'second'
  assert.equal(tokenOf(await kept.get(undefined)), 'first')
  await new Promise(setImmediate)
  assert.equal(await tokenNow(), 'second')
  assert.equal(state.loads, 2)
})

test('one that has expired is not handed out, and a source that fails is asked again now and then', async (t) => {
  const { state, tokenNow, pass } = source(t)
  await tokenNow()
  state.fails = true
  pass(12 * MINUTE)
  for (let i = 0; i < 3; i++) assert.equal(await tokenNow(), 'first', 'it still is good')
  assert.equal(state.loads, 2)
  pass(5_000)
  await tokenNow()
  assert.equal(state.loads, 3)
  pass(10 * MINUTE)
  await assert.rejects(tokenNow(), (error: Error) => {
    assert.ok(isVirtualZarrError(error, 'source-unavailable'))
    assert.doesNotMatch(`${error.stack} ${error.cause}`, /SECRET/)
    return true
  })
  state.fails = false
  state.token = 'second'
  assert.equal(await tokenNow(), 'second')
})

test('one that a store refuses is replaced at once; one that stays the same is not asked for all the time', async (t) => {
  const { state, kept, tokenNow, pass } = source(t)
  kept.refuse(await kept.get(undefined))
  state.token = 'second'
  assert.equal(await tokenNow(), 'second')
  kept.refuse(await kept.get(undefined))
  state.token = 'third'
  assert.equal(await tokenNow(), 'third')
  assert.equal(state.refused, 2)
  for (let i = 0; i < 10; i++) {
    kept.refuse(await kept.get(undefined))
    await tokenNow()
  }
  assert.equal(state.loads, 4)
  pass(5_001)
  state.token = 'fourth'
  assert.equal(await tokenNow(), 'fourth')
})

test('a late refusal of an earlier key changes nothing', async (t) => {
  const { state, kept, tokenNow } = source(t)
  const first = await kept.get(undefined)
  kept.refuse(first)
  state.token = 'second'
  await tokenNow()
  kept.refuse(first)
  await tokenNow()
  assert.equal(state.loads, 2)
})
