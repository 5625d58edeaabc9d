import { parentPort } from 'node:worker_threads'
import type { ByteRange } from '../../bytes/byte-range.ts'
import { ownBytes } from '../../bytes/own.ts'
import { chunkMemory } from '../../codecs/kernels/chunk-memory.ts'
import { VirtualZarrError } from '../../errors.ts'
import { recode } from './recode.ts'
import {
  type FromThread,
  type Outcome,
  type ReadAnswer,
  type TaskMessage,
  TaskReceiver,
  type ToThread,
} from './task-message.ts'
import { millisecondsOf } from './work-watch.ts'

const receiver = new TaskReceiver()
const reads = new Map<number, PromiseWithResolvers<Uint8Array>>()

/** The thread's side of `workers.ts`: one task after the other. */
parentPort?.on('message', async (message: ToThread) => {
  if (message.kind !== 'task') return settleRead(message)
  chunkMemory.begin()
  const outcome = await outcomeOf(message)
  const workedMs = millisecondsOf(process.threadCpuUsage())
  send({ ...outcome, workedMs }, outcome.kind === 'done' ? [outcome.bytes.buffer as ArrayBuffer] : [])
  // What failed may have left other pieces of its chunk at work.
  chunkMemory.end(outcome.kind === 'done')
})

function send(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

/** The source of one task is read by the other side, which alone may. What is left of a task that failed reads nothing. */
class SourceReader {
  #isOver = false

  read(range: ByteRange): Promise<Uint8Array> {
    const answer = Promise.withResolvers<Uint8Array>()
    if (this.#isOver) return answer.promise
    const id = reads.size === 0 ? 0 : Math.max(...reads.keys()) + 1
    reads.set(id, answer)
    send({ kind: 'read', id, range })
    return answer.promise
  }

  end(): void {
    this.#isOver = true
  }
}

function settleRead(answer: ReadAnswer): void {
  const waiting = reads.get(answer.id)
  reads.delete(answer.id)
  if (answer.kind === 'bytes') waiting?.resolve(answer.bytes)
  else waiting?.reject(new VirtualZarrError(answer.code, answer.message, answer.context))
}

async function outcomeOf(message: TaskMessage): Promise<Outcome> {
  const source = new SourceReader()
  try {
    const bytes = await recode(receiver.unpack(message), (range) => source.read(range))
    return { kind: 'done', bytes: ownBytes(bytes) }
  } catch (error) {
    if (!(error instanceof VirtualZarrError)) throw error
    return { kind: 'failed', code: error.code, message: error.message, context: error.context }
  } finally {
    source.end()
  }
}
