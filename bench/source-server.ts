import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/helpers/ports.ts'
import { type Running, startProgram } from './processes.ts'

/** What the origin counted since the last reset; rounds are requests each of which began after another had ended. */
export interface OriginStats {
  readonly requests: number
  readonly rounds: number
  readonly bytes: number
}

/** A range server with latency that counts requests, bytes and dependent rounds. */
export interface SourceServer extends Running {
  /** Runs something and counts what it asked for. */
  counted<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly stats: OriginStats }>
}

const SOURCE = fileURLToPath(new URL('../../shared/bench/source-server.go', import.meta.url))
const PROGRAM = fileURLToPath(new URL('../node_modules/.cache/bench/source-server', import.meta.url))

/** The program, compiled once; undefined where its source or the compiler is missing. */
export function sourceServerProgram(): string | undefined {
  if (existsSync(PROGRAM)) return PROGRAM
  if (!existsSync(SOURCE)) return undefined
  mkdirSync(new URL('.', `file://${PROGRAM}`), { recursive: true })
  try {
    execFileSync('go', ['build', '-o', PROGRAM, SOURCE], { stdio: ['ignore', 'ignore', 'inherit'] })
    return PROGRAM
  } catch {
    return undefined
  }
}

/** Serves a folder with a latency before each answer. */
export async function startSourceServer(program: string, root: string, latency: string): Promise<SourceServer> {
  const port = await freePort()
  const running = await startProgram(program, ['-root', root, '-port', String(port), '-latency', latency], port)
  return {
    ...running,
    async counted(work) {
      await fetch(`${running.url}__reset`).then((response) => response.text())
      const result = await work()
      const { requests, rounds, bytes } = (await (await fetch(`${running.url}__stats`)).json()) as OriginStats
      return { result, stats: { requests, rounds, bytes } }
    },
  }
}
