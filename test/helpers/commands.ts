import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Ended } from './process.ts'

/** Runs commands one after another in a thread, which loads the program once: `runCli` is a process for each. */
export interface Commands {
  run(words: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ended>
  close(): Promise<void>
}

export function startCommands(): Commands {
  const thread = new Worker(new URL('command-thread.ts', import.meta.url))
  return {
    async run(words, environment = {}) {
      thread.postMessage({ words, environment: { ...process.env, ...environment } })
      const [ended] = (await once(thread, 'message')) as [Ended]
      return ended
    },
    close: async () => void (await thread.terminate()),
  }
}
