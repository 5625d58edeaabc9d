import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DOCUMENT_VARIABLES, writeDocumentFile, writePassthroughFile } from './inputs.ts'
import { nginxProgram, startNginxOrigin, startNginxRelay } from './nginx.ts'
import { passthrough } from './passthrough.ts'
import { type Keep, startWorker } from './processes.ts'
import { printComparison, printComparisonsHead } from './report.ts'
import { type Comparison, compare, type Match, type RoundSettings } from './rounds.ts'
import { startService } from './service.ts'
import { warmMetadata } from './warm-metadata.ts'

type Plan = Omit<RoundSettings, 'connections'> & {
  readonly connections: readonly number[]
  /** Where requests of the same kind were measured before. */
  readonly warmAgainCpuSeconds: number
}
/** Ours is compiled for good after some seconds of work: 16 KiB took 346 µs after three of them, and 103 µs after ten. */
const FULL: Plan = { rounds: 7, seconds: 1, warmUpCpuSeconds: 10, warmAgainCpuSeconds: 1, connections: [8, 64] }
/** A minute and a half, most of which is warming up. */
const QUICK: Plan = { rounds: 3, seconds: 0.3, warmUpCpuSeconds: 8, warmAgainCpuSeconds: 0.1, connections: [8] }

/** What a request costs once a store is open, beside nginx, a relay written by hand, and a route that sends a buffer. */
export async function hotPath(keep: Keep, isQuick: boolean): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-hot-'))
  try {
    const files = join(folder, 'files')
    const { path, document, file } = await writePassthroughFile(files)
    const origin =
      nginxProgram === undefined
        ? await keep(startWorker('./latency-origin.ts', [files]))
        : await keep(startNginxOrigin(nginxProgram, folder, folder))
    const service = await keep(startService([origin.url]))
    const peer = await keep(startWorker('./peer.ts', [origin.url]))
    const load = await keep(startWorker('./load.ts'))
    const nginx = nginxProgram === undefined ? undefined : await keep(startNginxRelay(nginxProgram, folder, origin.url))
    const storeOf = (name: string) =>
      `${service.url}zarr/~${Buffer.from(`${origin.url}files/${name}`).toString('base64url')}/`
    const matches: Match[] = []
    for (const count of DOCUMENT_VARIABLES) {
      const store = storeOf(await writeDocumentFile(files, count))
      for (const coding of ['identity', 'gzip']) matches.push(await warmMetadata(service, store, peer, coding))
    }
    matches.push(...passthrough({ service, store: storeOf(document), path: `files/${path}`, file, peer, nginx }))
    const plan = isQuick ? QUICK : FULL
    const comparisons: Comparison[] = []
    const warm = new Set<string>()
    printComparisonsHead()
    for (const match of matches.filter(isWanted)) {
      for (const connections of plan.connections) {
        const warmUpCpuSeconds = warm.has(match.kind) ? plan.warmAgainCpuSeconds : plan.warmUpCpuSeconds
        warm.add(match.kind)
        const comparison = await compare(match, load, { ...plan, warmUpCpuSeconds, connections })
        printComparison(comparison)
        comparisons.push(comparison)
      }
    }
    return comparisons
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `BENCH_ONLY='chunk, 1 MiB'` measures what is named so alone. */
function isWanted({ name }: Match): boolean {
  return name.includes(process.env['BENCH_ONLY'] ?? '')
}
