import { parseArgs } from 'node:util'
import { CORPUS_ABSENT } from '../corpus/golden.ts'
import { joinedSources } from '../helpers/test-joins.ts'
import { corpusSources, fixtureSources } from '../helpers/test-sources.ts'
import { fuzz } from './fuzz.ts'

const HELP = `npm run fuzz -- [--minutes N] [--format NAME] [--seed N] [--round N]

Damaged copies of the fixtures, of joins, and of the corpora where they are there, asked for through HTTP while the
server's health is polled. Exits with 1 where something was found.
--format   only sources of this format
--round    only this round, as a find names it with its seed`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    format: { type: 'string' },
    seed: { type: 'string' },
    round: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** In turn from all of them, whatever the time is for. */
function sources() {
  const all = [...fixtureSources(), ...joinedSources(), ...corpusSources()]
  const formats = [...new Set(all.map(({ format }) => format))]
  const wanted = formats.filter((format) => values.format === undefined || values.format === format)
  if (wanted.length === 0) throw new RangeError(`format ${values.format} is none of ${formats.join(', ')}`)
  const groups = wanted.map((format) => all.filter((source) => source.format === format))
  const most = Math.max(...groups.map((group) => group.length))
  return Array.from({ length: most }, (_, turn) => groups.flatMap((group) => group[turn % group.length] ?? [])).flat()
}

if (values.help) console.log(HELP)
else {
  if (CORPUS_ABSENT !== false) console.log(`without the corpora: ${CORPUS_ABSENT}`)
  const only = values.round === undefined ? undefined : Number(values.round)
  const report = await fuzz({
    sources: sources(),
    rounds: only === undefined ? Number.POSITIVE_INFINITY : 1,
    first: only ?? 0,
    milliseconds: Number(values.minutes) * 60_000,
    seed: Number(values.seed ?? Date.now() % 2 ** 31),
  })
  const statuses = [...report.statuses].sort().map(([status, count]) => `${count} x ${status}`)
  console.log(`${report.rounds} damaged sources: ${statuses.join(', ')}`)
  console.log(`longest pause ${Math.round(report.blockedMilliseconds)} ms; health: ${JSON.stringify(report.health)}`)
  for (const find of report.finds) console.log(find)
  console.log(`${report.finds.length} finds`)
  process.exitCode = report.finds.length === 0 ? 0 : 1
}
