import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { storeUrl } from '../corpus/service.ts'
import type { Fault } from '../helpers/origin.ts'
import { randoms } from '../helpers/randoms.ts'
import { ask } from './ask.ts'
import type { World } from './matrix.ts'
import type { Sample } from './samples.ts'
import type { Way } from './validators.ts'

/** What came of the chunk requests to a source that is replaced all the time. */
export interface Count {
  whole: number
  /** Bytes of both versions, or of none, under a status of success. */
  mixed: number
  /** Bytes of another version than the one that the URL names. */
  otherVersion: number
  /** The same of an origin that tells nothing, replaced and put back while the chunk was read: what was read before and after is right. */
  putBack: number
  refused: number
  cut: number
  failed: number
}

const EVERY_MS = [40, 200] as const
const FAULTS: readonly Fault[] = [
  { kind: 'cut', after: 70_000, how: 'reset' },
  { kind: 'cut', after: 30_000, how: 'close' },
  { kind: 'status', status: 500 },
  { kind: 'cut', after: 80_000, how: 'close' },
  { kind: 'reset' },
]
const REFUSALS = [409, 502, 503, 504]
const MOST_REFUSALS = 20

/** Replaces a sample again and again while a client reads it, pinned and not; with one answer of ten cut or failed. */
export async function flip(sample: Sample, way: Way, milliseconds: number, world: World, seed: number): Promise<Count> {
  const count: Count = { whole: 0, mixed: 0, otherVersion: 0, putBack: 0, refused: 0, cut: 0, failed: 0 }
  const folder = `flip-${sample.name}-${way.name.replaceAll(/\W+/g, '-')}`
  const known = await hashes(sample, folder, world)
  const numbers = randoms(seed)
  const random = () => numbers.next().value / 2 ** 32
  const end = Date.now() + milliseconds
  const flips = { count: 0, isSilent: way.isSilent === true }
  const flipping = async () => {
    for (let version: 0 | 1 = 0; Date.now() < end; version = version === 0 ? 1 : 0) {
      put(sample, folder, version, way, world)
      flips.count++
      await setTimeout(EVERY_MS[0] + random() * (EVERY_MS[1] - EVERY_MS[0]))
    }
  }
  const reading = async () => {
    while (Date.now() < end) await readOnce(sample, folder, { known, flips }, count, world)
  }
  await Promise.all([flipping(), reading(), reading()])
  for (const path of Object.keys(sample.files(0))) world.origin.remove(`${folder}/${path}`)
  return count
}

function put(sample: Sample, folder: string, version: 0 | 1, way: Way, { origin }: World): void {
  for (const [path, bytes] of Object.entries(sample.files(version))) {
    origin.put(`${folder}/${path}`, { bytes, ...way.told(version) })
  }
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What the chunk of each version is, read of a source that does not change. */
async function hashes(sample: Sample, folder: string, world: World): Promise<readonly string[]> {
  const known: string[] = []
  for (const version of [0, 1] as const) {
    const still = `${folder}-${version}`
    for (const [path, bytes] of Object.entries(sample.files(version))) {
      world.origin.put(`${still}/${path}`, { bytes, etag: `"${version}"` })
    }
    known.push(
      hash(await answered(`${storeUrl(world.service, world.origin.url(`${still}/${sample.source}`))}${sample.key}`)),
    )
    for (const path of Object.keys(sample.files(version))) world.origin.remove(`${still}/${path}`)
  }
  return known
}

/** What is refused now, by an origin that fails and a machine that is busy, is there the next time. */
async function answered(url: string): Promise<Uint8Array> {
  const statuses: number[] = []
  while (statuses.length < MOST_REFUSALS) {
    const { status, body } = await ask(url)
    if (status === 200) return body
    statuses.push(status)
    if (status !== 0 && !REFUSALS.includes(status)) break
  }
  throw new Error(`${url} is answered ${statuses.join(', ')}`)
}

/** By source and version, the chunk that was read under that name first. */
const pinned = new Map<string, string>()

interface Versions {
  readonly known: readonly string[]
  readonly flips: { readonly count: number; readonly isSilent: boolean }
}

async function readOnce(sample: Sample, folder: string, { known, flips }: Versions, count: Count, world: World) {
  const store = storeUrl(world.service, world.origin.url(`${folder}/${sample.source}`))
  const opened = await fetch(`${store}zarr.json`).catch(() => undefined)
  await opened?.arrayBuffer().catch(() => undefined)
  const version = /;version=[\w-]+/.exec(opened?.headers.get('link') ?? '')?.[0]
  for (const url of [store, store, ...(version === undefined ? [] : [`${store.slice(0, -1)}${version}/`])]) {
    const before = flips.count
    const { status, body } = await ask(url + sample.key)
    const mayBePutBack = flips.isSilent && flips.count - before >= 2
    if (status === 0) count.cut++
    else if (REFUSALS.includes(status)) count.refused++
    else if (status !== 200) count.failed++
    else {
      const found = hash(body)
      const isMixed = !known.includes(found)
      const name = url === store || version === undefined ? undefined : `${folder}${version}`
      // The objects and targets that a document names have versions of their own.
      const isNamed = name !== undefined && sample.data === sample.document
      if (isNamed && !isMixed && !mayBePutBack && !pinned.has(name)) pinned.set(name, found)
      if (isMixed) count.mixed++
      else if (isNamed && (pinned.get(name) ?? found) !== found) count[mayBePutBack ? 'putBack' : 'otherVersion']++
      else count.whole++
    }
  }
}

/** One answer of ten goes wrong. */
export function oneOfTen(seed: number): () => Fault | undefined {
  const numbers = randoms(seed)
  const random = () => numbers.next().value / 2 ** 32
  return () => (random() < 0.1 ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined)
}
