import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../helpers/ports.ts'

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url))

export interface ServerProcess {
  /** Ends in `/`. */
  readonly url: string
  /** Ends it as an operator would; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** The service as users run it: the command `serve` in a process of its own. */
export async function startServer(environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const port = await freePort()
  const env = {
    ...process.env,
    VZ_LOG_LEVEL: 'warn',
    VZ_MANIFEST_DIR: '',
    ...environment,
    HOST: '127.0.0.1',
    PORT: String(port),
  }
  const child = spawn(process.execPath, [MAIN, 'serve'], { stdio: ['ignore', 'inherit', 'inherit'], env })
  const url = `http://127.0.0.1:${port}/`
  await untilReady(child, `${url}health/ready`)
  return { url, stop: () => stop(child) }
}

/** The store of a source at a service. */
export function storeUrl(serviceUrl: string, sourceUrl: string, options = ''): string {
  return `${serviceUrl}zarr/~${Buffer.from(sourceUrl).toString('base64url')}${options}/`
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  // A server that can't start ends: this is for one that hangs, however busy the machine is.
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with status ${child.exitCode}`)
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error('the server was not ready within two minutes')
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  return child.exitCode
}
