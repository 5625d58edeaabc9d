import type { ByteRange } from '../bytes/byte-range.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { checkInside } from '../source/source.ts'
import type { DeliveryWorld } from './delivery.ts'
import type { OpenedObject } from './stored.ts'

/**
 * For an answer without bytes (`HEAD`): throws what reading them would throw, where that is known without asking their origin,
 * which is a reference that the guard refuses, or one to bytes that the file does not have.
 */
export async function foresee(
  ref: ChunkRef | OpenedObject,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<void> {
  const range = furthest(ref)
  if (range === undefined || !('source' in ref) || ref.source === undefined) return
  const source = await world.source(ref.source, signal, ref.kind === 'range' ? ref.key : undefined)
  if (source.foresee === undefined) checkInside(range, source)
  else await source.foresee(range)
}

/** The range of a chunk that ends last. */
function furthest(ref: ChunkRef | OpenedObject): ByteRange | undefined {
  switch (ref.kind) {
    case 'range':
      return { offset: ref.offset, length: ref.length }
    case 'strided':
      return { offset: ref.offset + ref.stride * Math.max(ref.count - 1, 0), length: ref.length }
    case 'ranges':
      return ref.parts.reduce<ByteRange | undefined>((last, part) => {
        return last !== undefined && last.offset + last.length > part.offset + part.length ? last : part
      }, undefined)
    case 'opened':
    case 'object':
    case 'inline':
    case 'missing':
      return undefined
  }
}
