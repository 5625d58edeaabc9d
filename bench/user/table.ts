import { readFileSync, writeFileSync } from 'node:fs'
import { median } from '../rounds.ts'
import type { Goal, Line } from './rows.ts'
import type { Measurement } from './tools.ts'

const PAGE = new URL('../../docs/performance.md', import.meta.url)
/** What follows it in the page is the table. */
const MARKER = '<!-- Written by `BENCH_PUBLISH=1 npm run bench`. -->\n'
const COLUMNS = ['work', 'who', 'requests', 'rounds', 'MB', 's', 'processor s']

export function headOf(more: readonly string[] = []): string {
  const columns = [...COLUMNS, ...more]
  return `| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`
}

export function rowWithGoal(line: Line): string {
  return `| ${[...cellsOf(line), line.goal === undefined ? '' : goalText(line.goal)].join(' | ')} |`
}

/** Puts the table into docs/performance.md, without the goals. */
export function publish(lines: readonly Line[]): void {
  const page = readFileSync(PAGE, 'utf8')
  const end = page.indexOf(MARKER)
  if (end === -1) throw new Error(`docs/performance.md has no line ${MARKER}`)
  const day = new Date().toISOString().slice(0, 10)
  const table = [headOf(), ...lines.map((line) => `| ${cellsOf(line).join(' | ')} |`)].join('\n')
  writeFileSync(PAGE, `${page.slice(0, end)}${MARKER}\n${day}, Node ${process.versions.node}.\n\n${table}\n`)
}

/** Of runs that repeat each other the range of their counts and the median of their times; of steps each. */
function cellsOf({ work, who, measurements, areSteps = false, note }: Line): string[] {
  const counts = (of: (each: Measurement) => number, digits = 0) => {
    const values = measurements.map(of)
    if (areSteps) return values.map((value) => value.toFixed(digits)).join('; ')
    const [least, most] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)]
    return least === most ? least : `${least} to ${most}`
  }
  const time = (of: (each: Measurement) => number) =>
    areSteps ? counts(of, 2) : median(measurements.map(of)).toFixed(2)
  return [
    work,
    note === undefined ? who : `${who} (${note})`,
    counts(({ requests }) => requests),
    counts(({ rounds }) => rounds),
    counts(({ bytes }) => bytes / 1e6, 1),
    time(({ seconds }) => seconds),
    time(({ cpuSeconds }) => cpuSeconds),
  ]
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
