import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChunkSize, DOCUMENT_VARIABLES, variableName, writeDocumentFile, writePassthroughFile } from './inputs.ts'
import { nginxProgram, startNginxOrigin } from './nginx.ts'
import { type Keep, type Running, startWorker } from './processes.ts'
import { type Quota, quota } from './quota.ts'
import { cpuSeconds, median } from './rounds.ts'
import { startService } from './service.ts'
import { type LoadGenerator, loadGenerator } from './wrk.ts'

const CONNECTIONS = 32
/** What a worker gets where processor time is dealt out: two leave a core to who asks and who is asked. */
const DEALT_CORES = 0.5
/** More than there are connections: a chunk that several ask for at once would be read once by one process, and twice by two. */
const SIZES: readonly ChunkSize[] = [
  { name: '16 KiB', bytes: 2 ** 14, count: 256 },
  { name: '128 KiB', bytes: 2 ** 17, count: 64 },
  { name: '1 MiB', bytes: 2 ** 20, count: 64 },
]
/** So far from each other lie chunks that are asked for: short ones that lie closer are read together, more of them by one process than by two. */
const APART_BYTES = 2 ** 16
const FULL = { rounds: 5, seconds: 1, warmUpCpuSeconds: 5 }
const QUICK = { rounds: 1, seconds: 1, warmUpCpuSeconds: 1 }

/** A service of one process, or of two workers and their primary. */
interface Service {
  readonly url: string
  readonly pids: readonly number[]
  readonly workers: readonly number[]
}

interface Bench {
  readonly services: readonly Service[]
  readonly generator: LoadGenerator
  readonly origin: Running
  readonly dealt: Quota | undefined
  readonly seconds: number
}

interface Subject {
  readonly name: string
  readonly paths: readonly string[]
}

interface Sample {
  readonly perSecond: number
  /** Processor time of one request in microseconds: the service's, and that of who asks and who is asked. */
  readonly server: number
  readonly others: number
  /** Of the workers' processor time, what the one that had least to do had. */
  readonly least: number
}

/** One worker and two in turn, with all processors, and with what is dealt out to each worker. */
interface Round {
  readonly all: readonly [one: Sample, two: Sample]
  readonly dealt: readonly [one: Sample, two: Sample] | undefined
}

