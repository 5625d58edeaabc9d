import { unsupported } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { type ChunkIndex, gridCoordinates, gridPosition, gridShapeOf } from '../../model/chunk-index.ts'
import { MISSING } from '../../model/chunk-ref.ts'
import { type PlacedArray, placedArrays, storedArray } from '../../model/composed-array.ts'
import { missingIndex } from '../../model/plain-indexes.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import { elementCount } from '../../model/shape.ts'
import type { ComposedArray, StoredArray, VirtualArray } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import { checkChunkCount } from './plan.ts'

/** So many take less than a millisecond. */
const CHUNKS_A_TURN = 4096

/** An array that is composed of others, as one: where all have the same chunks, and lie in one grid of them. */
export async function withAlignedParts(array: ComposedArray): Promise<StoredArray> {
  const placed = placedArrays(array.operation)
  if (placed === undefined) throw unsupported('composed chunks', 'its chunks are composed by the server')
  const parts = placed.map(({ array: part, origin }) => ({ array: storedPart(part), origin }))
  const [first] = parts
  if (first === undefined) {
    const { shape, chunkShape } = array
    return storedArray(array, { encodings: [], edges: 'padded', chunks: missingIndex(shape, chunkShape) })
  }
  const { chunkShape, encodings, edges } = first.array
  const isOne = parts.every((part) => isAligned(part, array, first.array))
  if (!isOne) throw unsupported('assembled chunks', 'its chunks are assembled from several')
  const gridShape = gridShapeOf(array.shape, chunkShape)
  checkChunkCount(gridShape)
  // The only one that is as large: it is aligned, so it is the whole.
  const isWhole = parts.length === 1 && first.array.shape.join() === array.shape.join()
  const chunks = isWhole ? first.array.chunks : await partsIndex(parts, chunkShape, gridShape)
  return storedArray({ ...array, chunkShape }, { encodings, edges, chunks })
}

interface Part extends PlacedArray {
  readonly array: StoredArray
}

function storedPart(array: VirtualArray): StoredArray {
  if (array.operation === undefined) return array
  throw unsupported('assembled chunks', 'its chunks are assembled from several')
}

function isAligned({ array: part, origin }: Part, whole: VirtualArray, first: StoredArray): boolean {
  const { chunkShape, shape } = part
  const isSame =
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

function asJson({ encodings }: StoredArray) {
  return encodings.map((encoding) => encoding.map(({ name, configuration }) => [name, configuration]))
}

/** The chunks of all parts; what no part covers was never written. */
async function partsIndex(
  parts: readonly Part[],
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
