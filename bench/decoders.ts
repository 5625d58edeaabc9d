import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DecodedRate } from './decode-chunks.ts'
import { type Keep, type Running, startTalker, startWorker } from './processes.ts'
import { pythonWith } from './python.ts'
import { median } from './rounds.ts'

/** Of each compression: MB a second of processor time. */
type Rates = Readonly<Record<string, number>>

const SCRIPT = fileURLToPath(new URL('peers/decoders.py', import.meta.url))
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/bench/decoders', import.meta.url))
const PACKAGES = ['h5py', 'hdf5plugin', 'imagecodecs', 'numpy', 'rasterio', 'tifffile']
const ROUNDS = 3
/** Of the speed of C: for all, and for what stores that are decoded for portable clients often have. */
const LEAST_RATIO = 0.2
const OFTEN_GOAL = 0.5
const OFTEN = /^(deflate|LZW|zstd|lz4|blosc|shuffle|JPEG$|LERC|szip)/

/** How fast chunks of each compression are decoded, beside libraries in C: in turns, each on one thread. */
export async function benchDecoders(keep: Keep, isQuick: boolean): Promise<void> {
  if (isQuick) return console.log('skipped: decoders (BENCH_QUICK)')
  mkdirSync(FOLDER, { recursive: true })
  let askPeers: () => Promise<Rates>
  try {
    askPeers = await keep(startPeers(pythonWith('bench-decoders-venv', PACKAGES))).then(({ ask }) => ask)
  } catch (error) {
    return console.log(`skipped: decoders (${error instanceof Error ? error.message : error})`)
  }
  const worker = await keep(startWorker('./decode-chunks.ts'))
  const rounds: { theirs: Rates; ours: Readonly<Record<string, DecodedRate>> }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await askPeers()
    rounds.push({ theirs, ours: await worker.call({ folder: FOLDER }) })
  }
  console.log('\nMB of decoded values a second of processor time, medians\n')
  console.log('| compression | here | C | ratio |\n| --- | --- | --- | --- |')
  const rows = Object.keys(rounds[0]?.theirs ?? {}).map((name) =>
    rowOf(
      name,
      rounds.map(({ theirs, ours }) => ({ theirs: theirs[name] ?? 0, ours: ours[name] })),
    ),
  )
  for (const { line } of rows) console.log(line)
  for (const { missed } of rows) if (missed !== undefined) console.log(`missed: ${missed}`)
}

/** The libraries in C: each answer is a line, and the next one is asked for by one. */
async function startPeers(python: string): Promise<Running & { ask(): Promise<Rates> }> {
  const { tell, heard, ...running } = startTalker(python, [SCRIPT, FOLDER])
  let isFirst = true
  return {
    ...running,
    ask: async () => {
      if (!isFirst) tell('')
      isFirst = false
      return JSON.parse(await heard()) as Rates
    },
  }
}

interface Round {
  readonly theirs: number
  readonly ours: DecodedRate | undefined
}

function rowOf(name: string, rounds: readonly Round[]): { readonly line: string; readonly missed?: string } {
  const ours = median(rounds.map((round) => round.ours?.rate ?? 0))
  const theirs = median(rounds.map((round) => round.theirs))
  const ratio = median(rounds.map((round) => (round.ours?.rate ?? 0) / round.theirs))
  const line = `| ${name} | ${ours.toFixed(0)} | ${theirs.toFixed(0)} | ${ratio.toFixed(2)} |`
  const goal = OFTEN.test(name) ? OFTEN_GOAL : LEAST_RATIO
  if (!rounds.every((round) => round.ours?.isEqual)) return { line, missed: `${name} decodes to other values` }
  return ratio < goal ? { line, missed: `${name} ${ratio.toFixed(2)} of C, goal ${goal}` } : { line }
}
