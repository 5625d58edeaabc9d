import { parentPort } from 'node:worker_threads'
import type { ReaderFile } from './reader.ts'
import type { FromReader, ToReader } from './reader-messages.ts'
import { READERS } from './readers.ts'

/** The thread's side of `reader-thread.ts`: one file, one question at a time. */
class ReaderSide {
  #file: ReaderFile | undefined

  async answer(message: ToReader): Promise<FromReader> {
    if (message.kind === 'open') {
      const start = READERS[message.format]
      if (start === undefined) throw new Error(`there is no independent reader of ${message.format}`)
      const reader = await start()
      this.#file = await reader.open(message.path)
      return { kind: 'opened', name: reader.name }
    }
    if (this.#file === undefined) throw new Error('no file is open')
    if (message.kind === 'find') return { kind: 'found', found: await this.#file.find(message.wanted) }
    return { kind: 'values', values: await this.#file.read(message.wanted, message.box) }
  }
}

const side = new ReaderSide()

parentPort?.on('message', async (message: ToReader) => {
  parentPort?.postMessage(await side.answer(message).catch(failed))
})

/** Readers throw what they like; it is their word against ours, and no failure of the verification. */
function failed(error: unknown): FromReader {
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
}
