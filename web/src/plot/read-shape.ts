import type { ArrayInfo } from '../service/types.ts'

/** The shape of what zarrita reads at once: of a shard, the chunks in it. */
export function readShape({
  chunk_shape: chunkShape,
  codecs,
}: Pick<ArrayInfo, 'chunk_shape' | 'codecs'>): readonly number[] {
  const shards = codecs.find(({ name }) => name === 'sharding_indexed')?.configuration
  const inner =
    typeof shards === 'object' && shards !== null && 'chunk_shape' in shards ? shards['chunk_shape'] : undefined
  return Array.isArray(inner) ? (inner as readonly number[]) : chunkShape
}
