// What it costs to answer for a source that another process has parsed: `npm run bench kept`.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { recodeWorkers } from '../src/delivery/recoding/workers.ts'
import { isVirtualZarrError } from '../src/errors.ts'
import { folderPlace } from '../src/manifests/folder.ts'
import { ManifestStore, Outcomes } from '../src/manifests/manifests.ts'
import type { ManifestPlace } from '../src/manifests/place.ts'
import { redisPlace } from '../src/manifests/redis/redis-place.ts'
import type { ChunkIndex } from '../src/model/chunk-index.ts'
import { addressOfUrl, type StoreAddress } from '../src/service/store-address.ts'
import type { StoreService } from '../src/service/store-service.ts'
import { openSources } from '../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../src/source/settings.ts'
import type { Sources } from '../src/source/source.ts'
import { Origin } from '../test/helpers/origin.ts'
import { processorMilliseconds } from '../test/helpers/processor-time.ts'
import { randoms } from '../test/helpers/randoms.ts'
import { startRedis, until, withoutRedis } from '../test/helpers/redis.ts'
import { serviceOf } from '../test/manifests/outcomes.ts'
import { HDF5_CASES } from './format-cases.ts'
import { formatFiles } from './format-files.ts'

const DATA = process.env['BENCH_DATA'] ?? fileURLToPath(new URL('../node_modules/.cache/bench', import.meta.url))
const ROUNDS = 7
/** Of the processor time of parsing. */
const GOAL = 1 / 5
const BYTES_A_REFERENCE = 20
const MILLION = ['h5_1m_btree1.h5', 'h5_1m_farray.h5', 'h5_1m_earray.h5', 'h5_1m_btree2.h5']

interface World {
  readonly folder: string
  readonly origin: Origin
  readonly sources: Sources
  readonly workers: ReturnType<typeof recodeWorkers>
  /** What keeps stores, and how each process begins with it. */
  readonly places: ReadonlyMap<string, () => Promise<ManifestPlace>>
}

export async function benchKept(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-kept-'))
  const origin = new Origin()
  await origin.start()
  const workers = recodeWorkers({ threads: 1 })
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base], fileRoots: [DATA, folder] })
  const redis = withoutRedis === false ? await startRedis() : undefined
  if (withoutRedis !== false) console.log(`skipped: ${withoutRedis}`)
  try {
    await measureAll({ folder, origin, sources, workers, places: placesOf(join(folder, 'kept'), redis?.port) })
  } finally {
    await redis?.end()
    await workers.close()
    await sources.close()
    await origin.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function placesOf(path: string, port: number | undefined): World['places'] {
  const count = () => undefined
  const places = new Map<string, () => Promise<ManifestPlace>>()
  places.set('folder', async () => folderPlace({ path, mostBytes: 2 ** 30, count }))
  if (port === undefined) return places
  const address = { host: '127.0.0.1', port, isSecure: false, username: undefined, password: undefined, database: 0 }
  places.set('redis', async () => {
    let isThere = false
    const onChange = (error: Error | undefined) => {
      isThere = error === undefined
    }
    const place = redisPlace({ address, count, onChange })
    await until('Redis is there', () => isThere)
    return place
  })
  return places
}

async function measureAll(world: World): Promise<void> {
  const groups = fileOf('atl06.h5')
  if (groups !== undefined) {
    await compare('1,158 datasets in nested groups', pathToFileURL(groups).href, world)
    await countRequests(groups, world)
  }
  const references = join(world.folder, 'million.json')
  writeFileSync(references, millionReferences())
  await compare('1,000,000 references of Kerchunk', pathToFileURL(references).href, world)
  await measureEntry('1,000,000 references of Kerchunk', references, world)
  for (const name of MILLION) {
    const file = fileOf(name)
    if (file !== undefined) await measureEntry(name, file, world)
  }
}

function fileOf(name: string): string | undefined {
  const found = join(DATA, name)
  if (existsSync(found)) return found
  const made = formatFiles(HDF5_CASES.filter(({ file }) => file === name))
  return made === undefined ? undefined : join(made.folder, name)
}

/** What a process that has just started does for the root's document of a source. */
async function answer(url: string, { sources, workers }: World, place?: ManifestPlace) {
  const manifests = place && new ManifestStore({ places: [place], revision: 'bench', outcomes: new Outcomes() })
  const service = serviceOf(sources, workers, manifests)
  const start = processorMilliseconds()
  await service.get({ address: addressOfUrl(url, new Map()), key: 'zarr.json' })
  const milliseconds = processorMilliseconds() - start
  await service.close()
  return { milliseconds, isParsed: service.statistics.opens > 0 }
}

async function compare(title: string, url: string, world: World): Promise<void> {
  const parsing = await medianOf(async () => (await answer(url, world)).milliseconds)
  const rows: Record<string, object> = { parsing: { milliseconds: parsing.toFixed(1) } }
  for (const [name, start] of world.places) {
    await answer(url, world, await start())
    const kept = await medianOf(async () => {
      const { milliseconds, isParsed } = await answer(url, world, await start())
      if (isParsed) throw new Error(`${name}: it was parsed again`)
      return milliseconds
    })
    const share = kept / parsing
    rows[name] = { milliseconds: kept.toFixed(1), share: share.toFixed(3), goal: share <= GOAL ? 'met' : 'MISSED' }
  }
  console.log(`\n${title}: processor time of zarr.json, median of ${ROUNDS}`)
  console.table(rows)
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round++) found.push(await measure())
  return found.sort((one, other) => one - other)[ROUNDS >> 1] ?? 0
}

