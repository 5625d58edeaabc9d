import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { WorkWatch } from '../../src/delivery/recoding/work-watch.ts'

async function givenUpWith(code: string): Promise<unknown> {
  const worker = new Worker(code, { eval: true })
  try {
    return await new Promise((resolve) => new WorkWatch(worker, 0, 500, resolve))
  } finally {
    await worker.terminate()
  }
}

test('a thread that works for too long is refused for ever', async () => {
  const error = await givenUpWith('for (;;) {}')
  assert.ok(error instanceof Error && 'code' in error)
  assert.equal(error.code, 'limit-exceeded')
})

test('a thread that had no chance to work so long may be asked again', async () => {
  const error = await givenUpWith("require('node:worker_threads').parentPort.on('message', () => {})")
  assert.ok(error instanceof Error && 'code' in error)
  assert.equal(error.code, 'overloaded')
})
