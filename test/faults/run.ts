import { parseArgs } from 'node:util'
import { type Count, flip, oneOfTen } from './flipping.ts'
import { type Case, casesOf, run, type World } from './matrix.ts'
import { SAMPLES } from './samples.ts'
import { WAYS } from './validators.ts'
import { startWorld } from './world.ts'

const HELP = `npm run faults -- [--format NAME] [--validator NAME] [--real] [--minutes N] [--seed N]

Every fault of an origin, in every format, of metadata and chunks, once and for ever, with each way of giving validators.
--minutes N   instead: sources that are replaced all the time, for so long, shared by formats and validators
--format      only these (${SAMPLES.map(({ name }) => name).join(', ')})
--validator   only these (${WAYS.map(({ name }) => name).join(', ')})
--real        with the deadlines of production`

const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true },
    validator: { type: 'string', multiple: true },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    real: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const samples = SAMPLES.filter(({ name }) => values.format?.includes(name) ?? true)
const ways = WAYS.filter(({ name }) => values.validator?.includes(name) ?? true)

/** Cases under way at the same time: most of them wait. */
const AT_ONCE = 8

async function runMatrix(world: World): Promise<number> {
  const cases = casesOf(samples, ways)
  const late: Case[] = []
  let [done, wrong] = [0, 0]
  const work = async () => {
    for (const one of cases) {
      const found = await run(one, world)
      if (++done % 1000 === 0) console.log(`${done} cases`)
      if (found === undefined) continue
      console.log(`${nameOf(one)}: ${found.what}`)
      if (found.mayBeLate) late.push(one)
      else wrong++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  wrong += await runAlone(late, world)
  console.log(`${done} cases, ${late.length} of them late at first, ${wrong} wrong`)
  return wrong
}

/** Deadlines pass on a busy machine, too: what is late is run again, with nothing beside it. */
async function runAlone(cases: readonly Case[], world: World): Promise<number> {
  let wrong = 0
  for (const one of cases) {
    const found = await run(one, world)
    if (found === undefined) continue
    wrong++
    console.log(`again, ${nameOf(one)}: ${found.what}`)
  }
  return wrong
}

function nameOf({ sample, way, fault, target, times }: Case): string {
  return `${sample.name}, ${way.name}: ${fault.name} of ${target}, ${times}`
}

async function runFlipping(world: World, minutes: number): Promise<number> {
  world.origin.faultOf = oneOfTen(Number(values.seed))
  const share = (minutes * 60_000) / ways.length
  const total: Record<string, Count> = {}
  let wrong = 0
  for (const [at, way] of ways.entries()) {
    const counts = await Promise.all(samples.map((sample) => flip(sample, way, share, world, Number(values.seed) + at)))
    const sum = counts.reduce((one, other) => added(one, other))
    total[way.name] = sum
    wrong += sum.mixed + sum.otherVersion + sum.failed
  }
  console.table(total)
  return wrong
}

function added(one: Count, other: Count): Count {
  return {
    whole: one.whole + other.whole,
    mixed: one.mixed + other.mixed,
    otherVersion: one.otherVersion + other.otherVersion,
    putBack: one.putBack + other.putBack,
    refused: one.refused + other.refused,
    cut: one.cut + other.cut,
    failed: one.failed + other.failed,
  }
}

if (values.help) console.log(HELP)
else {
  const world = await startWorld(values.real)
  const wrong = values.minutes === undefined ? await runMatrix(world) : await runFlipping(world, Number(values.minutes))
  await world.close()
  process.exitCode = wrong === 0 ? 0 : 1
}
