import type { FormatCase, Goal } from './format-cases.ts'
import { warmUpOf } from './format-files.ts'
import { startWorker } from './processes.ts'
import { median } from './rounds.ts'
import type { OriginStats, SourceServer } from './source-server.ts'
import type { IndexResult, IndexTask } from './whole-index.ts'

/** One line of the tables: the median of several runs. */
export interface StepRow {
  readonly file: string
  readonly step: string
  readonly who: string
  readonly requests: number
  readonly rounds: number
  readonly megabytes: number
  readonly milliseconds: number
  readonly runs: number
  readonly goal?: Goal | undefined
  readonly bytesPerReference?: number
  /** Of the places of all chunks. */
  readonly hash?: string | undefined
  readonly error?: string | undefined
}

export type Run = OriginStats & { readonly milliseconds: number }

/** The median of each figure. */
export function rowOf(file: string, step: string, who: string, runs: readonly Run[], goal?: Goal): StepRow {
  const of = (figure: (run: Run) => number) => median(runs.map(figure))
  return {
    file,
    step,
    who,
    requests: of(({ requests }) => requests),
    rounds: of(({ rounds }) => rounds),
    megabytes: of(({ bytes }) => bytes) / 1e6,
    milliseconds: of(({ milliseconds }) => milliseconds),
    runs: runs.length,
    goal,
  }
}

/** `zarr.json`, the first chunk of a source that nobody has opened, and another chunk after it. */
export async function serviceSteps(
  { file, array, chunks, goals }: FormatCase,
  service: string,
  origin: SourceServer,
  repeats: number,
): Promise<StepRow[]> {
  const metadata: Run[] = []
  const first: Run[] = []
  const second: Run[] = []
  const run = `${process.pid}-${Math.round(performance.now())}`
  const store = (name: string) =>
    `${service}zarr/~${Buffer.from(`${origin.url}${file}?${name}-${run}`).toString('base64url')}/`
  await get(`${service}zarr/~${Buffer.from(`${origin.url}${warmUpOf(file)}`).toString('base64url')}/zarr.json`)
  for (let repeat = 0; repeat < repeats; repeat++) {
    metadata.push(await timed(origin, `${store(`metadata-${repeat}`)}zarr.json`))
    first.push(await timed(origin, `${store(`chunk-${repeat}`)}${array}/c/${chunks[0]}`))
    second.push(await timed(origin, `${store(`chunk-${repeat}`)}${array}/c/${chunks[1]}`))
  }
  return [
    rowOf(file, 'zarr.json, cold', 'ours', metadata, goals.metadata),
    rowOf(file, 'first chunk, cold', 'ours', first, goals.firstChunk),
    rowOf(file, 'another chunk', 'ours', second, goals.secondChunk),
  ]
}

/** Asks a store of a source for one of its keys. */
export async function getStore(service: string, source: string, key: string): Promise<void> {
  await get(`${service}zarr/~${Buffer.from(source).toString('base64url')}/${key}`)
}

async function timed(origin: SourceServer, url: string): Promise<Run> {
  const { result, stats } = await origin.counted(async () => {
    const start = performance.now()
    await get(url)
    return performance.now() - start
  })
  return { ...stats, milliseconds: result }
}

async function get(url: string): Promise<void> {
  const response = await fetch(url)
  const body = await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${Buffer.from(body).toString().slice(0, 300)}`)
}

/** Opening and the whole index, in a new process each time. */
export async function indexStep(
  { file, array, allArrays, goals }: FormatCase,
  origin: SourceServer,
  repeats: number,
): Promise<StepRow> {
  const runs: (Run & IndexResult)[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const worker = await startWorker('./whole-index.ts')
    const url = origin.url
    await worker.call({ url: `${url}${warmUpOf(file)}`, arrays: [], hashed: false } satisfies IndexTask)
    const task: IndexTask = { url: `${url}${file}`, arrays: allArrays === true ? [] : [array], hashed: repeat === 0 }
    const { result, stats } = await origin.counted(() => worker.call<IndexResult>(task))
    runs.push({ ...stats, ...result })
    await worker.stop()
  }
  const row = rowOf(file, 'opening and whole index', 'ours', runs, goals.index)
  return { ...row, bytesPerReference: median(runs.map((run) => run.bytesPerReference)), hash: runs[0]?.hash }
}
