import type { ChunkRequest, Delivered } from './delivery.ts'
import { partRange } from './part.ts'

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
