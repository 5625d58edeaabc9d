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
const FULL = { rounds: 4, seconds: 1, warmUpCpuSeconds: 3 }
const QUICK = { rounds: 1, seconds: 1, warmUpCpuSeconds: 1 }

/** What answers: one process, two workers and their primary, or two services that know nothing of each other. */
interface Contender {
  readonly urls: readonly string[]
  /** All of its processes, those that answer first. */
  readonly pids: readonly number[]
  readonly workers: readonly number[]
}

interface Contenders {
  readonly one: Contender
  readonly two: Contender
  /** What two are worth on this machine when nothing is theirs together. */
  readonly apart: Contender
}

interface Bench {
  readonly contenders: Contenders
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

/** In turn, with all processors, and one and two with what is dealt out to each worker. */
interface Round {
  readonly one: Sample
  readonly two: Sample
  readonly apart: Sample
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
    const contenders = await startContenders(keepHere, origin.url)
    const bench: Bench = { contenders, generator: await loadGenerator(keepHere), origin, dealt, seconds }
    printHead(bench, rounds)
    for (const subject of await subjects(files, origin.url)) {
      for (const contender of Object.values(contenders)) await warmUp(bench, contender, subject, warmUpCpuSeconds)
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

async function startContenders(keep: Keep, origin: string): Promise<Contenders> {
  const start = async (count: number): Promise<Contender> => {
    const { url, pid } = await keep(startService([origin], { VZ_WORKERS: String(count) }))
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
    const workers = count === 1 ? [pid] : children
    return { urls: [url], workers, pids: count === 1 ? workers : [...workers, pid] }
  }
  const [one, two, ...others] = [await start(1), await start(2), await start(1), await start(1)]
  const pids = others.flatMap((service) => service.pids)
  return { one, two, apart: { urls: others.flatMap(({ urls }) => urls), pids, workers: pids } }
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
async function warmUp(bench: Bench, contender: Contender, subject: Subject, seconds: number): Promise<void> {
  const until = contender.workers.map((pid) => cpuSeconds(pid) + seconds)
  while (contender.workers.some((pid, at) => cpuSeconds(pid) < (until[at] ?? 0)))
    await measure(bench, contender, subject)
}

async function measureRound(bench: Bench, subject: Subject): Promise<Round> {
  const { one, two, apart } = bench.contenders
  const both = async () => [await measure(bench, one, subject), await measure(bench, two, subject)] as const
  const [ofOne, ofTwo] = await both()
  const all = { one: ofOne, two: ofTwo, apart: await measure(bench, apart, subject) }
  if (bench.dealt === undefined) return { ...all, dealt: undefined }
  const workers = [...one.workers, ...two.workers]
  bench.dealt.bound(workers)
  const dealt = await both()
  bench.dealt.free(workers)
  return { ...all, dealt }
}

async function measure({ generator, origin, seconds }: Bench, contender: Contender, { paths }: Subject) {
  const { urls, pids, workers } = contender
  const first = await fetch(new URL(paths[0] ?? '', urls[0]))
  const task = {
    requests: paths.map((path) => ({ path, headers: {} })),
    bodyLength: (await first.arrayBuffer()).byteLength,
    connections: CONNECTIONS / urls.length,
    seconds,
  }
  const spent = () => [...pids.map(cpuSeconds), cpuSeconds(origin.pid) + generator.spent()]
  const before = spent()
  const loads = await Promise.all(urls.map((url) => generator.run({ ...task, origin: new URL(url).origin })))
  const used = spent().map((after, at) => after - (before[at] ?? 0))
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
  const errors = sum(loads.map((load) => load.errors))
  if (!first.ok || errors > 0) throw new Error(`${errors} wrong answers, such as for ${paths[0]}`)
  const requests = sum(loads.map((load) => load.requests))
  const working = used.slice(0, workers.length)
  return {
    perSecond: sum(loads.map((load) => load.requestsPerSecond)),
    server: (sum(used.slice(0, -1)) * 1e6) / requests,
    others: ((used.at(-1) ?? 0) * 1e6) / requests,
    least: Math.min(...working) / sum(working),
  }
}

function printHead({ generator, dealt }: Bench, rounds: number): void {
  const origin = nginxProgram === undefined ? 'a process of Node' : 'nginx'
  console.log(
    `two processes beside one: ${CONNECTIONS} connections of ${generator.name}, origin ${origin}; median of ${rounds} (least to most)`,
  )
  if (dealt === undefined) console.log('processor time is not dealt out: this user may make no control group')
}

function print(name: string, rounds: readonly Round[]): void {
  const middle = (of: (round: Round) => number, digits = 0) => median(rounds.map(of)).toFixed(digits)
  const ratio = (of: (round: Round) => number) => {
    const values = rounds.map(of)
    return `${middle(of, 2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
  }
  const bound = middle(({ one }) => 2 / (1 + one.others / one.server), 2)
  const line = (text: string, label = '') => console.log(`${label.padEnd(16)} ${text}`)
  line(
    `${middle(({ one }) => one.perSecond)} a second; µs of a request: server ${middle(({ one }) => one.server)}, others ${middle(({ one }) => one.others)}: two can be ${bound} x on two cores`,
    name,
  )
  line(
    `two workers ${ratio(({ one, two }) => two.perSecond / one.perSecond)} x; µs of the server ${ratio(({ one, two }) => two.server / one.server)} x; the lesser has ${middle(({ two }) => 100 * two.least)} %`,
  )
  line(
    `two apart   ${ratio(({ one, apart }) => apart.perSecond / one.perSecond)} x; µs of the server ${ratio(({ one, apart }) => apart.server / one.server)} x`,
  )
  const dealt = ratio(
    (round) => (round.dealt?.[1].perSecond ?? Number.NaN) / (round.dealt?.[0].perSecond ?? Number.NaN),
  )
  if (rounds.every((round) => round.dealt !== undefined))
    line(`two workers ${dealt} x with ${DEALT_CORES} of a core for each`)
}
