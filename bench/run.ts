import { benchDecoders } from './decoders.ts'
import { hotPath } from './hot.ts'
import { benchMemory } from './memory/run.ts'
import type { Keep, Running } from './processes.ts'
import { benchUser, checkColdOpens } from './user/run.ts'
import { benchViews } from './views.ts'

const IS_QUICK = process.env['BENCH_QUICK'] === '1'

/** By name; the words behind the name choose rows or steps. */
const BENCHES: Readonly<Record<string, (keep: Keep, words: readonly string[]) => Promise<unknown>>> = {
  user: benchUser,
  memory: benchMemory,
  hot: (keep) => hotPath(keep, IS_QUICK),
  views: (keep) => benchViews(keep, IS_QUICK),
  decoders: (keep) => benchDecoders(keep, IS_QUICK),
}

/** All processes that were started, ended in reverse order whatever happens. */
const running: Running[] = []

async function keep<Process extends Running>(starting: Promise<Process>): Promise<Process> {
  const process = await starting
  running.push(process)
  return process
}

async function main(): Promise<void> {
  const [name, ...words] = process.argv.slice(2)
  try {
    if (name === undefined) return await (IS_QUICK ? checkColdOpens(keep) : benchUser(keep, []))
    const bench = BENCHES[name]
    if (bench === undefined) throw new Error(`there is no bench ${name}; there are: ${Object.keys(BENCHES).join(', ')}`)
    await bench(keep, words)
  } finally {
    for (const process of running.reverse()) await process.stop()
  }
}

await main()
