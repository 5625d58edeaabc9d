import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { millisecondsOf, WorkWatch } from '../../src/delivery/recoding/work-watch.ts'
import { isVirtualZarrError } from '../../src/errors.ts'

const DEADLINE_MS = 500

/** A thread that is watched, and the error that it is given up with. By the clock nothing passes but what the test lets pass. */
async function watched(t: TestContext, code: string): Promise<{ worker: Worker; error: Promise<unknown> }> {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const worker = new Worker(code, { eval: true })
  t.after(() => worker.terminate())
  await once(worker, 'online')
  return { worker, error: new Promise((resolve) => new WorkWatch(worker, 0, DEADLINE_MS, resolve)) }
}

test('a thread that works for too long is refused for ever', async (t) => {
  const { worker, error } = await watched(t, 'for (;;) {}')
  let worked: NodeJS.CpuUsage
  // However long a busy machine takes to give it so much.
  do {
    worked = await worker.cpuUsage()
  } while (millisecondsOf(worked) < DEADLINE_MS)
  t.mock.timers.tick(DEADLINE_MS)
  assert.ok(isVirtualZarrError(await error, 'limit-exceeded'))
})

test('a thread that had no chance to work so long may be asked again', async (t) => {
  const { worker, error } = await watched(t, "require('node:worker_threads').parentPort.on('message', () => {})")
  let isGivenUp = false
  void error.then(() => {
    isGivenUp = true
  })
  for (let times = 1; times < 6; times++) {
    t.mock.timers.tick(DEADLINE_MS)
    // So much that it has been looked at.
    assert.ok(millisecondsOf(await worker.cpuUsage()) < DEADLINE_MS)
    assert.equal(isGivenUp, false, `after ${times * DEADLINE_MS} ms`)
  }
  t.mock.timers.tick(DEADLINE_MS)
  assert.ok(isVirtualZarrError(await error, 'overloaded'))
})
