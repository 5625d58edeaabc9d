import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz.ts'

const NO_PROC = process.platform === 'linux' ? false : 'time and memory of another process are read from /proc of Linux'

test('damaged files of every format are served or refused, and hold up nobody', { skip: NO_PROC }, async () => {
  const { finds, statuses, rounds } = await fuzz({ rounds: 120, milliseconds: 60_000, seed: 1 })
  assert.deepEqual(finds, [])
  assert.ok(rounds > 0 && statuses.size > 1, 'some are served, some refused')
})
