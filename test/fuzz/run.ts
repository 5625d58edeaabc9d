import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'

/** `npm run fuzz -- --minutes 20 --format hdf5 --seed 7`: exits with 1 where something was found. */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, format: { type: 'string' }, seed: { type: 'string' } },
})
const report = await fuzz({
  rounds: Number.POSITIVE_INFINITY,
  milliseconds: Number(values.minutes) * 60_000,
  seed: Number(values.seed ?? Date.now() % 2 ** 31),
  format: values.format,
})
const statuses = [...report.statuses].sort().map(([status, count]) => `${count} x ${status}`)
console.log(
  `${report.rounds} damaged files: ${statuses.join(', ')}; longest pause ${Math.round(report.blockedMilliseconds)} ms`,
)
for (const find of report.finds) console.log(find)
process.exitCode = report.finds.length === 0 ? 0 : 1
