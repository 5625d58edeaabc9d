import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DOCUMENT_VARIABLES, writeDocumentFile, writePassthroughFile } from './inputs.ts'
import { nginxProgram, startNginxOrigin, startNginxRelay } from './nginx.ts'
import { passthrough } from './passthrough.ts'
import { type Keep, startWorker } from './processes.ts'
import { type Comparison, compare, type Match, type RoundSettings } from './rounds.ts'
import { startService } from './service.ts'
import { warmMetadata } from './warm-metadata.ts'

const CONNECTIONS = [8, 64]
const FULL = { rounds: 7, seconds: 1, warmUpCpuSeconds: 3 }
/** Under a minute, which is enough to see that it works, and little more. */
const QUICK = { rounds: 2, seconds: 0.3, warmUpCpuSeconds: 0.3 }

/** What a request costs once a store is open, beside nginx, a relay written by hand, and a route that sends a buffer. */
export async function hotPath(keep: Keep, isQuick: boolean): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-hot-'))
  try {
    const files = join(folder, 'files')
    const { path, file } = await writePassthroughFile(files)
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
    matches.push(...passthrough({ service, store: storeOf(path), path: `files/${path}`, file, peer, nginx }))
    const settings: Omit<RoundSettings, 'connections'> = isQuick ? QUICK : FULL
    const comparisons: Comparison[] = []
    for (const match of matches.filter(isWanted))
      for (const connections of CONNECTIONS) comparisons.push(await compare(match, load, { ...settings, connections }))
    return comparisons
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `BENCH_ONLY='chunk, 1 MiB'` measures what is named so alone. */
function isWanted({ name }: Match): boolean {
  return name.includes(process.env['BENCH_ONLY'] ?? '')
}
