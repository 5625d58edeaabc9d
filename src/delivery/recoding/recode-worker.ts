import { parentPort } from 'node:worker_threads'
import { VirtualZarrError } from '../../errors.ts'
import type { RecodeTask } from '../delivery.ts'
import { recode } from './recode.ts'
import type { Outcome } from './task-message.ts'

/** The thread's side of `workers.ts`: one task after the other. */
parentPort?.on('message', async (task: RecodeTask) => {
  const outcome = await outcomeOf(task)
  parentPort?.postMessage(outcome, outcome.kind === 'done' ? [outcome.bytes.buffer as ArrayBuffer] : [])
})

async function outcomeOf(task: RecodeTask): Promise<Outcome> {
  try {
    const bytes = await recode(task)
    const isWhole = bytes.byteLength === bytes.buffer.byteLength
    return { kind: 'done', bytes: isWhole && !Buffer.isBuffer(bytes) ? bytes : new Uint8Array(bytes) }
  } catch (error) {
    if (!(error instanceof VirtualZarrError)) throw error
    return { kind: 'failed', code: error.code, message: error.message, context: error.context }
  }
}
