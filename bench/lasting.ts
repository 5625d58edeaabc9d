import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getChunk, parseReply } from '../test/corpus/store-client.ts'
import { chunkKeys } from '../test/helpers/chunk-keys.ts'
import { memoryOf, metricOf } from '../test/helpers/process-state.ts'
import { randoms } from '../test/helpers/randoms.ts'
import { type Keep, type Running, startWorker } from './processes.ts'
import { keepResults } from './report.ts'
import { median } from './rounds.ts'
import { startService } from './service.ts'
import { writeStripTiff } from './strip-tiff.ts'

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))
const FILES = [
  'atmosphere.nc',
  'buoy.nc',
  'currents.nc',
  'sea-surface.nc',
  'relief.nc',
  'harvest.tif',
  'nebula.fits',
  'vegetation.hdf',
  'forecast.grib2',
  'rivers.zarr.zip',
  'storms.json',
  'forest.zarr/',
  'chlorophyll.zarr/',
]
const IMAGE = 'strips.tif'
const IMAGE_SIZE = 4096
/** Each file under so many names: some forty sources. */
const NAMES = 3
const OPTIONS = ['', ';codecs=native', ';codecs=raw', ';packing=decoded', ';pyramid=auto', ';inline=auto']
/** Less than what is opened and made in that time: memory should stay where it is once this is full. */
const CACHE_BYTES = 64 * 2 ** 20
const CLIENTS = 12
const MOST_CHUNKS = 8
/** One visit of so many is to a source that was never opened. */
const FRESH_SHARE = 10
const PAUSE_MILLISECONDS = 150
const SAMPLE_MILLISECONDS = 10_000
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 30)
/** Of the whole time: 5, 10, 20 and 30 minutes of half an hour. */
const TOLD = [1 / 6, 1 / 3, 2 / 3, 1]

/** The service's process at one time, in MB. */
interface Moment {
  readonly minutes: number
  readonly answers: number
  readonly resident: number
  readonly heapUsed: number
  readonly heapTotal: number
  readonly external: number
  readonly cached: number
  readonly recoded: number
}

/** Memory while documents, chunks and views of forty sources are asked for, and now and then one that was never opened. */
export async function benchLasting(keep: Keep, isQuick: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-lasting-'))
  try {
    await writeStripTiff(join(folder, IMAGE), IMAGE_SIZE, true)
    const examples = await keep(startWorker('./latency-origin.ts', [EXAMPLES]))
    const images = await keep(startWorker('./latency-origin.ts', [folder]))
    const environment = { VZ_CACHE_BYTES: String(CACHE_BYTES) }
    const service = await keep(startService([examples.url, images.url], environment))
    const sources = [...FILES.map((file) => [examples.url, file] as const), [images.url, IMAGE] as const]
    const moments = await new Load(service, sources).during(isQuick ? 30_000 : MINUTES * 60_000)
    print(moments)
    keepResults('lasting-', moments)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

class Load {
  readonly #service: Running
  readonly #sources: readonly (readonly [origin: string, file: string])[]
  /** Of each file and options. */
  readonly #keys = new Map<string, readonly string[]>()
  readonly #random = randoms(1)
  #visits = 0
  #answers = 0

  constructor(service: Running, sources: readonly (readonly [origin: string, file: string])[]) {
    this.#service = service
    this.#sources = sources
  }

  async during(milliseconds: number): Promise<Moment[]> {
    const start = Date.now()
    const goesOn = () => Date.now() - start < milliseconds
    const moments: Moment[] = []
    const sample = async () => {
      while (goesOn()) {
        await setTimeout(Math.min(SAMPLE_MILLISECONDS, start + milliseconds - Date.now()))
        moments.push(await this.#moment((Date.now() - start) / 60_000))
      }
    }
    const client = async () => {
      for (; goesOn(); await setTimeout(PAUSE_MILLISECONDS)) await this.#visit()
    }
    await Promise.all([sample(), ...Array.from({ length: CLIENTS }, client)])
    return moments
  }

  /** A document, and some chunks of what it lists. */
  async #visit(): Promise<void> {
    const visit = this.#visits++
    const [origin, file] = this.#any(this.#sources)
    const options = this.#any(OPTIONS)
    const name = visit % FRESH_SHARE === 0 ? `fresh${visit}` : `name${this.#number(NAMES)}`
    const source = Buffer.from(`${origin}${name}/${file}`).toString('base64url')
    const store = `${this.#service.url}zarr/~${source}${options}/`
    const document = await this.#get(`${store}zarr.json`)
    const kind = `${file}${options}`
    const keys = this.#keys.get(kind) ?? chunkKeys(parseReply({ bytes: document }), MOST_CHUNKS)
    this.#keys.set(kind, keys)
    const first = this.#number(keys.length)
    for (const key of keys.slice(first, first + MOST_CHUNKS)) await this.#get(store + key)
  }

  async #get(url: string): Promise<Uint8Array> {
    const { status, bytes } = await getChunk(url)
    if (status !== 200 && status !== 404) throw new Error(`${url} is ${status}: ${new TextDecoder().decode(bytes)}`)
    this.#answers++
    return bytes
  }

  async #moment(minutes: number): Promise<Moment> {
    const text = new TextDecoder().decode(await this.#get(`${this.#service.url}metrics`))
    const megabytes = (bytes: number) => Math.round(bytes / 1e6)
    const told = (name: string) => megabytes(metricOf(text, name))
    return {
      minutes,
      answers: this.#answers,
      resident: megabytes(memoryOf(this.#service.pid, 'VmRSS')),
      heapUsed: told('nodejs_heap_size_used_bytes'),
      heapTotal: told('nodejs_heap_size_total_bytes'),
      external: told('nodejs_external_memory_bytes'),
      cached: told('vz_cached_bytes'),
      recoded: told('vz_recoded_bytes'),
    }
  }

  #any<T>(list: readonly T[]): T {
    const one = list[this.#number(list.length)]
    if (one === undefined) throw new RangeError('nothing to choose from')
    return one
  }

  #number(below: number): number {
    return this.#random.next().value % Math.max(below, 1)
  }
}

/** Medians of the tenth of the time before: single moments are those before or after garbage was collected. */
function print(moments: readonly Moment[]): void {
  console.log('| minutes | answers | resident | heap used, total | buffers | weighed | made chunks |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  const last = moments.at(-1)?.minutes ?? 0
  for (const share of TOLD) {
    const near = moments.filter(({ minutes }) => minutes <= share * last && minutes > (share - 0.1) * last)
    const of = (name: keyof Moment) => median(near.map((moment) => moment[name]))
    const heap = `${of('heapUsed')}, ${of('heapTotal')} MB`
    const row = [(share * last).toFixed(1), of('answers'), `${of('resident')} MB`, heap, `${of('external')} MB`]
    console.log(`| ${[...row, `${of('cached')} MB`, `${of('recoded')} MB`].join(' | ')} |`)
  }
}
