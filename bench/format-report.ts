import { availableParallelism, loadavg } from 'node:os'
import { type FormatCase, type Goal, REFERENCE_BYTES } from './format-cases.ts'
import type { StepRow } from './format-steps.ts'
import { keepResults } from './report.ts'

/** Prints the table of one file, and what misses its goal. */
export function printCase({ title, file }: FormatCase, rows: readonly StepRow[]): readonly StepRow[] {
  printRows(`${title} (${file})`, rows)
  return rows
}

/** Prints what the steps of one file took, and what misses its goal. */
export function printRows(title: string, rows: readonly StepRow[]): void {
  console.log(`\n${title}, 50 ms latency, load ${(loadavg()[0] ?? 0).toFixed(0)}`)
  console.table(rows.map(tableRow))
  for (const miss of rows.flatMap(missesOf)) console.log(`missed: ${miss}`)
}

/** Keeps all of it as JSON in a file of this day. */
export function keepFormats(rows: readonly StepRow[]): void {
  const machine = { node: process.version, cores: availableParallelism(), latency: '50 ms' }
  keepResults('formats-', { machine, rows })
}

function tableRow(row: StepRow): Record<string, string | number> {
  if (row.error !== undefined) return { step: row.step, who: row.who, failed: row.error.slice(0, 60) }
  return {
    step: row.step,
    who: row.who,
    requests: row.requests,
    rounds: row.rounds,
    MB: Number(row.megabytes.toFixed(2)),
    ms: Math.round(row.milliseconds),
    runs: row.runs,
    ...(row.bytesPerReference === undefined ? {} : { 'bytes/chunk': Number(row.bytesPerReference.toFixed(1)) }),
    ...(row.goal === undefined ? {} : { goal: goalText(row.goal) }),
  }
}

function goalText({ requests, rounds, megabytes }: Goal): string {
  const parts = [
    requests === undefined ? '' : `${requests} requests`,
    rounds === undefined ? '' : `${rounds} rounds`,
    megabytes === undefined ? '' : `${megabytes} MB`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function missesOf(row: StepRow): string[] {
  const { goal = {}, file, step } = row
  const figures = [
    ['requests', row.requests, goal.requests],
    ['rounds', row.rounds, goal.rounds],
    ['megabytes', row.megabytes, goal.megabytes],
    // The tree itself is not spread over few references.
    ['bytes a reference', isMillion(file) ? row.bytesPerReference : undefined, REFERENCE_BYTES],
  ] as const
  return figures.flatMap(([name, value, most]) =>
    value === undefined || most === undefined || value <= most
      ? []
      : [`${file}, ${step}: ${value} ${name}, goal ${most}`],
  )
}

function isMillion(file: string): boolean {
  return file.includes('_1m')
}
