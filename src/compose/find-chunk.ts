import type { ChunkRef } from '../model/chunk-ref.ts'
import type { StoredArray, VirtualArray } from '../model/virtual-store.ts'
import { COMPOSED, type FoundChunk, MISSING } from './found-chunk.ts'
import { rulesOf } from './operations.ts'

/** Finds a chunk by indexes alone; no promise once the part of the index that it needs is loaded. */
export function findChunk(
  array: VirtualArray,
  coords: readonly number[],
  signal: AbortSignal | undefined,
): FoundChunk | Promise<FoundChunk> {
  if (array.operation !== undefined) return rulesOf(array).find?.(array, coords, findChunk, signal) ?? COMPOSED
  const ref = array.chunks.at(coords, signal)
  return ref instanceof Promise ? ref.then((at) => foundAt(at, array, coords)) : foundAt(ref, array, coords)
}

function foundAt(ref: ChunkRef, array: StoredArray, coords: readonly number[]): FoundChunk {
  return ref.kind === 'missing' ? MISSING : { kind: 'stored', array, coords, ref, file: undefined }
}
