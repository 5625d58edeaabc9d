import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formats } from '../../src/formats/registry.ts'
import { joinedSources } from '../helpers/test-joins.ts'
import { fixtureSources } from '../helpers/test-sources.ts'
import { fuzz } from './fuzz.ts'

const NO_PROC = process.platform === 'linux' ? false : 'time and memory of another process are read from /proc of Linux'

test('every format that is built is attacked, by its fixtures', () => {
  const attacked = new Set(fixtureSources().map(({ format }) => format))
  assert.deepEqual([...attacked].toSorted(), formats.map(({ name }) => name).toSorted())
})

test('damaged sources of every format are served or refused, and hold up nobody', { skip: NO_PROC }, async () => {
  const sources = [...fixtureSources(), ...joinedSources()]
  const { finds, statuses, rounds, health } = await fuzz({ sources, rounds: 150, milliseconds: 60_000, seed: 1 })
  assert.deepEqual(finds, [])
  assert.ok(rounds > 0 && statuses.size > 1, 'some are served, some refused')
  assert.ok(health.answers > 0, 'health was polled')
})
