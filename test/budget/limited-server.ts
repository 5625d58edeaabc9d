import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { heapOnMachineOf, type Server, startServer } from '../helpers/process.ts'

/** A server that has no more memory than a container would give it. */
export interface LimitedServer {
  readonly server: Server
  readonly pid: number
  /** What enforces the limit. */
  readonly enforcedBy: 'cgroup' | 'watchdog'
  /** The most resident memory of all its processes together, so far. */
  peakBytes(): number
  /** How many of its processes have been killed for their memory. */
  kills(): number
  stop(): Promise<void>
}

const SAMPLE_MILLISECONDS = 20
const MEMORY_CGROUP = '/sys/fs/cgroup/memory'

/** Starts a server with these settings under a limit: by a control group where this user may make one, else by a watchdog. */
export async function startLimited(
  limitBytes: number,
  settings: Readonly<Record<string, string>>,
): Promise<LimitedServer> {
  const cgroup = memoryCgroup(limitBytes)
  const environment = {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    NODE_OPTIONS: cgroup === undefined ? heapOnMachineOf(limitBytes) : '--max-semi-space-size=16',
    ...settings,
  }
  const through = cgroup === undefined ? [] : ['sh', '-c', `echo $$ > ${cgroup}/cgroup.procs; exec "$@"`, 'sh']
  const server = await startServer(environment, [], through)
  const pid = server.process.pid ?? 0
  const watch = new MemoryWatch(pid, cgroup === undefined ? limitBytes : Number.POSITIVE_INFINITY)
  const running = watch.run()
  return {
    server,
    pid,
    enforcedBy: cgroup === undefined ? 'watchdog' : 'cgroup',
    peakBytes: () => watch.peak,
    kills: () => Math.max(watch.kills, watch.deaths, cgroup === undefined ? 0 : oomKills(cgroup)),
    async stop() {
      watch.end()
      await running
      if (server.process.exitCode === null && server.process.signalCode === null) await server.stop('SIGKILL')
      if (cgroup !== undefined) await removeCgroup(cgroup)
    },
  }
}

/** A group of cgroup v1 with this limit; undefined where there is none to be had. */
export function memoryCgroup(limitBytes: number): string | undefined {
  const folder = join(MEMORY_CGROUP, `vz-budget-${process.pid}-${Math.floor(performance.now())}`)
  if (!existsSync(join(MEMORY_CGROUP, 'memory.limit_in_bytes'))) return undefined
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(limitBytes))
    return folder
  } catch {
    return undefined
  }
}

/** Zero where the kernel doesn't count them: there the death of the process is all that shows. */
function oomKills(cgroup: string): number {
  const control = readFileSync(join(cgroup, 'memory.oom_control'), 'utf8')
  return Number(/^oom_kill (\d+)$/m.exec(control)?.[1] ?? 0)
}

export async function removeCgroup(cgroup: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      rmdirSync(cgroup)
      return
    } catch {
      // Its processes have not ended yet.
      await setTimeout(100)
    }
  }
  throw new Error(`${cgroup} still has processes`)
}

/** Adds up the resident memory of a process and its children, and kills the process where that is over the limit. */
class MemoryWatch {
  peak = 0
  kills = 0
  /** Of the process itself, by whatever signal. */
  deaths = 0
  readonly #pid: number
  readonly #limit: number
  #isEnded = false

  constructor(pid: number, limit: number) {
    this.#pid = pid
    this.#limit = limit
  }

  async run(): Promise<void> {
    while (!this.#isEnded) {
      const bytes = [this.#pid, ...childrenOf(this.#pid)].reduce((sum, pid) => sum + (residentOf(pid) ?? 0), 0)
      if (bytes === 0 && !this.#isEnded) {
        if (this.kills === 0) this.deaths = 1
        return
      }
      this.peak = Math.max(this.peak, bytes)
      if (bytes > this.#limit) {
        this.kills++
        process.kill(this.#pid, 'SIGKILL')
      }
      await setTimeout(SAMPLE_MILLISECONDS)
    }
  }

  end(): void {
    this.#isEnded = true
  }
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      return text.split(' ').filter(Boolean).map(Number)
    })
  } catch {
    return []
  }
}

function residentOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
