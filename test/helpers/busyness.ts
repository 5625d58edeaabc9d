import { loadavg } from 'node:os'

/**
 * How much longer things take than where nothing else runs: bounds in time are multiplied by it. At most four times: what
 * is slow for another reason shall still be found.
 *
 * @param cores how many threads can run before they wait for each other
 */
export function busyness(cores = 1): number {
  return Math.min(4, Math.max(1, (loadavg()[0] ?? 1) / cores))
}
