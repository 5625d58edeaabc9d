import { parentPort } from 'node:worker_threads'
import { runCommand } from '../../src/server/commands/run.ts'
import type { Ended } from './process.ts'

/** A command line for this thread. */
export interface Command {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

parentPort?.on('message', async ({ words, environment }: Command) => {
  const stdout = collected(process.stdout)
  const stderr = collected(process.stderr)
  const code = await runCommand(words, environment)
  const ended: Ended = { code, stdout: stdout(), stderr: stderr() }
  parentPort?.postMessage(ended)
})

/** Takes what is written to a stream of this thread from now on. */
function collected(stream: NodeJS.WriteStream): () => string {
  const texts: string[] = []
  stream.write = (chunk: string | Uint8Array): boolean => {
    texts.push(chunk.toString())
    return true
  }
  return () => texts.join('')
}
