import { after } from '../model/recent-parts.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { COMPOSED, type FoundChunk, MISSING } from './found-chunk.ts'
import { rulesOf } from './operations.ts'

/** Finds a chunk by indexes alone; no promise once the part of the index that it needs is loaded. */
export function findChunk(
  array: VirtualArray,
  coords: readonly number[],
  signal: AbortSignal | undefined,
): FoundChunk | Promise<FoundChunk> {
  if (array.operation !== undefined) return rulesOf(array).find?.(array, coords, findChunk, signal) ?? COMPOSED
  return after(array.chunks.at(coords, signal), (ref) =>
    ref.kind === 'missing' ? MISSING : { kind: 'stored', array, coords, ref, file: undefined },
  )
}
