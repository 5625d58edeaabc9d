import { partRange } from '../source/source.ts'
import type { Codings } from './coding.ts'
import type { ChunkRequest, Delivered } from './delivery.ts'
import { HELD_FOR_DECODED } from './limits.ts'

/** Answers with bytes that are made on demand; a `HEAD` doesn't make them when their length is known anyway. */
export async function made(
  { part, headOnly }: ChunkRequest,
  wireLength: number | undefined,
  make: () => Promise<Uint8Array>,
  version?: string | undefined,
): Promise<Delivered> {
  if (headOnly === true && wireLength !== undefined) return answer(wireLength, undefined, part, version)
  const bytes = await make()
  return answer(bytes.length, headOnly === true ? undefined : bytes, part, version)
}

/** What making a chunk holds in memory, about: of a mask, the larger chunks that it may have. */
export function heldBytes({ array, plan }: Pick<ChunkRequest, 'array' | 'plan'>, codings: Codings): number {
  const own = codings.target(array, plan).decodedBytes
  const mask = array.masked === undefined ? 0 : codings.stored(array.masked.mask, 0).decodedBytes
  return HELD_FOR_DECODED * (own + mask)
}

function answer(
  total: number,
  bytes: Uint8Array | undefined,
  part: ChunkRequest['part'],
  version: string | undefined,
): Delivered {
  const range = partRange(part, total)
  if (range === undefined) return { kind: 'unsatisfiable', total }
  const body = bytes?.subarray(range.offset, range.offset + range.length)
  return { kind: 'chunk', total, ...range, version, body }
}
