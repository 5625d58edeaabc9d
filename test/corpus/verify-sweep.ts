import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService, type Service } from '../../src/server/service.ts'
import { verifyStore } from '../../src/server/verification.ts'
import { KeptReader } from '../../src/verify/readers/reader-process.ts'
import type { VerifyReport } from '../../src/verify/report.ts'
import { readyPlace } from '../../src/verify/source-file.ts'

/** A source of a corpus may take so long: hostile ones have chunks by the million. */
const MOST_MILLISECONDS = 20_000

/** Verifies one source after the other, with one server and one reader of readers. */
export interface Sweep {
  /** Undefined for one that is refused, as damaged ones are; `late` for one that takes too long. */
  report(path: string): Promise<VerifyReport | 'late' | undefined>
  close(): Promise<void>
}

export async function openSweep(root: string): Promise<Sweep> {
  const flags = { 'file-root': root, 'log-level': 'silent' }
  const config = readConfig({ flags, environment: {}, bundledCatalog: undefined })
  const service = openService(config)
  const { http } = await buildApp({ ...service, catalog: config.catalog }, config)
  const kept = new KeptReader()
  return {
    report: (path) => reportOf(path, http, service, kept),
    async close() {
      await kept.close()
      await http.close()
      await service.close()
    },
  }
}

async function reportOf(path: string, http: FastifyInstance, service: Service, kept: KeptReader) {
  const url = pathToFileURL(path).href
  const signal = AbortSignal.timeout(MOST_MILLISECONDS)
  const sources = { file: async (place: string) => readyPlace(place), place: readyPlace }
  try {
    return await verifyStore(http, service, { url, options: new Map(), sample: 1, sources, kept, signal })
  } catch (error) {
    if (signal.aborted) return 'late'
    if (error instanceof Error && error.name === 'VirtualZarrError') return undefined
    throw error
  }
}

/** What makes a folder a source: documents of Zarr, a set of references, a repository of Icechunk. */
const OF_FOLDERS = ['zarr.json', '.zmetadata', '.zgroup', '.zarray', 'repo', 'refs']

/** The sources in a folder, and in those below it. */
export function* sourcesIn(folder: string, isSource: (name: string) => boolean): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true })
  if (entries.some(({ name }) => OF_FOLDERS.includes(name))) {
    yield `${folder}/`
    return
  }
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sourcesIn(path, isSource)
    else if (isSource(entry.name)) yield path
  }
}

export interface SweepCounts {
  sources: number
  refused: number
  late: number
  confirmed: number
  differs: number
  fault: number
  'not-compared': number
  values: number
}

export interface SweepResult {
  readonly counts: SweepCounts
  /** How often arrays were not compared, by the reason. */
  readonly why: ReadonlyMap<string, number>
  /** What to look at: arrays that differ, and faults of readers. */
  readonly told: readonly string[]
}

/** Verifies some sources, and counts what comes of them. */
export async function sweptSources(sweep: Sweep, paths: Iterable<string>): Promise<SweepResult> {
  const counts = { sources: 0, refused: 0, late: 0, confirmed: 0, differs: 0, fault: 0, 'not-compared': 0, values: 0 }
  const why = new Map<string, number>()
  const told: string[] = []
  for (const path of paths) {
    const report = await sweep.report(path)
    counts.sources++
    if (report === undefined) counts.refused++
    else if (report === 'late') counts.late++
    else {
      for (const key of ['confirmed', 'differs', 'fault', 'not-compared', 'values'] as const)
        counts[key] += report.totals[key]
      told.push(...toldOf(path, report, why))
    }
    if (report === 'late') told.push(`late ${path}`)
  }
  return { counts, why, told }
}

function* toldOf(path: string, { arrays }: VerifyReport, reasons: Map<string, number>): Generator<string> {
  for (const [array, { result, differences, why = '' }] of Object.entries(arrays)) {
    if (result === 'not-compared') reasons.set(why.slice(0, 90), (reasons.get(why.slice(0, 90)) ?? 0) + 1)
    else if (result !== 'confirmed') yield `${result} ${path} ${array}: ${JSON.stringify(differences[0])} ${why}`
  }
}
