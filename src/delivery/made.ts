import { packedLength } from '../codecs/elements.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import type { ChunkRequest, Delivered } from './delivery.ts'
import { HELD_FOR_DECODED } from './limits.ts'
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

/** What making a chunk holds in memory, about: of text, as much as of numbers; of a mask, the larger chunks that it may have. */
export function heldBytes({ array }: Pick<ChunkRequest, 'array'>): number {
  const { masked } = array
  return HELD_FOR_DECODED * (decodedBytes(array) + (masked === undefined ? 0 : decodedBytes(masked.mask)))
}

function decodedBytes({ chunkShape, dataType }: VirtualArray): number {
  const usual = chunkShape.reduce((product, length) => product * length, TEXT_BYTES)
  return packedLength({ shape: chunkShape, dataType }) ?? usual
}

const TEXT_BYTES = 8

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
