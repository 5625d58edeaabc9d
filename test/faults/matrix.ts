import { storeUrl } from '../corpus/service.ts'
import type { Origin } from '../helpers/origin.ts'
import { ask, type Reply } from './ask.ts'
import { FAULTS, type FaultCase, isVerdict } from './faults.ts'
import type { Sample } from './samples.ts'
import type { Way } from './validators.ts'

/** One fault of one answer. */
export interface Case {
  readonly sample: Sample
  readonly way: Way
  readonly fault: FaultCase
  readonly target: 'metadata' | 'chunk'
  readonly times: 'once' | 'for ever'
}

export function* casesOf(samples: readonly Sample[], ways: readonly Way[]): Generator<Case> {
  for (const sample of samples) {
    for (const way of ways) {
      for (const fault of FAULTS) {
        for (const target of ['metadata', 'chunk'] as const) {
          for (const times of ['once', 'for ever'] as const) yield { sample, way, fault, target, times }
        }
      }
    }
  }
}

export interface World {
  readonly origin: Origin
  readonly service: { readonly url: string }
  /** What one request may take at most. */
  readonly deadlineMs: number
}

let folders = 0

/** Puts a version of a sample into a folder of its own. */
export function putSample({ origin }: World, { sample, way }: Pick<Case, 'sample' | 'way'>): string {
  const folder = `${sample.name}-${folders++}`
  for (const [path, bytes] of Object.entries(sample.files(0)))
    origin.put(`${folder}/${path}`, { bytes, ...way.told(0) })
  return folder
}

/** What is wrong with the outcome of a case. */
export interface Wrong {
  readonly what: string
  /** A deadline passed, for which a busy machine may be to blame: no wrong bytes, and nothing that must never be answered. */
  readonly mayBeLate: boolean
}

const wrong = (what: string): Wrong => ({ what, mayBeLate: false })
const late = (what: string): Wrong => ({ what, mayBeLate: true })

/** Runs one case; undefined for a right outcome. */
export async function run(one: Case, world: World): Promise<Wrong | undefined> {
  const { sample, fault, target, times } = one
  const { origin, service, deadlineMs } = world
  const folder = putSample(world, one)
  const store = storeUrl(service, origin.url(`${folder}/${sample.source}`))
  const urls = { metadata: `${store}zarr.json`, chunk: `${store}${sample.key}` }
  if (target === 'chunk' && (await ask(urls.metadata)).status !== 200) return late('the healthy metadata is not served')
  const path = `${folder}/${target === 'chunk' ? sample.data : sample.document}`
  const heal = origin.fault(fault.fault, times === 'once' ? 1 : undefined, path)
  const reply = await ask(urls[target])
  heal()
  // A failure to open is remembered for some seconds.
  const isRemembered = target === 'metadata' && (times === 'for ever' || isVerdict(fault))
  const healthy = isRemembered ? undefined : await ask(urls.metadata)
  const expected = healthy === undefined ? undefined : target === 'metadata' ? healthy : await ask(urls.chunk)
  for (const name of Object.keys(sample.files(0))) origin.remove(`${folder}/${name}`)
  if (reply.milliseconds > deadlineMs) return late(`took ${Math.round(reply.milliseconds)} ms`)
  if (expected !== undefined && expected.status !== 200)
    return late(`then ${expected.status}, though it is healthy again`)
  return judged(one, reply, expected?.body)
}

function judged(
  { sample, way, fault, target, times }: Case,
  { status, body }: Reply,
  expected: Buffer | undefined,
): Wrong | undefined {
  if (status === 200) {
    if (expected !== undefined && !body.equals(expected)) return wrong(`${body.length} wrong bytes`)
    const isFine = times === 'once' || fault.isHarmless === true || expected !== undefined
    return isFine ? undefined : wrong('200 of what is broken')
  }
  // Bytes that left can't be taken back, and nothing proves that the rest belongs to them.
  if (status === 0) {
    const mayBeCut = fault.cutsBody === true && target === 'chunk' && (times === 'for ever' || !way.isStrong)
    return mayBeCut ? undefined : late('the connection was cut')
  }
  const mustBe200 = times === 'once' && !isVerdict(fault)
  if (!mustBe200 && fault[target].includes(status)) return undefined
  const what = `${status}, expected ${mustBe200 ? 200 : fault[target].join(' or ')} (${sample.name}, ${way.name})`
  return status === 504 || status === 502 || status === 503 ? late(what) : wrong(what)
}