/** What a process that finds a source kept asks its origin. */
async function countRequests(path: string, world: World): Promise<void> {
  const { origin } = world
  for (const [name, start] of world.places) {
    origin.put(name, { bytes: new Uint8Array(readFileSync(path)), etag: '"kept"' })
    await answer(origin.url(name), world, await start())
    origin.forget()
    await answer(origin.url(name), world, await start())
    const told = origin.requests.map(({ method, headers }) => `${method} If-None-Match: ${headers['if-none-match']}`)
    console.log(`zarr.json from ${name}: requests at the origin: ${told.length} (${told.join(', ')})`)
  }
}

/** Bytes of an entry that holds a whole index. */
async function measureEntry(title: string, path: string, { sources, workers }: World): Promise<void> {
  let bytes = 0
  const put = async (_name: string, entry: Uint8Array) => {
    bytes = Math.max(bytes, entry.length)
    return true
  }
  const place = { kind: 'none', put, get: async () => undefined, lease: noLease, close: async () => undefined }
  const manifests = new ManifestStore({ places: [place], revision: 'bench', outcomes: new Outcomes() })
  const service = serviceOf(sources, workers, manifests)
  const address = addressOfUrl(pathToFileURL(path).href, new Map())
  const { nodes } = (await service.describe(address)).store
  let references = 0
  for (const [array, node] of nodes) {
    if (node.kind !== 'array') continue
    const { chunks, shape } = node.array
    await chunks.isComplete?.()
    references += countOf(chunks)
    // Who asks for a chunk has the index weighed, and what has grown is written.
    await askedFor(service, address, [array, 'c', ...shape.map(() => 0)].join('/'))
  }
  await service.close()
  const each = bytes / references
  const goal = each <= BYTES_A_REFERENCE ? 'met' : `MISSED, at most ${BYTES_A_REFERENCE}`
  console.log(`${title}: ${references} references, ${bytes} bytes kept, ${each.toFixed(1)} a reference (${goal})`)
}

/** Where the chunk's file is doesn't matter. */
async function askedFor(service: StoreService, address: StoreAddress, key: string): Promise<void> {
  try {
    await service.get({ address, key })
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
  }
}

async function noLease() {
  return { kind: 'none' } as const
}

function countOf({ gridShape }: ChunkIndex): number {
  return gridShape.reduce((product, length) => product * length, 1)
}

/** A thousand files of a thousand chunks each. */
function millionReferences(): string {
  const array = { zarr_format: 2, shape: [1_000_000], chunks: [1], dtype: '|u1', compressor: null, fill_value: 0 }
  const refs: Record<string, unknown> = {
    '.zgroup': '{"zarr_format":2}',
    'a/.zarray': JSON.stringify({ ...array, order: 'C', filters: null }),
  }
  const numbers = randoms(1)
  for (let file = 0; file < 1000; file++) {
    for (let chunk = 0, offset = 4096; chunk < 1000; chunk++) {
      // As compression makes them: nobody can guess one from the others.
      const length = 20_000 + (numbers.next().value % 60_000)
      refs[`a/${file * 1000 + chunk}`] = [`file_${file}.bin`, offset, length]
      offset += length
    }
  }
  return JSON.stringify({ version: 1, refs })
}
