import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { parseReply } from '../../test/corpus/store-client.ts'
import { chunkKeys } from '../../test/helpers/chunk-keys.ts'
import { writeDocumentFile } from '../inputs.ts'
import { type Keep, type Running, startWorker } from '../processes.ts'
import { keepResults } from '../report.ts'
import { benchFiles } from '../user/environment.ts'
import type { OriginCall } from '../user/origin.ts'
import { fetchBytes, largestArrayOf, startDefaultService, storeUrl } from '../user/tools.ts'
import { memoryOfProcess, type ProcessMemory, peakOf, resetPeak } from './process-memory.ts'

const IDLE_SECONDS = Number(process.env['BENCH_IDLE_SECONDS'] ?? 30)
/** As a container would limit the service; undefined: as the machine does. */
const LIMIT_BYTES = limitBytes(process.env['BENCH_LIMIT_MIB'])
/** VZ_CACHE_BYTES by default. */
const CACHE_BYTES = 2 ** 29
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))
const PROBE = fileURLToPath(new URL('probe.cjs', import.meta.url))
const FILES = ['atl06.h5', 'cog.tif', 'day.nc', 'join10000.json', 'era5_short.nc']
const EXAMPLE_FILES = [
  'sea-surface.nc',
  'buoy.nc',
  'relief.nc',
  'atmosphere.nc',
  'harvest.tif',
  'nebula.fits',
  'storms.json',
  'vegetation.hdf',
  'forecast.grib2',
  'rivers.zarr.zip',
]

interface StepContext {
  readonly service: Running
  freshUrl(file: string): string
}

interface Step {
  readonly name: string
  readonly work: string
  run(context: StepContext): Promise<void>
}

/** The peak is of the step, the rest of the time after it. */
interface StepResult {
  readonly step: string
  readonly peak: number
  readonly after: ProcessMemory
  readonly idle: ProcessMemory
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
}

/** Of the step that runs: how many answers of each kind there were. */
const statuses = new Map<string, number>()

const STEPS: readonly Step[] = [
  { name: 'stores', work: '1,000 stores', run: manyStores },
  { name: 'joins', work: 'joins of 10,000 files', run: longJoins },
  { name: 'arrays', work: '10,000 arrays', run: manyArrays },
  { name: 'datasets', work: '60 x 1,158 datasets', run: manyDatasets },
  { name: 'chunks', work: '5,000 chunks by 1,000 clients', run: manyChunks },
]

