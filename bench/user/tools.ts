import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../src/json/json.ts'
import { memoryCgroup, removeCgroup } from '../../test/budget/limited-server.ts'
import { list } from '../../test/corpus/golden.ts'
import { consolidatedDocuments } from '../../test/corpus/store-client.ts'
import { freePort } from '../../test/helpers/ports.ts'
import { type Running, startTalker, startWorker, type Worker } from '../processes.ts'
import { cpuSeconds } from '../rounds.ts'
import { benchPython } from './environment.ts'
import type { OriginCall, OriginCounts } from './origin.ts'

/** Of every answer of the origin. */
const LATENCY_MILLISECONDS = 50
const START_SECONDS = 60

/** One piece of work: what it asked of the origin, and the time it took. */
export interface Measurement extends OriginCounts {
  readonly seconds: number
  /** Of the service, and of the reader where there is one. */
  readonly cpuSeconds: number
  /** Of the values; undefined where none were read. */
  readonly sha256?: string
}

export interface UserOrigin extends Worker {
  /** Runs something, and counts what it asks for. */
  measure(work: () => Promise<void>): Promise<OriginCounts & { readonly seconds: number }>
}

export async function startOrigin(folders: readonly string[]): Promise<UserOrigin> {
  const worker = await startWorker('./user/origin.ts', folders)
  const counts = () => worker.call<OriginCounts>({ latencyMilliseconds: LATENCY_MILLISECONDS } satisfies OriginCall)
  return {
    ...worker,
    async measure(work) {
      await counts()
      const start = performance.now()
      await work()
      const seconds = (performance.now() - start) / 1000
      return { ...(await counts()), seconds }
    },
  }
}

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The service as `npm start` starts it, with default settings: only the port, the origins that it may read, and a cache folder of the
 * user that begins empty are its own; `limitBytes` is what a container would give it.
 */
export async function startDefaultService(
  allowed: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  limitBytes?: number,
): Promise<Running> {
  const cgroup = limitBytes === undefined ? undefined : memoryCgroup(limitBytes)
  if (limitBytes !== undefined && cgroup === undefined) throw new Error('this user can make no control group of memory')
  const cache = mkdtempSync(join(tmpdir(), 'bench-user-cache-'))
  const port = await freePort()
  const environment = {
    ...process.env,
    PORT: String(port),
    XDG_CACHE_HOME: cache,
    VZ_ALLOW_SOURCES: allowed.join(','),
    ...settings,
  }
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string }
  }
  // In the shell's place, so that its process is the service's.
  const command = scripts.start.replace(/\bnode /, `exec '${process.execPath}' `)
  const enterGroup = cgroup === undefined ? '' : `echo $$ > ${cgroup}/cgroup.procs; `
  const child = spawn('sh', ['-c', `${enterGroup}${command}`], {
    cwd: PROJECT,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}/`
  const deadline = Date.now() + START_SECONDS * 1000
  const isLive = () =>
    fetch(`${url}health/live`).then(
      (response) => response.body?.cancel().then(() => response.ok) ?? response.ok,
      () => false,
    )
  while (!(await isLive())) {
    if (child.exitCode !== null) throw new Error(`the service ended with status ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error(`the service does not listen on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        await exited
      }
      rmSync(cache, { recursive: true, force: true })
      if (cgroup !== undefined) await removeCgroup(cgroup)
    },
  }
}

/** The store of a source, with options as in the URL: `;codecs=raw`. */
export function storeUrl(service: Running, source: string, options = ''): string {
  return `${service.url}zarr/~${Buffer.from(source).toString('base64url')}${options}/`
}

/** What one reading took in the reader's process. */
export interface Reading {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly sha256: string
}

export interface Reader extends Running {
  /** Ends the process, and rejects, when it takes longer. */
  read(how: string, url: string, maxSeconds?: number): Promise<Reading>
}

/** One process of Python, so that everybody's code is loaded. */
export async function startReader(): Promise<Reader> {
  const { tell, heard, ...running } = startTalker(benchPython(), [fileURLToPath(new URL('reader.py', import.meta.url))])
  await heard()
  return {
    ...running,
    async read(how, url, maxSeconds = 600) {
      tell(JSON.stringify({ how, url }))
      const timer = setTimeout(() => void running.stop(), maxSeconds * 1000)
      const text = await heard().finally(() => clearTimeout(timer))
      const answer = JSON.parse(text) as Reading | { readonly error: string }
      if ('error' in answer) throw new Error(`${how} of ${url}: ${answer.error}`)
      return answer
    },
  }
}

/** The bytes of an answer of the service, which has to be one of these. */
export async function fetchBytes(url: string, statuses: readonly number[] = [200]): Promise<Uint8Array> {
  const response = await fetch(url)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (statuses.includes(response.status)) return bytes
  throw new Error(`${url} is ${response.status}: ${new TextDecoder().decode(bytes).slice(0, 500)}`)
}

/** A root document that lists only the array of most elements. */
export function largestArrayOf(root: JsonObject): JsonObject {
  let [largest, most]: [JsonObject | undefined, number] = [undefined, 0]
  for (const [path, node] of consolidatedDocuments(root)) {
    const size = list(node['shape']).reduce<number>((product, length) => product * Number(length), 1)
    if (node['node_type'] !== 'array' || size <= most) continue
    most = size
    largest = { node_type: 'group', consolidated_metadata: { metadata: { [path]: node } } }
  }
  if (largest === undefined) throw new Error('the store has no array')
  return largest
}

/** Runs something, and measures it at the origin and in the service. */
export async function measure(
  origin: UserOrigin,
  service: Running | undefined,
  work: () => Promise<Reading | undefined>,
): Promise<Measurement> {
  let reading: Reading | undefined
  const before = service === undefined ? 0 : cpuSeconds(service.pid)
  const measured = await origin.measure(async () => {
    reading = await work()
  })
  const worked = (service === undefined ? 0 : cpuSeconds(service.pid) - before) + (reading?.cpuSeconds ?? 0)
  return {
    ...measured,
    seconds: reading?.seconds ?? measured.seconds,
    cpuSeconds: worked,
    ...(reading === undefined ? {} : { sha256: reading.sha256 }),
  }
}