/** Two processes on one port beside one (decision 22). */
export async function benchWorkers(keep: Keep, isQuick: boolean): Promise<void> {
  const { rounds, seconds, warmUpCpuSeconds } = isQuick ? QUICK : FULL
  const folder = mkdtempSync(join(tmpdir(), 'bench-workers-'))
  const dealt = quota(DEALT_CORES)
  const started: Running[] = []
  const keepHere: Keep = async (starting) => {
    const process = await keep(starting)
    started.push(process)
    return process
  }
  try {
    const files = join(folder, 'files')
    const origin = await keepHere(startOrigin(folder, files))
    const services = [await startWorkers(keepHere, 1, origin.url), await startWorkers(keepHere, 2, origin.url)]
    const bench: Bench = { services, generator: await loadGenerator(keepHere), origin, dealt, seconds }
    printHead(bench, rounds)
    for (const subject of await subjects(files, origin.url)) {
      for (const service of services) await warmUp(bench, service, subject, warmUpCpuSeconds)
      const found: Round[] = []
      for (let round = 0; round < rounds; round++) found.push(await measureRound(bench, subject))
      print(subject.name, found)
    }
  } finally {
    for (const process of started.reverse()) await process.stop()
    dealt?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function startOrigin(folder: string, files: string): Promise<Running> {
  if (nginxProgram === undefined) return startWorker('./latency-origin.ts', [files])
  return startNginxOrigin(nginxProgram, folder, folder)
}

async function startWorkers(keep: Keep, count: number, allowed: string): Promise<Service> {
  const { url, pid } = await keep(startService([allowed], { VZ_WORKERS: String(count) }))
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
  return { url, pids: [pid, ...children], workers: children.length === 0 ? [pid] : children }
}

/** Documents of 3 and 40 kB, and chunks that pass. */
async function subjects(files: string, origin: string): Promise<Subject[]> {
  const storeOf = (name: string) => `/zarr/~${Buffer.from(`${origin}files/${name}`).toString('base64url')}/`
  const { document } = await writePassthroughFile(files, SIZES)
  const found: Subject[] = []
  for (const [at, name] of ['zarr.json, 3 kB', 'zarr.json, 40 kB'].entries()) {
    const file = await writeDocumentFile(files, DOCUMENT_VARIABLES[at] ?? 0)
    found.push({ name, paths: [`${storeOf(file)}zarr.json`] })
  }
  for (const { name, bytes, count } of SIZES) {
    const step = Math.max(1, APART_BYTES / bytes)
    const keys = Array.from({ length: count / step }, (_, at) => `${variableName(bytes, at * step)}/c/0`)
    found.push({ name: `chunk, ${name}`, paths: keys.map((key) => storeOf(document) + key) })
  }
  return found
}

/** By processor time, and of each worker: on a busy machine seconds warm nothing up. */
async function warmUp(bench: Bench, service: Service, subject: Subject, seconds: number): Promise<void> {
  const until = service.workers.map((pid) => cpuSeconds(pid) + seconds)
  while (service.workers.some((pid, at) => cpuSeconds(pid) < (until[at] ?? 0))) await measure(bench, service, subject)
}

async function measureRound(bench: Bench, subject: Subject): Promise<Round> {
  const both = async () => {
    const [one, two] = bench.services
    if (one === undefined || two === undefined) throw new Error('there are not two services')
    return [await measure(bench, one, subject), await measure(bench, two, subject)] as const
  }
  const all = await both()
  if (bench.dealt === undefined) return { all, dealt: undefined }
  const workers = bench.services.flatMap((service) => service.workers)
  bench.dealt.bound(workers)
  const dealt = await both()
  bench.dealt.free(workers)
  return { all, dealt }
}

async function measure({ generator, origin, seconds }: Bench, service: Service, { paths }: Subject): Promise<Sample> {
  const first = await fetch(new URL(paths[0] ?? '', service.url))
  const task = {
    origin: new URL(service.url).origin,
    requests: paths.map((path) => ({ path, headers: {} })),
    bodyLength: (await first.arrayBuffer()).byteLength,
    connections: CONNECTIONS,
    seconds,
  }
  const spent = () => [...service.pids, origin.pid].map(cpuSeconds)
  const before = spent()
  const load = await generator.run(task)
  const used = spent().map((after, at) => after - (before[at] ?? 0))
  if (!first.ok || load.errors > 0) throw new Error(`${load.errors} wrong answers, such as for ${paths[0]}`)
  const sum = (seconds: readonly number[]) => seconds.reduce((total, each) => total + each, 0)
  const workers = used.slice(service.pids.length - service.workers.length, -1)
  return {
    perSecond: load.requestsPerSecond,
    server: (sum(used.slice(0, -1)) * 1e6) / load.requests,
    others: (((used.at(-1) ?? 0) + load.cpuSeconds) * 1e6) / load.requests,
    least: Math.min(...workers) / sum(workers),
  }
}

function printHead({ generator, dealt }: Bench, rounds: number): void {
  const origin = nginxProgram === undefined ? 'a process of Node' : 'nginx'
  console.log(
    `two workers beside one: ${CONNECTIONS} connections of ${generator.name}, origin ${origin}; median of ${rounds} (least to most)`,
  )
  if (dealt === undefined) console.log('processor time is not dealt out: this user may make no control group')
}

function print(name: string, rounds: readonly Round[]): void {
  const middle = (of: (round: Round) => number, digits = 0) => median(rounds.map(of)).toFixed(digits)
  const ratio = (of: (round: Round) => number) => {
    const values = rounds.map(of)
    return `${middle(of, 2)} x (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
  }
  const bound = median(rounds.map(({ all: [{ server, others }] }) => 2 / (1 + others / server)))
  console.log(
    `${name.padEnd(16)} ${ratio(({ all: [one, two] }) => two.perSecond / one.perSecond)} of ${middle(({ all: [one] }) => one.perSecond)} a second, ` +
      `where ${bound.toFixed(2)} is all there is: a request takes ${middle(({ all: [one] }) => one.server)} µs of the server ` +
      `(with two ${middle(({ all: [one, two] }) => two.server / one.server, 2)} x, the lesser ${middle(({ all: [, two] }) => 100 * two.least)} % of it) ` +
      `and ${middle(({ all: [one] }) => one.others)} µs of the others`,
  )
  if (rounds.every(({ dealt }) => dealt !== undefined))
    console.log(
      `${''.padEnd(16)} ${ratio(({ dealt }) => (dealt?.[1].perSecond ?? 0) / (dealt?.[0].perSecond ?? 0))} with ${DEALT_CORES} of a core for each worker`,
    )
}
