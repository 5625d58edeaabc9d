import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { heapOnMachineOf, type Server, startServer } from '../helpers/process.ts'
import { memoryOf } from '../helpers/process-state.ts'

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
  /** The most memory that it held meanwhile. */
  readonly residentBytes: number
  /** The longest time for which its event loop answered nobody, of the processor. */
  readonly blockedMilliseconds: number
}

/** A server process of its own, whose time and memory are measured from outside. */
export interface Lab {
  readonly server: Server
  readonly pid: number
  /** Asks for the key of a source's store, or what a route (`/inspect`) says of it. */
  ask(source: string, key: string, options?: string): Promise<Cost>
  /** Asks for the same of many sources at the same time; each cost is that of all of them. */
  askAll(sources: readonly string[], key: string, options?: string): Promise<Cost[]>
  stop(): Promise<void>
}

/** Starts a server that may read from these origins; `memoryBytes`: as on a machine of so much memory. */
export async function startLab(
  origins: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  memoryBytes?: number,
): Promise<Lab> {
  const watch = `--import=${new URL('./loop-watch.ts', import.meta.url).href}`
  const options = memoryBytes === undefined ? watch : `${watch} ${heapOnMachineOf(memoryBytes)}`
  const settings = { VZ_ALLOW_SOURCES: origins.join(','), VZ_LOG_LEVEL: 'info', NODE_OPTIONS: options }
  const server = await startServer({ ...settings, ...environment })
  const pid = server.process.pid
  assert.ok(pid !== undefined)
  return {
    server,
    pid,
    async ask(source, key, options = '') {
      const [cost] = await measured(server, pid, [urlOf(server.url, source, key, options)])
      assert.ok(cost !== undefined)
      return cost
    },
    askAll: (sources, key, options = '') =>
      measured(
        server,
        pid,
        sources.map((source) => urlOf(server.url, source, key, options)),
      ),
    async stop() {
      await server.stop()
    },
  }
}

function urlOf(base: string, source: string, key: string, options: string): string {
  if (key.startsWith('/')) return `${base}${key}?url=${encodeURIComponent(source)}`
  return `${base}/zarr/~${Buffer.from(source).toString('base64url')}${options}/${key}`
}

async function measured(server: Server, pid: number, urls: readonly string[]): Promise<Cost[]> {
  await longestTurn(server)
  resetPeak(pid)
  const before = { memory: memoryOf(pid, 'VmRSS'), cpu: cpuOf(pid) }
  const start = performance.now()
  const answers = await Promise.all(urls.map((url) => answered(url, MOST_TEXT_BYTES / urls.length)))
  const peak = memoryOf(pid, 'VmHWM')
  const shared = {
    milliseconds: performance.now() - start,
    cpuMilliseconds: cpuOf(pid) - before.cpu,
    grownBytes: peak - before.memory,
    residentBytes: peak,
    blockedMilliseconds: await longestTurn(server),
  }
  return answers.map((answer) => ({ ...answer, ...shared }))
}

const MOST_TEXT_BYTES = 2 ** 25

/** A long body is read on, but not kept. */
async function answered(url: string, mostText: number): Promise<Pick<Cost, 'status' | 'type' | 'text'>> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(300_000) })
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const bytes of reply.body ?? []) {
    if (length < mostText) text += decoder.decode(bytes.subarray(0, mostText - length), { stream: true })
    length += bytes.length
  }
  return { status: reply.status, type: reply.headers.get('content-type') ?? '', text }
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

/** The longest turn of the event loop since the last time it was asked for. */
async function longestTurn(server: Server): Promise<number> {
  const before = server.log().length
  server.process.kill('SIGUSR2')
  const deadline = Date.now() + 30_000
  for (;;) {
    const [, milliseconds] = /^\{"longestTurn":([\d.e+-]+)\}$/m.exec(server.log().slice(before)) ?? []
    if (milliseconds !== undefined) return Number(milliseconds)
    assert.ok(Date.now() < deadline, 'the server tells nothing of its event loop')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
