import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { OriginStats, SourceServer } from './source-server.ts'

/** A program of `peers/` that says when it is ready, and takes one step for each line it is sent. */
export interface PeerProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly folder?: string | undefined
}

/** What one step of a peer took, or what stopped it. */
export interface PeerStep extends OriginStats {
  readonly milliseconds: number
  readonly error: string | undefined
}

interface Line {
  readonly ready?: boolean
  readonly milliseconds?: number
  readonly error?: string
}

/** Peers may ask for more memory than there is. */
const MOST_BYTES = 12 * 2 ** 30
const MOST_MILLISECONDS = 60_000

/** Runs a peer in a process of its own; each step is counted at the origin. */
export async function runPeer(program: PeerProgram, steps: number, origin: SourceServer): Promise<PeerStep[]> {
  const [command, ...args] = [...limits(), program.command, ...program.args]
  const child = spawn(command ?? program.command, args, { cwd: program.folder, stdio: ['pipe', 'pipe', 'ignore'] })
  // A peer that dies is found out by its missing answer.
  child.stdin.on('error', () => undefined)
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MILLISECONDS)
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Line> => {
    const line = await lines.next()
    return line.done === true
      ? { error: 'it ended by itself, or took over a minute' }
      : (JSON.parse(line.value) as Line)
  }
  const results: PeerStep[] = []
  let line = await next()
  while (line.error === undefined && results.length < steps) {
    const { result, stats } = await origin.counted(async () => {
      child.stdin.write('\n')
      return next()
    })
    line = result
    results.push({ ...stats, milliseconds: line.milliseconds ?? Number.NaN, error: line.error })
  }
  child.kill('SIGKILL')
  await exited
  clearTimeout(timer)
  return results
}

/** Where the machine can, a peer gets no more memory than this. */
function limits(): string[] {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return ['prlimit', `--as=${MOST_BYTES}`]
  } catch {
    return []
  }
}

/** The file of a peer's program. */
export function peerFile(name: string): string {
  return fileURLToPath(new URL(`peers/${name}`, import.meta.url))
}
