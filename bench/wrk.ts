import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoadResult, LoadTask } from './load.ts'
import { type Keep, startWorker } from './processes.ts'
import { cpuSeconds, TICKS_PER_SECOND } from './rounds.ts'

/** What asks; several tasks may run at a time. */
export interface LoadGenerator {
  readonly name: string
  run(task: LoadTask): Promise<Load>
  /** Processor time that it has taken so far. */
  spent(): number
}

export type Load = Pick<LoadResult, 'requests' | 'requestsPerSecond' | 'errors'>

const WRK = ['/usr/bin/wrk', '/usr/local/bin/wrk', '/opt/homebrew/bin/wrk'].find((path) => existsSync(path))

/** The cheapest there is: wrk where it is installed, which costs little beside the server; else two processes of Node. */
export async function loadGenerator(keep: Keep): Promise<LoadGenerator> {
  if (WRK !== undefined) return { name: 'wrk', run: (task) => runWrk(WRK, task), spent: secondsOfEnded }
  let next = 0
  const loads = [await keep(startWorker('./load.ts')), await keep(startWorker('./load.ts'))]
  return {
    name: 'two processes of Node (wrk is not installed), which take much of what is to be measured',
    spent: () => loads.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    async run(task) {
      const load = loads[next++ % loads.length]
      if (load === undefined) throw new Error('there is no process to ask')
      return await load.call<LoadResult>(task)
    },
  }
}

/** So many connections have a thread of their own: two services that are asked apart have no more threads than one. */
const CONNECTIONS_OF_THREAD = 16

/** The requests of a task in turn, each thread elsewhere among them, and a line of figures at the end. */
const script = ({ requests }: LoadTask) => `
local requests, threads = {}, 0
at = 0
function setup(thread)
  thread:set("at", threads * ${Math.ceil(requests.length / 2)})
  threads = threads + 1
end
function init()
  for _, path in ipairs({ ${requests.map(({ path }) => JSON.stringify(path)).join(', ')} }) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary)
  local errors = summary.errors
  local all = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("\\nfigures %d %d %d %d\\n", summary.requests, summary.duration, summary.bytes, all))
end
`
/** More than the headers of an answer. */
const HEAD_BYTES = 2000

async function runWrk(program: string, task: LoadTask): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-wrk-'))
  try {
    const file = join(folder, 'load.lua')
    writeFileSync(file, script(task))
    const threads = Math.ceil(task.connections / CONNECTIONS_OF_THREAD)
    const args = [
      '-t',
      String(threads),
      '-c',
      String(task.connections),
      '-d',
      `${task.seconds}s`,
      '--timeout',
      '30s',
      '-s',
      file,
    ]
    const { stdout } = await promisify(execFile)(program, [...args, task.origin])
    const figures = /^figures (.*)$/m.exec(stdout)?.[1]?.split(' ').map(Number)
    if (figures === undefined) throw new Error(`wrk said: ${stdout}`)
    const [requests = 0, microseconds = 0, bytes = 0, errors = 0] = figures
    // It does not look at bodies: on the average they are as long as they should be, but for what was under way at the end.
    const most = requests * (task.bodyLength + HEAD_BYTES) + task.connections * task.bodyLength
    const isWrong = bytes < requests * task.bodyLength || bytes > most
    return { requests, requestsPerSecond: (requests * 1e6) / microseconds, errors: isWrong ? requests : errors }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Processor time of those processes that this one started and that have ended. */
function secondsOfEnded(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
