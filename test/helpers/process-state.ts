import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from './process.ts'

// What Linux and the server itself tell of a server process.

/** Bytes of resident memory: now, or at most since the peak was reset. */
export function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text) ?? []
  return Number(kilobytes) * 1024
}

/** Open files and sockets. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** What the server tells Prometheus. */
export async function metricsOf(server: Server): Promise<string> {
  return await (await fetch(`${server.url}/metrics`, { signal: AbortSignal.timeout(60_000) })).text()
}

export function metricOf(text: string, name: string): number {
  const [, value] = new RegExp(`^${name} ([\\d.e+-]+)$`, 'm').exec(text) ?? []
  assert.ok(value !== undefined, `the server tells no ${name}`)
  return Number(value)
}
