import { fileURLToPath } from 'node:url'
import type { Keep } from '../processes.ts'
import { keepResults } from '../report.ts'
import { median } from '../rounds.ts'
import { COLD_EXAMPLES, COLD_ROWS } from './cold-rows.ts'
import { benchFiles } from './environment.ts'
import { JOIN_ROWS } from './join-rows.ts'
import { METADATA_ROWS } from './metadata-rows.ts'
import { READING_ROWS } from './reading-rows.ts'
import type { Goal, Line, Row } from './rows.ts'
import { type Measurement, startDefaultService, startOrigin, startReader } from './tools.ts'

const ROWS: readonly Row[] = [...READING_ROWS, ...JOIN_ROWS, ...METADATA_ROWS, ...COLD_ROWS]

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))

/** What users wait for, as a table: `npm run bench user`, or `npm run bench user -- ROW…`. */
export async function benchUser(keep: Keep, names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !ROWS.some((row) => row.name === name))
  if (unknown.length > 0)
    throw new Error(`there is no row ${unknown.join(', ')}; there are: ${ROWS.map(({ name }) => name).join(', ')}`)
  await printRows(keep, names.length === 0 ? ROWS : ROWS.filter(({ name }) => names.includes(name)))
}

/** Whether opening the bundled examples costs as many requests and rounds as expected: some seconds, and needs no Python. */
export async function checkColdOpens(keep: Keep): Promise<void> {
  await printRows(keep, [COLD_EXAMPLES])
}

async function printRows(keep: Keep, rows: readonly Row[]): Promise<void> {
  const origin = await keep(startOrigin([benchFiles(rows.flatMap(({ files }) => files)), EXAMPLES]))
  const service = await keep(startDefaultService([origin.url]))
  let sources = 0
  const lines: Line[] = []
  console.log('| work | who | requests | rounds | MB | s | processor s | goal |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const row of rows) {
    const measured = row.measure({
      origin,
      service,
      reader: () => keep(startReader()),
      startService: (settings) => keep(startDefaultService([origin.url], settings)),
      freshUrl: (file) => `${origin.url}${row.name}${++sources}/${file}`,
    })
    for await (const line of measured) {
      lines.push(line)
      console.log(textOf(line))
    }
  }
  keepResults('user-', { lines })
}

/** Of runs that repeat each other the range of their counts and the median of their times; of steps each. */
function textOf({ work, who, measurements, areSteps = false, goal, note }: Line): string {
  const counts = (of: (each: Measurement) => number, digits = 0) => {
    const values = measurements.map(of)
    if (areSteps) return values.map((value) => value.toFixed(digits)).join('; ')
    const [least, most] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)]
    return least === most ? least : `${least} to ${most}`
  }
  const time = (of: (each: Measurement) => number) =>
    areSteps ? counts(of, 2) : median(measurements.map(of)).toFixed(2)
  const cells = [
    work,
    note === undefined ? who : `${who} (${note})`,
    counts(({ requests }) => requests),
    counts(({ rounds }) => rounds),
    counts(({ bytes }) => bytes / 1e6, 1),
    time(({ seconds }) => seconds),
    time(({ cpuSeconds }) => cpuSeconds),
    goal === undefined ? '' : goalText(goal),
  ]
  return `| ${cells.join(' | ')} |`
}

function goalText({ requests, rounds, seconds, cpuSeconds }: Goal): string {
  const parts = [
    [requests, 'requests'],
    [rounds, 'rounds'],
    [seconds, 's'],
    [cpuSeconds, 'processor s'],
  ] as const
  return parts.flatMap(([value, unit]) => (value === undefined ? [] : [`${value} ${unit}`])).join(', ')
}
