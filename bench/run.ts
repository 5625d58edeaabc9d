import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchArchives } from './archives.ts'
import { type ColdOpen, coldOpen } from './cold-open.ts'
import { benchDecoders } from './decoders.ts'
import { benchFormats } from './formats.ts'
import { hotPath } from './hot.ts'
import { benchJoins } from './joins.ts'
import { benchKept } from './kept.ts'
import { benchLasting } from './lasting.ts'
import { benchLevels } from './levels.ts'
import { benchMemory } from './memory/run.ts'
import { nginxProgram } from './nginx.ts'
import { type Running, startWorker } from './processes.ts'
import { recodeThroughput } from './recode.ts'
import { type BenchReport, machineOf, publish } from './report.ts'
import { startService } from './service.ts'
import { benchStores } from './stores.ts'
import { benchUser } from './user/run.ts'
import { benchViews } from './views.ts'
import { benchWholeReads } from './whole-read.ts'
import { benchWorkers } from './workers.ts'

const QUICK = process.env['BENCH_QUICK'] === '1'
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
  try {
    const only = process.argv[2]
    if (only !== undefined) {
      if (only === 'user') return await benchUser(keep, process.argv.slice(3))
      if (only === 'memory') return await benchMemory(keep, process.argv.slice(3))
      if (only === 'levels') return benchLevels()
      if (only === 'lasting') return await benchLasting(keep, QUICK)
      if (only === 'whole') return await benchWholeReads(keep, QUICK)
      if (only === 'views') return await benchViews(keep, QUICK)
      if (only === 'hot') return void (await hotPath(keep, QUICK))
      if (only === 'stores') return await benchStores(keep, QUICK)
      if (only === 'workers') return await benchWorkers(keep, QUICK)
      if (only === 'archives') return await benchArchives(keep, QUICK)
      if (only === 'kept') return await benchKept()
      if (only === 'decoders') return await benchDecoders(keep, QUICK)
      throw new Error(
        `there is no bench ${only}; there are: archives, decoders, hot, kept, lasting, levels, memory, stores, user, views, whole, workers`,
      )
    }
    if (process.env['BENCH_FORMATS'] === undefined) publish(await measure())
    await benchFormats(keep, QUICK)
    await benchJoins(keep, QUICK)
    await benchStores(keep, QUICK)
    await benchViews(keep, QUICK)
    await benchArchives(keep, QUICK)
    await benchDecoders(keep, QUICK)
    await benchWholeReads(keep, QUICK)
  } finally {
    for (const process of running.reverse()) await process.stop()
  }
}

async function measure(): Promise<BenchReport> {
  const notes: string[] = []
  if (nginxProgram === undefined)
    notes.push('skipped: nginx is not installed, so there is no relay by nginx, and the origin is written in Node')
  const comparisons = await hotPath(keep, QUICK)
  const latencyOrigin = await keep(startWorker('./latency-origin.ts', [EXAMPLES]))
  const service = await keep(startService([latencyOrigin.url]))
  const coldOpens: ColdOpen[] = []
  for (const example of EXAMPLE_SOURCES.filter((name) => existsSync(join(EXAMPLES, name)))) {
    coldOpens.push(await coldOpen(service.url, latencyOrigin, example, QUICK ? 1 : 5))
  }
  return {
    machine: machineOf(nginxProgram === undefined ? 'Node' : 'nginx'),
    comparisons,
    coldOpens,
    recode: await recodeThroughput(QUICK ? 1 : 5),
    notes,
  }
}

await main()
