import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { type Server, startServer } from '../helpers/process.ts'
import { memoryOf, metricOf, metricsOf } from '../helpers/process-state.ts'

/** What one request cost the server. */
export interface Cost {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly milliseconds: number
  /** Of the processor, in all threads of the server. */
  readonly cpuMilliseconds: number
  /** How far the memory of the process rose above where it was. */
  readonly grownBytes: number
  /** The longest time for which its event loop answered nobody. */
  readonly blockedMilliseconds: number
}

/** A server process of its own, whose time and memory are measured from outside. */
export interface Lab {
  readonly server: Server
  readonly pid: number
  /** Asks for the key of a source's store, or what a route (`/inspect`) says of it. */
  ask(source: string, key: string, options?: string): Promise<Cost>
  stop(): Promise<void>
}

/** Starts a server that may read from these origins. */
export async function startLab(origins: readonly string[]): Promise<Lab> {
  const server = await startServer({ VZ_ALLOW_SOURCES: origins.join(','), VZ_LOG_LEVEL: 'info' })
  const pid = server.process.pid
  assert.ok(pid !== undefined)
  return {
    server,
    pid,
    ask: (source, key, options = '') => measured(server, pid, urlOf(server.url, source, key, options)),
    async stop() {
      await server.stop()
    },
  }
}

function urlOf(base: string, source: string, key: string, options: string): string {
  if (key.startsWith('/')) return `${base}${key}?url=${encodeURIComponent(source)}`
  return `${base}/zarr/~${Buffer.from(source).toString('base64url')}${options}/${key}`
}

async function measured(server: Server, pid: number, url: string): Promise<Cost> {
  await longestPause(server)
  resetPeak(pid)
  const before = { memory: memoryOf(pid, 'VmRSS'), cpu: cpuOf(pid) }
  const start = performance.now()
  const reply = await fetch(url, { signal: AbortSignal.timeout(60_000) })
  const bytes = await reply.bytes()
  const milliseconds = performance.now() - start
  return {
    status: reply.status,
    type: reply.headers.get('content-type') ?? '',
    text: new TextDecoder().decode(bytes.subarray(0, 2 ** 25)),
    milliseconds,
    cpuMilliseconds: cpuOf(pid) - before.cpu,
    grownBytes: memoryOf(pid, 'VmHWM') - before.memory,
    blockedMilliseconds: await longestPause(server),
  }
}

/** Linux, proc(5): 5 sets the peak of resident memory to what is resident now. */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Fields 14 and 15 of proc_pid_stat(5), in hundredths of a second on every Linux there is. */
function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The longest delay of the event loop since the last time it was asked for. */
async function longestPause(server: Server): Promise<number> {
  return metricOf(await metricsOf(server), 'nodejs_eventloop_lag_max_seconds') * 1000
}