/** Resident memory of one service with default settings through steps that each fill it with something else. */
export async function benchMemory(keep: Keep, names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name))
  if (unknown.length > 0)
    throw new Error(`there is no step ${unknown.join(', ')}; there are: ${STEPS.map(({ name }) => name).join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'))
  try {
    await writeDocumentFile(folder, 10_000)
    const origin = await keep(startWorker('./user/origin.ts', [benchFiles(FILES), EXAMPLES, folder]))
    await origin.call({ latencyMilliseconds: 0 } satisfies OriginCall)
    const probePath = join(folder, 'probe.json')
    const settings = { NODE_OPTIONS: `--require ${PROBE}`, MEMORY_PROBE: probePath }
    const service = await keep(startDefaultService([origin.url], settings, LIMIT_BYTES))
    let sources = 0
    const context = { service, freshUrl: (file: string) => `${origin.url}${++sources}/${file}` }
    const results: StepResult[] = []
    printHead()
    printRow('started', Number.NaN, await memoryOfProcess(service.pid, probePath))
    for (const { name, work, run } of STEPS) {
      if (names.length > 0 && !names.includes(name)) continue
      resetPeak(service.pid)
      statuses.clear()
      const start = performance.now()
      await run(context)
      const seconds = (performance.now() - start) / 1000
      const after = await memoryOfProcess(service.pid, probePath)
      await setTimeout(IDLE_SECONDS * 1000)
      const idle = await memoryOfProcess(service.pid, probePath)
      const peak = peakOf(service.pid)
      results.push({ step: name, peak, after, idle, seconds, statuses: Object.fromEntries(statuses) })
      printRow(work, peak, after)
      printRow(`${work}, ${IDLE_SECONDS} s idle`, peak, idle)
    }
    const [last, highest] = [results.at(-1)?.idle.resident ?? 0, Math.max(...results.map(({ peak }) => peak))]
    const ratio = (bytes: number) => (bytes / CACHE_BYTES).toFixed(2)
    console.log(`idle at the end: ${ratio(last)} x VZ_CACHE_BYTES (goal 2); highest: ${ratio(highest)} x (goal 3)`)
    for (const { step, seconds, statuses } of results)
      console.log(`${step}: ${seconds.toFixed(0)} s, answers ${JSON.stringify(statuses)}`)
    keepResults('memory-', { results })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function limitBytes(mib: string | undefined): number | undefined {
  return mib === undefined ? undefined : Number(mib) * 2 ** 20
}

const COLUMNS = ['files', 'code', 'mainArena', 'threadArenas', 'webAssembly', 'v8Pages', 'others'] as const

function printHead(): void {
  const heads = ['MB after', 'peak', 'RSS', 'heap used', 'heap', 'external', 'array buffers', 'threads', ...COLUMNS]
  console.log(`| ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length)}`)
}

function printRow(what: string, peak: number, memory: ProcessMemory): void {
  const megabytes = (bytes: number) => (Number.isNaN(bytes) ? '' : Math.round(bytes / 1e6))
  const { resident, heapUsed, heapTotal, external, arrayBuffers, workerHeaps, workers, mappings } = memory
  const v8 = [peak, resident, heapUsed, heapTotal, external, arrayBuffers].map(megabytes)
  const cells = [
    what,
    ...v8,
    `${workers}: ${megabytes(workerHeaps)}`,
    ...COLUMNS.map((name) => megabytes(mappings[name])),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

/** So many clients, each with one request at a time. */
async function inParallel<Item>(clients: number, items: readonly Item[], run: (item: Item) => Promise<void>) {
  const left = items.values()
  const client = async () => {
    for (const item of left) await run(item)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** Refusals under load (429, 503) are counted, and fine. */
async function get(url: string): Promise<Buffer> {
  const { statusCode, body } = await request(url, { headersTimeout: 300_000, bodyTimeout: 300_000 })
  const bytes = Buffer.from(await body.arrayBuffer())
  const kind = statusCode >= 429 ? `${statusCode}: ${detailOf(bytes)}` : String(statusCode)
  statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
  if (statusCode === 200 || statusCode === 404 || statusCode === 429 || statusCode === 503) return bytes
  throw new Error(`${url} is ${statusCode}: ${bytes.toString('utf8', 0, 500)}`)
}

function detailOf(problem: Buffer): string {
  return (JSON.parse(problem.toString()) as { readonly detail: string }).detail.replaceAll(/\d+/g, 'N')
}

async function manyStores({ service, freshUrl }: StepContext): Promise<void> {
  const files = Array.from({ length: 1000 }, (_, index) => EXAMPLE_FILES[index % EXAMPLE_FILES.length] ?? '')
  await inParallel(16, files, async (file) => {
    const store = storeUrl(service, freshUrl(file))
    const document = parseReply({ bytes: await get(`${store}zarr.json`) })
    for (const key of chunkKeys(largestArrayOf(document), 2)) await get(store + key)
  })
}

/** Three of them: a tenth of the members of each is opened. */
async function longJoins({ service, freshUrl }: StepContext): Promise<void> {
  for (let count = 0; count < 3; count++) {
    const store = storeUrl(service, freshUrl('join10000.json'))
    await get(`${store}zarr.json`)
    const keys = Array.from({ length: 1000 }, (_, index) => `sst/c/${index * 40}/0/0`)
    await inParallel(32, keys, async (key) => void (await get(store + key)))
  }
}

async function manyArrays({ service, freshUrl }: StepContext): Promise<void> {
  const url = freshUrl('document-10000.nc')
  for (const options of ['', ';codecs=raw', ';packing=decoded', ';inline=auto'])
    await get(`${storeUrl(service, url, options)}zarr.json`)
}

async function manyDatasets({ service, freshUrl }: StepContext): Promise<void> {
  const urls = Array.from({ length: 60 }, () => freshUrl('atl06.h5'))
  await inParallel(4, urls, async (url) => void (await get(`${storeUrl(service, url)}zarr.json`)))
}

/** As stored and decoded, of images and a dataset. */
async function manyChunks({ service, freshUrl }: StepContext): Promise<void> {
  const stores = ['cog.tif', 'era5_short.nc'].flatMap((file) =>
    ['', ';codecs=raw'].flatMap((options) =>
      Array.from({ length: 5 }, () => storeUrl(service, freshUrl(file), options)),
    ),
  )
  const keys: string[] = []
  for (const store of stores) {
    const document = parseReply({ bytes: await fetchBytes(`${store}zarr.json`) })
    for (const key of chunkKeys(largestArrayOf(document), 250)) keys.push(store + key)
  }
  const mixed = keys.map((_, index) => keys[(index * 1237) % keys.length] ?? '')
  await inParallel(1000, mixed, async (url) => void (await get(url)))
}
