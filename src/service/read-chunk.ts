import { deliver } from '../delivery/deliver.ts'
import type { Delivered, DeliveryWorld } from '../delivery/delivery.ts'
import { readsSource } from '../delivery/way.ts'
import { digest } from './document.ts'
import { type ArrayNode, isInGrid } from './open-store.ts'
import type { Answer, StoreRequest } from './store-service.ts'

export interface ChunkReading {
  readonly world: DeliveryWorld
  /** Throws `source-changed` when the origin has another version; asks it only when the last answer is old. */
  assertFresh(): Promise<void>
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
  const delivered = await deliver(
    {
      array,
      plan,
      coords,
      part: request.part,
      headOnly: request.headOnly,
      signal: request.signal,
      cacheKey: `${tag}-${place}`,
    },
    world,
  )
  return answerOf(delivered, etag, request)
}

function answerOf(delivered: Delivered, etag: string, request: StoreRequest): Answer {
  switch (delivered.kind) {
    case 'missing':
      return { kind: 'absent' }
    case 'unsatisfiable':
      return delivered
    case 'chunk': {
      // Only the host of a whole object knows its version, which therefore is part of the ETag.
      const own = delivered.version === undefined ? etag : `${etag.slice(0, -1)}-${digest(delivered.version)}"`
      if (holds(request, own)) {
        if (delivered.body !== undefined && 'destroy' in delivered.body) delivered.body.destroy()
        return { kind: 'not-modified', etag: own, vary: false }
      }
      const { total, offset, length, body } = delivered
      return { kind: 'chunk', etag: own, total, offset, length, body }
    }
  }
}

/** Whether the client already holds what has this ETag. */
export function holds({ ifNoneMatch }: StoreRequest, etag: string): boolean {
  return ifNoneMatch?.some((candidate) => candidate === '*' || candidate === etag) ?? false
}
