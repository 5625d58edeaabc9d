import { busyness } from '../helpers/busyness.ts'
import { MOST_BLOCKED_MILLISECONDS } from './at-once.ts'
import type { Cost } from './lab.ts'

/** GUARD-6. Of processor time: the machine that tests has others to serve. */
const MOST_MILLISECONDS = 2000
const MOST_BYTES = 256 * 2 ** 20

/** Why an answer is none that a hostile source may get; undefined for a good one. */
export function tooMuch(cost: Cost): string | undefined {
  if (cost.status >= 500 && ![501, 502].includes(cost.status)) return `status ${cost.status}: ${cost.text}`
  if (cost.status >= 400 && cost.status !== 404 && !cost.type.startsWith('application/problem+json')) {
    return `status ${cost.status} as ${cost.type}`
  }
  // Processor time itself doubles and more on shared cores.
  const busy = busyness()
  if (cost.cpuMilliseconds > MOST_MILLISECONDS * busy) return `${cost.cpuMilliseconds} ms of processor time`
  if (cost.grownBytes > MOST_BYTES) return `${cost.grownBytes} bytes of memory`
  const blocked = cost.blockedMilliseconds
  return blocked > MOST_BLOCKED_MILLISECONDS * busy ? `${blocked} ms in which nobody else was answered` : undefined
}
