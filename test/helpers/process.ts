import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url))

/** A command line that has ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `virtual-zarr` with these words until it ends. */
export async function runCli(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...process.env, VZ_MANIFEST_DIR: '', ...environment },
  })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

/** The heap that Node gives itself on a machine, or in a container, of so much memory; on a larger one it lets garbage stand. */
export function heapOnMachineOf(bytes: number): string {
  return `--max-old-space-size=${Math.floor(bytes / 2 ** 21)} --max-semi-space-size=16`
}

export interface Server {
  readonly url: string
  readonly process: ChildProcess
  /** What it has written to standard output so far. */
  log(): string
  /** Resolves with the exit code after a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts `virtual-zarr serve` with these words on a free port and waits until it listens; `through` is a command that becomes the one
 * behind it.
 */
export async function startServer(
  environment: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
  through: readonly string[] = [],
): Promise<Server> {
  const [command = process.execPath, ...args] = [...through, process.execPath, MAIN, 'serve', '--port', '0', ...words]
  // Nothing of a test stays in the user's cache folder.
  const child = spawn(command, args, { env: { ...process.env, VZ_MANIFEST_DIR: '', ...environment } })
  const log = collect(child.stdout)
  const errors = collect(child.stderr)
  const closed = once(child, 'close') as Promise<[number | null]>
  // A server that can't start ends: this is for one that hangs, however busy the machine is.
  const deadline = Date.now() + 120_000
  for (;;) {
    const url = /listening at (http:\/\/[^"\s]+)/.exec(log())?.[1]
    if (url !== undefined) {
      return {
        url,
        process: child,
        log,
        async stop(signal = 'SIGTERM') {
          child.kill(signal)
          return (await closed)[0]
        },
      }
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`the server did not start: ${log()}${errors()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.on('data', (bytes) => {
    text += bytes
  })
  return () => text
}
