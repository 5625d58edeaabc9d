import { deliver } from '../delivery/deliver.ts'
import type { Delivered, DeliveryWorld } from '../delivery/delivery.ts'
import { readsSource } from '../delivery/way.ts'
import { digest } from './document.ts'
import { type ArrayNode, isInGrid } from './open-store.ts'
import type { Answer, StoreRequest } from './store-service.ts'

export interface ChunkReading {
  readonly world: DeliveryWorld
  /** Throws `source-changed` when the origin has another version; asks it only when the last answer is old, or not quite new. */
  assertFresh(soon?: 'soon'): Promise<void>
}

/** Answers a chunk key: one look-up, one upstream range. */
export async function readChunk(
  node: ArrayNode,
  coords: readonly number[],
  request: StoreRequest,
  { world, assertFresh }: ChunkReading,
): Promise<Answer> {
  const { array, plan, tag } = node
  if (!isInGrid(array, coords)) return { kind: 'absent' }
  const ref = await array.chunks.at(coords, request.signal)
  const place = coords.join('.')
  const etag = `"${tag}-${place}"`
  const held = holds(request, etag)
  if (held || request.headOnly === true || !readsSource(array, plan, coords, ref)) await assertFresh()
  if (ref.kind === 'missing') return { kind: 'absent' }
  if (held && ref.kind !== 'object') return { kind: 'not-modified', etag, vary: false }
  const { part, ifRange, headOnly, signal } = request
  const wanted = { array, plan, coords, ref, headOnly, signal, cacheKey: `${tag}-${place}` }
  const isPart = part !== undefined && (ifRange === undefined || ifRange === etag || ref.kind === 'object')
  const delivered = await deliver({ ...wanted, part: isPart ? part : undefined }, world)
  if (delivered.kind === 'missing') await assertFresh('soon')
  const answer = answerOf(delivered, etag, request, isPart)
  if (!isPart || ifRange === undefined || answer.kind === 'not-modified' || answer.kind === 'absent') return answer
  if (answer.kind === 'chunk' && answer.etag === ifRange) return answer
  discard(delivered)
  return answerOf(await deliver({ ...wanted, part: undefined }, world), etag, request, false)
}

function answerOf(delivered: Delivered, etag: string, request: StoreRequest, isPart: boolean): Answer {
  switch (delivered.kind) {
    case 'missing':
      return { kind: 'absent' }
    case 'unsatisfiable':
      return delivered
    case 'chunk': {
      // Only the host of a whole object knows its version, which therefore is part of the ETag.
      const own = delivered.version === undefined ? etag : `${etag.slice(0, -1)}-${digest(delivered.version)}"`
      if (holds(request, own)) {
        discard(delivered)
        return { kind: 'not-modified', etag: own, vary: false }
      }
      const { total, offset, length, body } = delivered
      return { kind: 'chunk', etag: own, total, offset, length, isPart, body }
    }
  }
}

function discard(delivered: Delivered): void {
  if (delivered.kind !== 'chunk' || delivered.body === undefined || delivered.body instanceof Uint8Array) return
  delivered.body.stop()
}

/** Whether the client already holds what has this ETag. */
export function holds({ ifNoneMatch }: StoreRequest, etag: string): boolean {
  return ifNoneMatch?.some((candidate) => candidate === '*' || candidate === etag) ?? false
}
