import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchArchives } from './archives.ts'
import { type ColdOpen, coldOpen } from './cold-open.ts'
import { benchFormats } from './formats.ts'
import { writePassthroughFile } from './inputs.ts'
import { benchJoins } from './joins.ts'
import { benchLevels } from './levels.ts'
import type { MemoryResult } from './memory.ts'
import { nginxProgram, startNginxOrigin, startNginxRelay } from './nginx.ts'
import { PASSTHROUGH_GOAL, passthrough } from './passthrough.ts'
import { type Running, startWorker } from './processes.ts'
import { recodeThroughput } from './recode.ts'
import { type BenchReport, machineOf, publish } from './report.ts'
import type { Comparison, RoundSettings } from './rounds.ts'
import { startService } from './service.ts'
import { benchViews } from './views.ts'
import { METADATA_GOAL, warmMetadata } from './warm-metadata.ts'

const QUICK = process.env['BENCH_QUICK'] === '1'
const ROUNDS: RoundSettings = QUICK
  ? { rounds: 2, seconds: 0.5, warmUpSeconds: 0.5, connections: 16 }
  : { rounds: 15, seconds: 1, warmUpSeconds: 10, connections: 16 }
const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))
const EXAMPLE_SOURCES = ['sea-surface.nc', 'relief.nc', 'chlorophyll.zarr/', 'forest.zarr/', 'rivers.zarr.zip']

/** Every process started, ended in reverse order whatever happens. */
const running: Running[] = []

async function keep<Process extends Running>(starting: Promise<Process>): Promise<Process> {
  const process = await starting
  running.push(process)
  return process
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    const only = process.argv[2]
    if (only !== undefined) {
      if (only === 'levels') return benchLevels()
      if (only === 'views') return await benchViews(keep, QUICK)
      if (only === 'archives') return await benchArchives(keep, QUICK)
      throw new Error(`there is no bench ${only}; there are: archives, levels, views`)
    }
    if (process.env['BENCH_FORMATS'] === undefined) publish(await measure(folder))
    await benchFormats(keep, QUICK)
    await benchJoins(keep, QUICK)
    await benchViews(keep, QUICK)
    await benchArchives(keep, QUICK)
  } finally {
    for (const process of running.reverse()) await process.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(folder: string): Promise<BenchReport> {
  const notes: string[] = []
  if (nginxProgram === undefined)
    notes.push('skipped: nginx is not installed, so there is no relay by nginx, and the origin is written in Node')
  const { path, file } = await writePassthroughFile(join(folder, 'files'))
  const latencyOrigin = await keep(startWorker('./latency-origin.ts', [EXAMPLES]))
  const origin =
    nginxProgram === undefined
      ? await keep(startWorker('./latency-origin.ts', [join(folder, 'files')]))
      : await keep(startNginxOrigin(nginxProgram, folder, folder))
  const service = await keep(startService([origin.url, latencyOrigin.url]))
  const peer = await keep(startWorker('./peer.ts', [origin.url]))
  const load = await keep(startWorker('./load.ts'))
  const nginx = nginxProgram === undefined ? undefined : await keep(startNginxRelay(nginxProgram, folder, origin.url))
  const source = Buffer.from(`${origin.url}files/${path}`).toString('base64url')
  const store = `${service.url}zarr/~${source}/`
  const comparisons: Comparison[] = [
    await warmMetadata(service, store, peer, load, ROUNDS),
    await warmMetadata(service, `${service.url}zarr/buoy/`, peer, load, ROUNDS),
    ...(await passthrough({ service, store, path: `files/${path}`, file, peer, nginx, load }, ROUNDS)),
  ]
  const memory = await keep(startWorker('./memory.ts', [QUICK ? '300' : '1000']))
  const coldOpens: ColdOpen[] = []
  for (const example of EXAMPLE_SOURCES.filter((name) => existsSync(join(EXAMPLES, name)))) {
    coldOpens.push(await coldOpen(service.url, latencyOrigin, example, QUICK ? 1 : 5))
  }
  return {
    machine: machineOf(nginxProgram === undefined ? 'Node' : 'nginx'),
    comparisons,
    goals: { metadata: METADATA_GOAL, passthrough: PASSTHROUGH_GOAL },
    coldOpens,
    bytesPerReference: (await memory.call<MemoryResult>({})).bytesPerReference,
    recode: await recodeThroughput(QUICK ? 1 : 5),
    notes,
  }
}

await main()
