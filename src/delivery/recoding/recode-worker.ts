import { parentPort } from 'node:worker_threads'
import { VirtualZarrError } from '../../errors.ts'
import { recode } from './recode.ts'
import { type Outcome, type PackedTask, unpackTask } from './task-message.ts'

/** The thread's side of `workers.ts`: one task after the other. */
parentPort?.on('message', async (packed: PackedTask) => {
  const outcome = await outcomeOf(packed)
  parentPort?.postMessage(outcome, outcome.kind === 'done' ? [outcome.bytes.buffer as ArrayBuffer] : [])
})

async function outcomeOf(packed: PackedTask): Promise<Outcome> {
  try {
    const bytes = await recode(unpackTask(packed))
    const isWhole = bytes.byteLength === bytes.buffer.byteLength
    return { kind: 'done', bytes: isWhole && !Buffer.isBuffer(bytes) ? bytes : new Uint8Array(bytes) }
  } catch (error) {
    if (!(error instanceof VirtualZarrError)) throw error
    return { kind: 'failed', code: error.code, message: error.message, context: error.context }
  }
}
