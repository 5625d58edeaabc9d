// The other side of `reader-process.ts`: one file, one question at a time.
import { Worker } from 'node:worker_threads'
import type { IndependentReader, ReaderFile } from './reader.ts'
import type { FromReader, ToReader } from './reader-messages.ts'
import { READERS } from './readers.ts'

class ReaderSide {
  readonly #readers = new Map<string, Promise<IndependentReader>>()
  #file: ReaderFile | undefined

  async answer(message: ToReader): Promise<FromReader> {
    if (message.kind === 'open') {
      await this.#file?.close?.()
      this.#file = undefined
      const reader = await this.#reader(message.format)
      this.#file = await reader.open(message.place)
      return { kind: 'opened', name: reader.name }
    }
    if (this.#file === undefined) throw new Error('no file is open')
    if (message.kind === 'find') return { kind: 'found', found: await this.#file.find(message.wanted) }
    return { kind: 'values', values: await this.#file.read(message.wanted, message.box) }
  }

  async #reader(format: string): Promise<IndependentReader> {
    const known = READERS[format]
    if (known === undefined) throw new Error(`there is no independent reader of ${format}`)
    const reader = this.#readers.get(format) ?? known.start()
    this.#readers.set(format, reader)
    return await reader
  }
}

const MEGABYTES = Number(process.argv[2])
const MOST_BYTES = MEGABYTES * 2 ** 20
const side = new ReaderSide()
const watch = import.meta.url.endsWith('.ts') ? './reader-watch.ts' : './reader-watch.js'
new Worker(new URL(watch, import.meta.url), { workerData: { megabytes: MEGABYTES } }).unref()

process.on('message', async (message: ToReader) => {
  const answer = await side.answer(message).catch(failed)
  // What is quick the watch may not have seen.
  if (process.memoryUsage.rss() > MOST_BYTES) process.kill(process.pid, 'SIGKILL')
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())

/** Readers throw what they like; it is their word against ours, and no failure of the verification. */
function failed(error: unknown): FromReader {
  const message = error instanceof Error ? error.message : String(error)
  // The HDF5 library tells where in its sources it was.
  return { kind: 'failed', message: /#000:[^\n]*\(\): ([^\n]*)/.exec(message)?.[1] ?? message }
}
