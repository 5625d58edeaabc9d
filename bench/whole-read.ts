import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OriginCall, OriginCounts } from './latency-origin.ts'
import { type Keep, type Running, startTalker, startWorker, type Worker } from './processes.ts'
import { cpuSeconds, median } from './rounds.ts'
import { startService } from './service.ts'

const PYTHON = fileURLToPath(new URL('../node_modules/.cache/interop-venv/bin/python', import.meta.url))
const SCRIPT = fileURLToPath(new URL('peers/whole_read.py', import.meta.url))
const LATENCY = 50
const ROUNDS = 5
const GOAL = 1.3
interface File {
  readonly file: string
  readonly told: string
  readonly goal?: number
  /** The view that has longer chunks. */
  readonly chunks?: string
}

/** Those with many chunks are to be faster here than by their own readers. */
const FILES: readonly File[] = [
  { file: 'deflate.tif', told: '64 tiles, deflate and predictor 2' },
  { file: 'lzw.tif', told: '64 tiles, LZW' },
  { file: 'deflate-small.tif', told: '1,024 tiles, deflate and predictor 2', goal: 1, chunks: 'y:512,x:512' },
  { file: 'scale-offset.h5', told: '64 chunks, scale-offset' },
  { file: 'szip.h5', told: '64 chunks, szip' },
  {
    file: 'shuffle-deflate.h5',
    told: '1,024 chunks, shuffle and deflate',
    goal: 1,
    chunks: 'phony_dim_0:512,phony_dim_1:512',
  },
]
const PEERS = { tif: ['rasterio', 'rasterio, tuned'], h5: ['h5py', 'h5py, whole file'] } as const
const OURS: readonly string[] = ['xarray', 'zarr-python', 'zarr-python, 64 at once']
/** `BENCH_ONLY=1,024` measures those alone. */
const ONLY = process.env['BENCH_ONLY'] ?? ''

/** Who reads a raster. */
interface Contender {
  readonly name: string
  /** As the reader's process knows him. */
  readonly how: string
  /** The options of the store that he reads; undefined: he reads the file itself. */
  readonly store: string | undefined
}

/** What one reading took: by the clock, and of the processor in the reader and in the service. */
interface Read {
  readonly seconds: number
  readonly worked: number
  readonly sha256: string
}

/** Rasters of 4096 x 4096 points read whole at 50 ms latency: through the service, and by readers of their formats, in turns. */
export async function benchWholeReads(keep: Keep, isQuick: boolean): Promise<void> {
  if (isQuick || !existsSync(PYTHON))
    return console.log('skipped: whole reads (BENCH_QUICK, or no Python environment of the clients)')
  const folder = mkdtempSync(join(tmpdir(), 'bench-whole-'))
  try {
    if (spawnSync(PYTHON, [SCRIPT, 'make', folder], { stdio: 'inherit' }).status !== 0)
      return console.log('skipped: whole reads (the files were not written)')
    const origin = await keep(startWorker('./latency-origin.ts', [folder]))
    const service = await keep(startService([origin.url]))
    const reader = await keep(startReader())
    await origin.call<OriginCounts>({ latencyMilliseconds: LATENCY } satisfies OriginCall)
    console.log('| 4096 x 4096 | reader | seconds | processor, reader and service | of the peer as it comes | tuned |')
    console.log('| --- | --- | --- | --- | --- | --- |')
    for (const one of FILES.filter(({ told }) => told.includes(ONLY))) await compareFile(one, origin, service, reader)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compareFile(
  { file, told, goal, chunks }: File,
  origin: Worker,
  service: Running,
  reader: Reader,
): Promise<void> {
  const peers = PEERS[file.endsWith('.tif') ? 'tif' : 'h5']
  const ours = OURS.flatMap((how): Contender[] => {
    const stored = { name: how, how, store: '' }
    // As long as those of the other files.
    const longer = { name: `${how}, chunks of 512 x 512`, how, store: `;chunks=${chunks}` }
    return chunks === undefined ? [stored] : [stored, longer]
  })
  const contenders: Contender[] = [...peers.map((how) => ({ name: how, how, store: undefined })), ...ours]
  const reads = new Map<string, Read[]>()
  // The first round is everybody's warming up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, how, store } of contenders) {
      const source = `${origin.url}${name.replaceAll(/\W/g, '')}-${round}/${file}`
      const isOurs = store !== undefined
      const url = isOurs ? `${service.url}zarr/~${Buffer.from(source).toString('base64url')}${store}/` : source
      const before = cpuSeconds(service.pid)
      const read = await reader.read(how, url)
      const worked = read.worked + (isOurs ? cpuSeconds(service.pid) - before : 0)
      if (round > 0) reads.set(name, [...(reads.get(name) ?? []), { ...read, worked }])
    }
  }
  const hashes = new Set([...reads.values()].flat().map(({ sha256 }) => sha256))
  if (hashes.size !== 1) console.log(`missed: ${file} is read as ${hashes.size} different rasters`)
  print(told, reads, { peers, ours: ours.map(({ name }) => name), goal: goal ?? GOAL })
}

interface Reader extends Running {
  read(how: string, url: string): Promise<Read>
}

/** One process of Python for all: everybody's code is loaded. */
async function startReader(): Promise<Reader> {
  const { tell, heard, ...running } = startTalker(PYTHON, [SCRIPT, 'read'])
  await heard()
  return {
    ...running,
    read: async (how, url) => {
      tell(JSON.stringify({ how, url }))
      const told = JSON.parse(await heard()) as Read | { error: string }
      if ('error' in told) throw new Error(`${how} of ${url}: ${told.error}`)
      return told
    },
  }
}

interface Contest {
  readonly peers: readonly [string, string]
  readonly ours: readonly string[]
  readonly goal: number
}

/** Each beside the readers of the format: as they come, for which the goal is, and tuned to this file. */
function print(
  told: string,
  reads: ReadonlyMap<string, readonly Read[]>,
  { peers: [plain, tuned], ours, goal }: Contest,
): void {
  const of = (how: string, what: 'seconds' | 'worked') => (reads.get(how) ?? []).map((read) => read[what])
  const ratios = (how: string, peer: string) =>
    of(how, 'seconds').map((seconds, round) => seconds / (of(peer, 'seconds')[round] ?? 1))
  for (const how of reads.keys()) {
    const [seconds, worked] = [median(of(how, 'seconds')), median(of(how, 'worked'))].map((value) => value.toFixed(2))
    const all = ratios(how, plain)
    const range = `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`
    const besides = [`${median(all).toFixed(2)} (${range})`, median(ratios(how, tuned)).toFixed(2)]
    console.log(`| ${[told, how, `${seconds} s`, `${worked} s`, ...besides].join(' | ')} |`)
  }
  const best = Math.min(...ours.map((how) => median(ratios(how, plain))))
  if (best > goal) console.log(`missed: ${told} takes ${best.toFixed(2)} of ${plain}, goal ${goal}`)
}
