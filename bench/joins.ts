import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { OriginCall, OriginCounts } from './latency-origin.ts'
import { type Keep, type Running, startWorker, type Worker } from './processes.ts'
import { startService } from './service.ts'

/** What one step took, and what it asked of the origin. */
interface JoinRow extends OriginCounts {
  readonly step: string
  readonly milliseconds: number
}

const LATENCY = 50
const PYTHON = fileURLToPath(new URL('../node_modules/.cache/interop-venv/bin/python', import.meta.url))
const SCRIPT = fileURLToPath(new URL('peers/join.py', import.meta.url))
/** The peers open files as fast as their processors let them: fewer tell as much. `BENCH_PEER_FILES=1000` takes ten minutes. */
const PEER_FILES = Number(process.env['BENCH_PEER_FILES'] ?? 100)

/** Many NetCDF-4 files of 20 variables as one, at 50 ms latency, beside VirtualiZarr and kerchunk. */
export async function benchJoins(keep: Keep, isQuick: boolean): Promise<void> {
  if (isQuick || !existsSync(PYTHON))
    return console.log('skipped: joins (BENCH_QUICK, or no Python environment of the clients)')
  const folder = mkdtempSync(join(tmpdir(), 'bench-joins-'))
  try {
    if (spawnSync(PYTHON, [SCRIPT, 'make', folder]).status !== 0) return console.log('skipped: joins (no netCDF4)')
    const origin = await keep(startWorker('./latency-origin.ts', [folder]))
    const service = await keep(startService([origin.url]))
    const rows = await ownRows(folder, origin, service)
    rows.push(await manyRow(folder, origin, await keep(startService([origin.url]))))
    for (const peer of ['virtualizarr', 'kerchunk']) rows.push(await peerRow(peer, origin))
    for (const { step, milliseconds, requests, bytes, rounds } of rows) {
      const counts = `${String(requests).padStart(6)} requests ${String(rounds).padStart(5)} rounds`
      console.log(
        `${step.padEnd(62)} ${milliseconds.toFixed(0).padStart(7)} ms ${counts} ${(bytes / 1e6).toFixed(1).padStart(7)} MB`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ownRows(folder: string, origin: Worker, service: Running): Promise<JoinRow[]> {
  const documents = {
    ends: { n: '1..1000', more: { lengths: 24 } },
    all: { n: '1001..2000', more: { check: 'all' } },
    some: { n: `2001..${2000 + PEER_FILES}`, more: { check: 'all' } },
  }
  for (const [name, { n, more }] of Object.entries(documents)) writeJoin(folder, name, n, more)
  const store = (name: string) => storeOf(service, `${origin.url}d/${name}.json`)
  const step = (text: string, url: string, latency = LATENCY) => measured(text, origin, latency, () => get(url))
  await warmUp(service, origin)
  return [
    await step('1,000 files, first and last headers: zarr.json', `${store('ends')}zarr.json`),
    await step('  a chunk of file 500, whose header was not read', `${store('ends')}v07/c/2000/1/1`),
    await step('  another chunk of it', `${store('ends')}v07/c/2001/1/1`),
    await step('1,000 files, check: all: zarr.json', `${store('all')}zarr.json`),
    ...(PEER_FILES === 1000
      ? []
      : [await step(`${PEER_FILES} files, check: all: zarr.json`, `${store('some')}zarr.json`)]),
  ]
}

/** A process of its own, so that what it holds is of this join. */
async function manyRow(folder: string, origin: Worker, service: Running): Promise<JoinRow> {
  writeJoin(folder, 'many', '100001..200000', { lengths: 24 })
  await warmUp(service, origin)
  const before = residentBytes(service.pid)
  const url = `${storeOf(service, `${origin.url}d/many.json`)}zarr.json`
  const row = await measured('100,000 files by a template, no latency: zarr.json', origin, 0, () => get(url))
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)
  const after = residentBytes(service.pid)
  return { ...row, step: `${row.step}; ${megabytes(after)} MB held, ${megabytes(after - before)} more` }
}

function writeJoin(folder: string, name: string, n: string, more: object): void {
  const sources = { template: '/{n:06}/day.nc', n }
  writeFileSync(
    join(folder, `${name}.json`),
    JSON.stringify({ virtual_zarr: 'join/1', sources, along: 'time', ...more }),
  )
}

function storeOf(service: Running, url: string): string {
  return `${service.url}zarr/~${Buffer.from(url).toString('base64url')}/`
}

/** The code of the parsers is compiled before anything is measured. */
async function warmUp(service: Running, origin: Worker): Promise<void> {
  for (let n = 0; n < 20; n++) await get(`${storeOf(service, `${origin.url}w${n}/day.nc`)}zarr.json`)
}

async function measured(step: string, origin: Worker, latency: number, run: () => Promise<void>): Promise<JoinRow> {
  await origin.call<OriginCounts>({ latencyMilliseconds: latency } satisfies OriginCall)
  const start = performance.now()
  await run()
  const milliseconds = performance.now() - start
  return { step, milliseconds, ...(await origin.call<OriginCounts>({ latencyMilliseconds: latency })) }
}

async function get(url: string): Promise<void> {
  const response = await fetch(url)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
}

/** What Linux says that a process holds; NaN elsewhere. */
function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

async function peerRow(peer: string, origin: Worker): Promise<JoinRow> {
  const step = `${PEER_FILES} files by ${peer}`
  const child = spawn(PYTHON, ['-W', 'ignore', SCRIPT, peer, String(PEER_FILES), `${origin.url}${peer}-{n}/day.nc`])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  let said = ''
  const row = await measured(step, origin, LATENCY, async () => {
    child.stdin.write('\n')
    said = (await lines.next()).value ?? ''
  })
  child.kill()
  const { error, milliseconds } = JSON.parse(said === '' ? '{"error":"no answer"}' : said) as {
    error?: string
    milliseconds?: number
  }
  return { ...row, step: error === undefined ? step : `${step}: ${error}`, milliseconds: milliseconds ?? Number.NaN }
}
