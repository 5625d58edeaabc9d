import { findChunk } from '../compose/find-chunk.ts'
import type { FoundChunk, StoredChunkRef } from '../compose/found-chunk.ts'
import { invalidRequest, VirtualZarrError } from '../errors.ts'
import { gridCoordinates } from '../model/chunk-index.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { turn } from '../turns.ts'
import type { ChunkSurvey } from './api-schemas.ts'
import type { ArrayNode } from './open-store.ts'
import type { StoreDescription } from './store-service.ts'

/** Chunks of which one answer tells. */
const MOST_CHUNKS = 4096

/** An index that lies in the source is read in a few round trips instead of one for each of its nodes. */
const LOOKED_UP_AT_ONCE = 256

/** How a chunk is stored, a letter each: a map of a grid has many. */
const LETTERS = {
  range: 's',
  ranges: 's',
  strided: 's',
  object: 'o',
  inline: 'i',
  missing: '-',
} as const satisfies Record<ChunkRef['kind'], string>
const OF_A_MEMBER = 'p'
const COMPOSED = 'a'

/** Where chunks from one position on are stored, as the source's own index tells; none of them is read. */
export async function surveyChunks(
  { store }: Pick<StoreDescription, 'store'>,
  path: string,
  first: number,
  signal: AbortSignal,
): Promise<ChunkSurvey> {
  const node = store.nodes.get(path)
  if (node?.kind !== 'array')
    throw new VirtualZarrError('source-not-found', `the store has no array ${JSON.stringify(path)}`)
  const total = node.grid.reduce((product, length) => product * length, 1)
  if (first > total) throw invalidRequest(`first is ${first}, expected at most ${total}: the array has so many chunks`)
  const count = Math.min(MOST_CHUNKS, total - first)
  return { array: path, grid: node.grid, first, total, ...(await chunksFrom(node, first, count, signal)) }
}

async function chunksFrom({ array, grid }: ArrayNode, first: number, count: number, signal: AbortSignal) {
  let kinds = ''
  const bytes: (number | null)[] = []
  const encodings: Record<string, number> = {}
  for (let start = first; start < first + count; start += LOOKED_UP_AT_ONCE) {
    const looked = Array.from({ length: Math.min(LOOKED_UP_AT_ONCE, first + count - start) }, async (_, index) =>
      findChunk(array, gridCoordinates(start + index, grid), signal),
    )
    for (const [index, found] of (await Promise.all(looked)).entries()) {
      const ref = found.kind === 'stored' && found.file === undefined ? found.ref : undefined
      kinds += letterOf(found)
      bytes.push(found.kind === 'missing' ? 0 : ref === undefined ? null : storedBytes(ref))
      if (ref !== undefined && ref.encoding !== 0) encodings[start + index] = ref.encoding
    }
    const wait = turn()
    if (wait !== undefined) await wait
    signal.throwIfAborted()
  }
  return { kinds, bytes, encodings }
}

function letterOf(found: FoundChunk): string {
  if (found.kind === 'missing') return LETTERS.missing
  if (found.kind === 'composed') return COMPOSED
  return found.file === undefined ? LETTERS[found.ref.kind] : OF_A_MEMBER
}

function storedBytes(ref: StoredChunkRef): number | null {
  switch (ref.kind) {
    case 'range':
      return ref.length
    case 'ranges':
      return ref.parts.reduce((sum, { length }) => sum + length, 0)
    case 'strided':
      return ref.length * ref.count
    case 'inline':
      return ref.bytes.length
    case 'object':
      return null
  }
}
