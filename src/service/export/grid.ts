import type { Way } from '../../delivery/delivery.ts'
import { planDelivery } from '../../delivery/plan.ts'
import { unsupported } from '../../errors.ts'
import { gridShapeOf } from '../../model/chunk-index.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import type { StoredArray } from '../../model/virtual-store.ts'
import type { ArrayNode } from '../open-store.ts'
import { withAlignedParts } from './parts.ts'
import { checkChunkCount } from './plan.ts'
import type { ExportTarget } from './references.ts'
import { withWholeRuns } from './runs.ts'

/** An array as its source stores it: chunks of the source's own grid, and the codecs that its clients decode them with. */
export interface StoredGrid {
  readonly array: StoredArray
  readonly codecs: readonly StoredCodec[]
  /** By index into the encodings of the array. */
  readonly ways: readonly Way[]
}

/**
 * The array of a store in the grid in which it is stored: the server puts chunks together, fills up what is cut off, and turns
 * axes, none of which references can do. Throws `unsupported-feature` where what is stored is in no grid of whole chunks.
 */
export async function storedArray(
  { array, plan }: Pick<ArrayNode, 'array' | 'plan'>,
  target: ExportTarget,
): Promise<StoredGrid> {
  checkChunkCount(gridShapeOf(array.shape, array.chunkShape))
  const { operation } = array
  if (operation?.kind === 'mask') throw unsupported('applied masks', 'its mask is applied by the server')
  if (operation?.kind === 'coarsen') throw unsupported('overviews', 'its values are computed by the server')
  const parts = array.operation === undefined ? { array, ...plan } : planned(await withAlignedParts(array))
  const stored = await withWholeRuns(target === 'kerchunk' ? withStoredAxes(parts) : parts)
  if (stored.array.encodings.length > 0 && stored.ways.every((way) => way.kind !== 'pass')) {
    throw unsupported('recoding', 'its chunks are recoded by the server')
  }
  const { shape, chunkShape, edges } = stored.array
  if (edges === 'cropped' && shape.some((length, axis) => length % (chunkShape[axis] ?? 1) !== 0)) {
    throw unsupported('cut chunks', 'its last chunks are shorter than the others')
  }
  return stored
}

function planned(array: StoredArray): StoredGrid {
  const { codecs, ways } = planDelivery(array, 'native')
  return { array, codecs, ways }
}

/** Without the change of axes that Zarr v2 has no word for: dimensions have names, so that their order is the source's to choose. */
function withStoredAxes(stored: StoredGrid): StoredGrid {
  const [first, ...codecs] = stored.codecs
  const order = first?.name === 'transpose' ? first.configuration['order'] : undefined
  const rank = stored.array.shape.length
  if (!Array.isArray(order) || order.every((axis, place) => axis === rank - 1 - place)) return stored
  const axes = order.map(Number)
  const turned = <T>(values: readonly T[]) => axes.flatMap((axis) => values.slice(axis, axis + 1))
  const { array } = stored
  const back = axes.map((_, axis) => axes.indexOf(axis))
  return {
    ...stored,
    codecs,
    array: {
      ...array,
      shape: turned(array.shape),
      chunkShape: turned(array.chunkShape),
      dimensionNames: array.dimensionNames === undefined ? undefined : turned(array.dimensionNames),
      chunks: {
        ...array.chunks,
        gridShape: turned(array.chunks.gridShape),
        at: (coords, signal) =>
          array.chunks.at(
            back.map((axis) => coords[axis] ?? 0),
            signal,
          ),
        weight: () => 0,
      },
    },
  }
}
