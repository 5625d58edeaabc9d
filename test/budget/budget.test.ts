import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ATTACKS } from './attacks.ts'
import { runAttack, violationOf } from './budget.ts'

// The short form of `npm run budget`: attacks that once ended a process of the documented size.

const NO_PROC = process.platform === 'linux' ? false : 'time and memory of another process are read from /proc of Linux'
const LIMIT_MIB = 1536
const NAMES = ['8 parallel raw chunks of 64 MiB', '8 x ;pyramid=mean of a TIFF of 526 kB']

describe('attacks within a memory limit', { skip: NO_PROC, concurrency: false }, () => {
  for (const name of NAMES) {
    test(name, async () => {
      const attack = ATTACKS.find((each) => each.name === name)
      assert.ok(attack !== undefined)
      const outcome = await runAttack(attack, LIMIT_MIB)
      assert.equal(violationOf(outcome), undefined, JSON.stringify(outcome))
      assert.ok(outcome.honestAnswers > 20, `${outcome.honestAnswers} honest answers`)
      assert.ok(outcome.statuses['200'] !== undefined, 'the attack reached the server')
    })
  }
})
