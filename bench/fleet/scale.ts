// What 1 PB in 100 million files and 10,000 requests a second ask of a fleet: `node bench/fleet/scale.ts` writes the table of docs/scale.md
// (two minutes of processor time).
import { type FleetCounts, type FleetInput, simulate } from './simulation.ts'

/** What was measured, by what, in docs/scale.md. Processor time is in seconds. */
export const MEASURED = {
  /** A warm document, and an answer that it is unchanged, which was not measured apart. */
  documentCpu: 17e-6,
  /** A chunk of 128 KiB that passes. */
  chunkCpu: 93e-6,
  parseCpu: 14e-3,
  restoreCpu: 10e-3,
  storeBytes: 312_000,
  entryBytes: 3_200,
  referenceBytes: 6.2,
} as const

const SOURCES = 100e6
const CHUNKS = 80
const CHUNK_BYTES = 128 * 1024
const REQUESTS_A_SECOND = 10_000
/** Memory for opened stores, of all replicas together. */
const STORES_BYTES = 24 * 2 ** 30
/** Of a core: the rest is for what comes unevenly. */
const BUSY = 0.5

/** A thousandth of the sources, readers and bytes: each source is asked as often, and each cache holds the same part. */
const SHARE = 1 / 1000
const WARM_UP = 24 * 3600
const COUNTED = 6 * 3600

interface Scenario {
  readonly power: number
  readonly isPinned: boolean
  readonly cacheBytes: number
  readonly manifestsBytes: number
}

function inputOf({ power, isPinned, cacheBytes, manifestsBytes }: Scenario): FleetInput {
  const chunk = isPinned ? 'pinned-chunk' : 'chunk'
  return {
    seed: 1,
    seconds: WARM_UP + COUNTED,
    warmUpSeconds: WARM_UP,
    readers: [
      {
        name: 'readers',
        count: 1,
        asks: ['document', ...Array<typeof chunk>(20).fill(chunk)],
        sources: { first: 0, count: SOURCES * SHARE },
        answerSeconds: 1 / (REQUESTS_A_SECOND * SHARE),
        pauseSeconds: 0,
      },
    ],
    chunksOfSource: CHUNKS,
    power,
    documentBytes: 6_000,
    chunkBytes: CHUNK_BYTES,
    cacheBytes: cacheBytes * SHARE,
    replicas: 1,
    storesBytes: STORES_BYTES * SHARE,
    storeBytes: MEASURED.storeBytes,
    freshSeconds: 60,
    manifestsBytes: manifestsBytes * SHARE,
    manifestBytes: MEASURED.entryBytes + MEASURED.referenceBytes * CHUNKS,
    openRequests: 1,
    chunkRequests: 1,
    outages: [],
    changes: [],
  }
}

/** Cores of replicas, by what they were asked for. */
export function coresOf({ atReplicas, chunksRead, parsed, restored }: FleetCounts, seconds: number): number {
  const small = (atReplicas - chunksRead) * MEASURED.documentCpu
  const opening = parsed * MEASURED.parseCpu + restored * MEASURED.restoreCpu
  return (small + chunksRead * MEASURED.chunkCpu + opening) / seconds
}

function rowOf(scenario: Scenario): readonly (string | number)[] {
  const counts = simulate(inputOf(scenario))
  const { HIT = 0, REVALIDATED = 0 } = counts.cache['readers'] ?? {}
  const aSecond = (count: number) => Math.round(count / COUNTED / SHARE)
  const percent = (part: number) => `${Math.round((100 * part) / counts.requests)} %`
  const cores = coresOf(counts, COUNTED) / SHARE
  return [
    (1 - 1 / scenario.power).toFixed(2),
    scenario.isPinned ? 'pinned' : 'asked again',
    `${scenario.cacheBytes / 1e12} TB`,
    `${scenario.manifestsBytes / 1e9} GB`,
    percent(HIT + REVALIDATED),
    aSecond(counts.atReplicas),
    aSecond(counts.atOrigin),
    ((aSecond(counts.chunksRead) * CHUNK_BYTES) / 1e9).toFixed(2),
    aSecond(counts.parsed),
    aSecond(counts.restored),
    cores.toFixed(1),
    Math.ceil(cores / BUSY),
  ]
}

const HEAD = [
  'Zipf',
  'chunks',
  'cache',
  'manifests',
  'from the cache',
  'at replicas/s',
  'at origins/s',
  'GB/s of origins',
  'parsed/s',
  'restored/s',
  'cores',
  'replicas',
]

const NONE = { manifestsBytes: 0 }
const KEPT = { manifestsBytes: 64e9 }
const SCENARIOS: readonly Scenario[] = [
  { power: 3, isPinned: true, cacheBytes: 10e12, ...KEPT },
  { power: 10, isPinned: true, cacheBytes: 0, ...NONE },
  { power: 10, isPinned: true, cacheBytes: 1e12, ...NONE },
  { power: 10, isPinned: true, cacheBytes: 1e12, ...KEPT },
  { power: 10, isPinned: true, cacheBytes: 10e12, ...KEPT },
  { power: 10, isPinned: false, cacheBytes: 10e12, ...KEPT },
]

const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`
if (import.meta.main) {
  process.stdout.write(line(HEAD) + line(HEAD.map(() => '---')))
  for (const scenario of SCENARIOS) process.stdout.write(line(rowOf(scenario)))
}
