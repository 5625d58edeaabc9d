import type { OriginCounts } from './latency-origin.ts'
import type { Worker } from './processes.ts'
import { median } from './rounds.ts'

export interface ColdOpen {
  readonly source: string
  readonly requests: number
  readonly bytes: number
  /** Median time to the whole `zarr.json`, by the latency of the origin in milliseconds. */
  readonly milliseconds: Readonly<Record<number, number>>
}

const LATENCIES = [0, 50]

/** What a source that was never opened before costs: requests and bytes at the origin, and time at two latencies. */
export async function coldOpen(service: string, origin: Worker, path: string, repeats: number): Promise<ColdOpen> {
  const milliseconds: Record<number, number> = {}
  let counts: OriginCounts = { requests: 0, bytes: 0, rounds: 0 }
  for (const latency of LATENCIES) {
    const times: number[] = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      await origin.call({ latencyMilliseconds: latency })
      const source = `${origin.url}cold-${latency}-${repeat}/${path}`
      const start = performance.now()
      const response = await fetch(`${service}zarr/~${Buffer.from(source).toString('base64url')}/zarr.json`)
      const text = await response.text()
      times.push(performance.now() - start)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
      counts = await origin.call<OriginCounts>({ latencyMilliseconds: latency })
    }
    milliseconds[latency] = median(times)
  }
  return { source: path, ...counts, milliseconds }
}
