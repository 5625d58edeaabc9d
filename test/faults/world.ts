import { startService } from '../corpus/service.ts'
import { startOrigin } from '../helpers/origin.ts'
import type { World } from './matrix.ts'

/** Short enough that what lasts is told soon; `npm run faults -- --real` has those of production. */
export const QUICK = {
  connectMs: 500,
  headersMs: 1000,
  slowHeadersMs: 1500,
  bodyWindowMs: 800,
  minBytesPerSecond: 1024,
  stalledMs: 2200,
  totalMs: 8000,
}

/** An origin and the whole service before it, in this process. */
export async function startWorld(isReal = false): Promise<World & { close(): Promise<void> }> {
  const origin = await startOrigin()
  const allowSources = [origin.base]
  const service = await startService(isReal ? { allowSources } : { allowSources, deadlines: QUICK })
  return {
    origin,
    service,
    deadlineMs: isReal ? 20_000 : 10_000,
    async close() {
      await service.close()
      await origin.close()
    },
  }
}
