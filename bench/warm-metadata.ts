import { request } from 'undici'
import type { Running, Worker } from './processes.ts'
import type { Match } from './rounds.ts'

/** Of a bare fastify route that sends a buffer of the same size. */
const GOAL = { requestsPerSecond: 0.95 }

/** Warm `zarr.json`, as it is and compressed, against the peer's buffer route. */
export async function warmMetadata(service: Running, store: string, peer: Worker, coding: string): Promise<Match> {
  const url = new URL(`${store}zarr.json`)
  const headers = { 'accept-encoding': coding }
  const { statusCode, body } = await request(url, { headers })
  const length = (await body.arrayBuffer()).byteLength
  if (statusCode !== 200) throw new Error(`${url} answers ${statusCode}`)
  const contenders = {
    ours: { pid: service.pid, origin: url.origin, requests: [{ path: url.pathname, headers }], bodyLength: length },
    'bare fastify': {
      pid: peer.pid,
      origin: peer.url,
      requests: [{ path: `/buffer/${length}`, headers }],
      bodyLength: length,
    },
  }
  return {
    name: `zarr.json, ${coding}, ${length} bytes`,
    kind: 'document',
    contenders,
    goals: { 'bare fastify': GOAL },
  }
}
