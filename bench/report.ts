import { mkdirSync, writeFileSync } from 'node:fs'
import type { Comparison, Figure } from './rounds.ts'

/** As JSON in a file of this second. */
export function keepResults(kind: string, report: object): void {
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const name = `${kind}${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.json`
  writeFileSync(new URL(name, folder), `${JSON.stringify(report, undefined, 2)}\n`)
  console.log(`written to bench/results/${name}`)
}

export function printComparisonsHead(): void {
  console.log(
    '| measured | connections | peer | requests/s, ours, peer | ratio (rounds) | goal | µs of CPU, ours, peer | ratio (rounds) | goal |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
}

/** As soon as it is measured: the whole takes minutes. */
export function printComparison({ name, connections, requestsPerSecond, cpuMicroseconds, goals }: Comparison): void {
  for (const peer of Object.keys(requestsPerSecond.ratios)) {
    const rates = [...told(requestsPerSecond, peer), goals[peer]?.requestsPerSecond ?? '']
    const cpu = [...told(cpuMicroseconds, peer), goals[peer]?.cpu ?? '']
    console.log(`| ${[name, connections, peer, ...rates, ...cpu].join(' | ')} |`)
  }
}

/** Ours and a peer's, and the ratio with that of each round. */
function told({ medians, ratios, spread }: Figure, peer: string): [string, string] {
  const [low, high] = spread[peer] ?? [0, 0]
  const values = [medians['ours'], medians[peer]].map((value) => Math.round(value ?? 0))
  return [values.join(', '), `${ratios[peer]?.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`]
}
