import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './ports.ts'

/** Why tests with a real server can't run here; false where they can. */
export const withoutRedis: string | false = runs('redis-server', '--version')
  ? false
  : 'redis-server is not on this machine'

/** A real server of Redis, on loopback, that keeps nothing on disk. */
export interface RedisServer {
  readonly port: number
  readonly process: ChildProcess
  /** What `redis-cli` prints for a command. */
  cli(...words: readonly string[]): string
  /** Kills it; `start` begins another on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Leaves nothing. */
  end(): Promise<void>
}

/** Starts a server with these settings, and waits until it listens. */
export async function startRedis(settings: readonly string[] = [], isSecure = false): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'vz-redis-'))
  const where = isSecure ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)]
  const words = [...where, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...settings]
  let child = spawn('redis-server', words, { stdio: 'ignore' })
  await listening(port)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return {
    port,
    get process() {
      return child
    },
    cli: (...command) =>
      execFileSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8', timeout: 10_000 }).trim(),
    stop,
    async end() {
      await stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
    async start() {
      await stop()
      child = spawn('redis-server', words, { stdio: 'ignore' })
      await listening(port)
    },
  }
}

/** Waits until something is so; throws after some seconds. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within ${milliseconds} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function listening(port: number): Promise<void> {
  await until(`a server at port ${port}`, async () => {
    const socket = connect(port, '127.0.0.1')
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    return isThere
  })
}

function runs(program: string, word: string): boolean {
  try {
    execFileSync(program, [word], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
