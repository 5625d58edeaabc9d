import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { interopPython } from './venv.ts'

const SCRIPT = fileURLToPath(new URL('python/zarr_python_clients.py', import.meta.url))

/** What they saw: each round is an array's document and its one chunk. */
export interface PythonSaw {
  readonly rounds: number
  readonly wrong: number
  readonly errors: readonly string[]
}

export interface ZarrPythonClients {
  readonly count: number
  /** Why there are none. */
  readonly missing?: string
  /** From now on they read arrays, each given by its store's URL and the SHA-256 of its values as the source has them. */
  start(stores: readonly (readonly [url: string, sha256: string])[]): void
  stop(): Promise<PythonSaw>
  /** Ends them if they have not ended. */
  kill(): void
}

/** So many readers in one process of Python, which waits to be told what to read; none where there is no Python. */
export async function zarrPythonClients(count: number): Promise<ZarrPythonClients> {
  const python = pythonOrReason()
  if ('missing' in python) return none(python.missing)
  const child = spawn(python.command, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  const line = async () => {
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`${SCRIPT} ended with ${(await ended)[0]}`)
    return value
  }
  await line()
  return {
    count,
    start: (stores) => child.stdin.write(`${JSON.stringify({ clients: count, stores })}\n`),
    async stop() {
      child.stdin.end()
      return JSON.parse(await line())
    },
    kill: () => child.kill('SIGKILL'),
  }
}

function none(missing: string): ZarrPythonClients {
  const saw = { rounds: 0, wrong: 0, errors: [] }
  return { count: 0, missing, start: () => undefined, stop: async () => saw, kill: () => undefined }
}

function pythonOrReason(): { readonly command: string } | { readonly missing: string } {
  try {
    return { command: interopPython() }
  } catch (error) {
    return { missing: `no readers by zarr-python: ${String(error)}` }
  }
}
