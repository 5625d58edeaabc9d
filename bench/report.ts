import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { ColdOpen } from './cold-open.ts'
import type { Comparison } from './rounds.ts'

export interface BenchReport {
  readonly machine: { readonly node: string; readonly cores: number; readonly origin: string }
  readonly comparisons: readonly Comparison[]
  readonly goals: Readonly<Record<string, number>>
  readonly coldOpens: readonly ColdOpen[]
  readonly bytesPerReference: number | undefined
  readonly recode: readonly { readonly name: string; readonly megabytesPerSecond: number }[]
  readonly notes: readonly string[]
}

export function machineOf(origin: string): BenchReport['machine'] {
  return { node: process.version, cores: availableParallelism(), origin }
}

/** Prints the report as tables, and keeps it as JSON in a file of this day. */
export function publish(report: BenchReport): void {
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const name = `${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.json`
  writeFileSync(new URL(name, folder), `${JSON.stringify(report, undefined, 2)}\n`)
  console.log(`\nnode ${report.machine.node}, ${report.machine.cores} cores, origin: ${report.machine.origin}`)
  console.table(report.comparisons.flatMap(comparisonRows))
  console.table(report.coldOpens.map(coldOpenRow))
  if (report.bytesPerReference !== undefined) {
    console.log(`heap and buffers per chunk reference: ${report.bytesPerReference.toFixed(1)} bytes (goal: at most 20)`)
  }
  console.table(report.recode.map((row) => ({ recode: row.name, 'MB/s decoded': Math.round(row.megabytesPerSecond) })))
  for (const note of report.notes) console.log(note)
  console.log(`written to bench/results/${name}`)
}

function comparisonRows(comparison: Comparison): Record<string, string | number>[] {
  return Object.entries(comparison.ratios).map(([peer, ratio]) => {
    const [low, high] = comparison.spread[peer] ?? [0, 0]
    return {
      measured: comparison.name,
      'ours, requests/s': Math.round(comparison.requestsPerSecond['ours'] ?? 0),
      peer,
      'peer, requests/s': Math.round(comparison.requestsPerSecond[peer] ?? 0),
      'CPU, ours': `${Math.round(comparison.cpuMicroseconds['ours'] ?? 0)} µs`,
      'CPU, peer': `${Math.round(comparison.cpuMicroseconds[peer] ?? 0)} µs`,
      'ours / peer': ratio.toFixed(2),
      rounds: `${low.toFixed(2)} to ${high.toFixed(2)}`,
    }
  })
}

function coldOpenRow(open: ColdOpen): Record<string, string | number> {
  const times = Object.entries(open.milliseconds).map(([latency, time]) => [
    `ms at ${latency} ms latency`,
    Math.round(time),
  ])
  return { 'cold open': open.source, requests: open.requests, bytes: open.bytes, ...Object.fromEntries(times) }
}
