import { unsupported } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { type ChunkIndex, gridCoordinates, gridPosition, gridShapeOf } from '../../model/chunk-index.ts'
import { MISSING } from '../../model/chunk-ref.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import { elementCount } from '../../model/shape.ts'
import type { StoredPart, VirtualArray } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import { checkChunkCount } from './plan.ts'

/** So many take less than a millisecond. */
const CHUNKS_A_TURN = 4096

/** An array that is put together from others, as one: where all have the same chunks, and lie in one grid of them. */
export async function withAlignedParts(array: VirtualArray): Promise<VirtualArray> {
  const parts = array.stored ?? []
  const [first] = parts
  if (first === undefined) return { ...array, stored: undefined }
  const { chunkShape, encodings, edges } = first.array
  const isOne = parts.every((part) => isAligned(part, array, first.array))
  if (!isOne) throw unsupported('assembled chunks', 'its chunks are assembled from several')
  const gridShape = gridShapeOf(array.shape, chunkShape)
  checkChunkCount(gridShape)
  // The only one that is as large: it is aligned, so it is the whole.
  const isWhole = parts.length === 1 && first.array.shape.join() === array.shape.join()
  const chunks = isWhole ? first.array.chunks : await partsIndex(parts, chunkShape, gridShape)
  return { ...array, chunkShape, encodings, edges, stored: undefined, chunks }
}

function isAligned({ array: part, origin }: StoredPart, whole: VirtualArray, first: VirtualArray): boolean {
  const { chunkShape, shape } = part
  const isSame =
    (part.stored ?? part.masked ?? part.reduced) === undefined &&
    part.edges === first.edges &&
    chunkShape.join() === first.chunkShape.join() &&
    writeJson(asJson(part)) === writeJson(asJson(first)) &&
    Buffer.compare(scalarToBytes(part.fillValue, part.dataType), scalarToBytes(whole.fillValue, whole.dataType)) === 0
  if (!isSame) return false
  return origin.every((start, axis) => {
    const chunk = chunkShape[axis] ?? 1
    const length = shape[axis] ?? 0
    const isWhole = length % chunk === 0 || start + length === whole.shape[axis]
    return start >= 0 && start % chunk === 0 && isWhole && start + length <= (whole.shape[axis] ?? 0)
  })
}

function asJson({ encodings }: VirtualArray) {
  return encodings.map((encoding) => encoding.map(({ name, configuration }) => [name, configuration]))
}

/** The chunks of all parts; what no part covers was never written. */
async function partsIndex(
  parts: readonly StoredPart[],
  chunkShape: readonly number[],
  gridShape: readonly number[],
): Promise<ChunkIndex> {
  const placed = parts.map(({ array, origin }) => ({
    chunks: array.chunks,
    first: origin.map((start, axis) => start / (chunkShape[axis] ?? 1)),
  }))
  // By grid position: one more than the number of the part that has it.
  const owners = new Uint32Array(elementCount(gridShape))
  for (const [number, { chunks, first }] of placed.entries()) {
    const count = elementCount(chunks.gridShape)
    for (let position = 0; position < count; position++) {
      if (position % CHUNKS_A_TURN === 0) await turn()
      const coords = gridCoordinates(position, chunks.gridShape).map((at, axis) => at + (first[axis] ?? 0))
      const owner = gridPosition(coords, gridShape)
      if (owners[owner] !== 0) throw unsupported('overlapping parts', 'its parts lie over each other')
      owners[owner] = number + 1
    }
  }
  return {
    gridShape,
    at: (coords, signal) => {
      const part = placed[(owners[gridPosition(coords, gridShape)] ?? 0) - 1]
      if (part === undefined) return MISSING
      return part.chunks.at(
        coords.map((at, axis) => at - (part.first[axis] ?? 0)),
        signal,
      )
    },
    weight: () => 0,
  }
}
