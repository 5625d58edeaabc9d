import type { Running, Worker } from './processes.ts'
import { type Comparison, compare, type RoundSettings } from './rounds.ts'

/** Goal: at least 0.9 of a bare fastify route that sends a buffer of the same size. */
export const METADATA_GOAL = 0.9

/** Warm `zarr.json`, identity-coded, against the peer's buffer route. */
export async function warmMetadata(
  service: Running,
  store: string,
  peer: Worker,
  load: Worker,
  settings: RoundSettings,
): Promise<Comparison> {
  const url = new URL(`${store}zarr.json`)
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
  const length = (await answer.arrayBuffer()).byteLength
  const headers = {}
  return compare(
    `zarr.json, ${length} bytes`,
    load,
    {
      ours: { pid: service.pid, origin: url.origin, requests: [{ path: url.pathname, headers }], bodyLength: length },
      'bare fastify': {
        pid: peer.pid,
        origin: peer.url,
        requests: [{ path: `/buffer/${length}`, headers }],
        bodyLength: length,
      },
    },
    settings,
  )
}
