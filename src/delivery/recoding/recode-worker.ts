import { parentPort } from 'node:worker_threads'
import { VirtualZarrError } from '../../errors.ts'
import { recode } from './recode.ts'
import { type Outcome, type TaskMessage, TaskReceiver } from './task-message.ts'

const receiver = new TaskReceiver()

/** The thread's side of `workers.ts`: one task after the other. */
parentPort?.on('message', async (message: TaskMessage) => {
  const outcome = await outcomeOf(message)
  parentPort?.postMessage(outcome, outcome.kind === 'done' ? [outcome.bytes.buffer as ArrayBuffer] : [])
})

async function outcomeOf(message: TaskMessage): Promise<Outcome> {
  try {
    const bytes = await recode(receiver.unpack(message))
    const isWhole = bytes.byteLength === bytes.buffer.byteLength
    return { kind: 'done', bytes: isWhole && !Buffer.isBuffer(bytes) ? bytes : new Uint8Array(bytes) }
  } catch (error) {
    if (!(error instanceof VirtualZarrError)) throw error
    return { kind: 'failed', code: error.code, message: error.message, context: error.context }
  }
}
