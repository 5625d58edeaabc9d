import { inParallel } from '../../in-parallel.ts'
import { elementCount } from '../../model/shape.ts'
import { turn } from '../../turns.ts'
import type { OpenStore } from '../open-store.ts'

const MAX_INDEXES_AT_ONCE = 1024

/**
 * Looks up the first chunk of every array, all at the same time. Exports write one array after the other: without this, each index that
 * has to be read from the file costs a round trip of its own. A file of a thousand small datasets has them all in a few requests.
 */
export async function loadIndexes({ nodes }: OpenStore): Promise<void> {
  const arrays = [...nodes.values()].flatMap((node) =>
    // Arrays that are composed of others, or of other sources, have no index in the file.
    node.kind === 'array' && node.array.operation === undefined && elementCount(node.array.chunks.gridShape) > 0
      ? [node.array]
      : [],
  )
  if (arrays.length < 2) return
  await inParallel(arrays, MAX_INDEXES_AT_ONCE, async ({ chunks }) => {
    const wait = turn()
    if (wait !== undefined) await wait
    try {
      await chunks.at(chunks.gridShape.map(() => 0))
    } catch {
      // The export of this array fails in the same way, and says so for this array alone.
    }
  })
}
