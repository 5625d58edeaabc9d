import type { Keep } from '../processes.ts'
import { keepResults } from '../report.ts'
import { median } from '../rounds.ts'
import { benchFiles } from './environment.ts'
import { READING_ROWS } from './reading-rows.ts'
import type { Goal, Line, Row } from './rows.ts'
import { type Measurement, type Reader, startDefaultService, startOrigin, startReader } from './tools.ts'

const ROWS: readonly Row[] = [...READING_ROWS]

/** What users wait for, as a table: `npm run bench user`, or `npm run bench user -- ROW…`. */
export async function benchUser(keep: Keep, names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !ROWS.some((row) => row.name === name))
  if (unknown.length > 0)
    throw new Error(`there is no row ${unknown.join(', ')}; there are: ${ROWS.map(({ name }) => name).join(', ')}`)
  const rows = names.length === 0 ? ROWS : ROWS.filter(({ name }) => names.includes(name))
  const origin = await keep(startOrigin(benchFiles(rows.flatMap(({ files }) => files))))
  const service = await keep(startDefaultService([origin.url]))
  let reader: Promise<Reader> | undefined
  let sources = 0
  const lines: Line[] = []
  console.log('| work | who | requests | rounds | MB | s | processor s | goal |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const row of rows) {
    const measured = row.measure({
      origin,
      service,
      reader: () => (reader ??= keep(startReader())),
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

/** Counts of every run, times as their median. */
function textOf({ work, who, measurements, goal, note }: Line): string {
  const counts = (of: (each: Measurement) => number, digits = 0) => {
    const values = measurements.map(of)
    const [least, most] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)]
    return least === most ? least : `${least} to ${most}`
  }
  const time = (of: (each: Measurement) => number) => median(measurements.map(of)).toFixed(2)
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
