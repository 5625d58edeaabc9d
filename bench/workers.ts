import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHUNK_SIZES, variableName, writePassthroughFile } from './inputs.ts'
import type { LoadResult } from './load.ts'
import { nginxProgram, startNginxOrigin } from './nginx.ts'
import { freePort, type Keep, type Running, startProgram, startWorker } from './processes.ts'

const MAIN = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const CONNECTIONS = 32
const TICKS_A_SECOND = 100

/** Requests by time and by processor time of one process and of two on one port, in turn (decision 22). */
export async function benchWorkers(keep: Keep, isQuick: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-workers-'))
  try {
    const { path } = await writePassthroughFile(join(folder, 'files'))
    const origin =
      nginxProgram === undefined
        ? await keep(startWorker('./latency-origin.ts', [join(folder, 'files')]))
        : await keep(startNginxOrigin(nginxProgram, folder, folder))
    const loads = [await keep(startWorker('./load.ts')), await keep(startWorker('./load.ts'))]
    const services = new Map<number, Running>()
    for (const count of [1, 2]) services.set(count, await keep(startWorkers(count, origin.url)))
    const store = `/zarr/~${Buffer.from(`${origin.url}files/${path}`).toString('base64url')}/`
    const chunks = CHUNK_SIZES.slice(0, 2).map(({ name, bytes, count }) => ({
      name: `chunk ${name}`,
      keys: Array.from({ length: count }, (_, at) => `${variableName(bytes, at)}/c/0`),
    }))
    for (const { name, keys } of [{ name: 'zarr.json', keys: ['zarr.json'] }, ...chunks]) {
      const paths = keys.map((key) => store + key)
      const seconds = isQuick ? 1 : 3
      // By processor time, and of each worker: on a busy machine seconds warm nothing up.
      for (const [count, service] of services) {
        const until = processorSeconds(service.pid) + count * (isQuick ? 1 : 5)
        while (processorSeconds(service.pid) < until) await measure(service, loads, paths, 1)
      }
      const found: Measured[][] = []
      for (let round = 0; round < (isQuick ? 1 : 7); round++) {
        const pair: Measured[] = []
        for (const [, service] of services) pair.push(await measure(service, loads, paths, seconds))
        found.push(pair)
      }
      print(name, found)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Measured {
  readonly perSecond: number
  readonly perProcessorSecond: number
}

async function startWorkers(count: number, allowed: string): Promise<Running> {
  const port = await freePort()
  const environment = {
    PORT: String(port),
    VZ_WORKERS: String(count),
    VZ_LOG_LEVEL: 'warn',
    VZ_ALLOW_SOURCES: allowed,
    VZ_FRESH_SECONDS: '3600',
  }
  return await startProgram(process.execPath, [MAIN, 'serve'], port, environment)
}

async function measure(
  service: Running,
  loads: readonly Awaited<ReturnType<typeof startWorker>>[],
  paths: readonly string[],
  seconds: number,
): Promise<Measured> {
  const bodyLength = (await (await fetch(new URL(paths[0] ?? '', service.url))).arrayBuffer()).byteLength
  const task = {
    origin: new URL(service.url).origin,
    requests: paths.map((path) => ({ path, headers: {} })),
    bodyLength,
    connections: CONNECTIONS / loads.length,
    seconds,
  }
  const before = processorSeconds(service.pid)
  const results = await Promise.all(loads.map((load) => load.call<LoadResult>(task)))
  const spent = processorSeconds(service.pid) - before
  const errors = results.reduce((sum, result) => sum + result.errors, 0)
  if (errors > 0) throw new Error(`${errors} wrong answers, such as for ${paths[0]}`)
  const requests = results.reduce((sum, result) => sum + result.requests, 0)
  return {
    perSecond: results.reduce((sum, result) => sum + result.requestsPerSecond, 0),
    perProcessorSecond: requests / spent,
  }
}

/** Of a process and of those that it started, as Linux counts it. */
function processorSeconds(pid: number): number {
  let ticks = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const [id, parent, time] = statOf(entry)
    if (id === pid || parent === pid) ticks += time
  }
  return ticks / TICKS_A_SECOND
}

function statOf(entry: string): readonly [id: number, parent: number, ticks: number] {
  try {
    const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
      .replace(/^\d+ \(.*\) /s, '')
      .split(' ')
    return [Number(entry), Number(fields[1]), Number(fields[11]) + Number(fields[12])]
  } catch {
    return [0, 0, 0] // it has ended meanwhile
  }
}

function print(name: string, found: readonly (readonly Measured[])[]): void {
  const ratio = (of: (measured: Measured) => number) =>
    median(
      found.map(([one, two]) => (one === undefined || two === undefined ? Number.NaN : of(two) / of(one))),
    ).toFixed(2)
  const [one, two] = found.at(-1) ?? []
  console.log(
    `${name.padEnd(14)} two workers beside one: ${ratio((measured) => measured.perSecond)} x by time, ` +
      `${ratio((measured) => measured.perProcessorSecond)} x a processor second ` +
      `(last round ${one?.perSecond.toFixed(0)} and ${two?.perSecond.toFixed(0)} a second, load ${loadavg()[0]?.toFixed(1)})`,
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
