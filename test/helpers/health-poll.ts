import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { HealthAnswer, PollSettings } from './health-watch.ts'

// Asks a server for its health again and again, and at the same moments one that has nothing to do.

const { url, peerUrl, pid, everyMs } = workerData as PollSettings

async function milliseconds(address: string): Promise<number> {
  const start = performance.now()
  const response = await fetch(address, { signal: AbortSignal.timeout(60_000) })
  await response.arrayBuffer()
  return response.ok ? performance.now() - start : Number.POSITIVE_INFINITY
}

/** Milliseconds for which the server's main thread ran, and was ready to run without a processor (Linux, sched-stats). */
function scheduled(): readonly [ran: number, waited: number] {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return [Number(ran) / 1e6, Number(waited) / 1e6]
  } catch {
    return [Number.NaN, Number.NaN]
  }
}

const lost = () => Number.POSITIVE_INFINITY

// The first request of a thread loads what asks it: that is nobody's lateness.
await milliseconds(peerUrl)

for (;;) {
  const [ranBefore, waitedBefore] = scheduled()
  const [health, peer] = await Promise.all([milliseconds(`${url}/health/live`).catch(lost), milliseconds(peerUrl)])
  const [ran, waited] = scheduled()
  const answer: HealthAnswer = { health, peer, ran: ran - ranBefore, waited: waited - waitedBefore }
  parentPort?.postMessage(answer)
  await setTimeout(everyMs)
}
