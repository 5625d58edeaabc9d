import { unsupported } from '../../errors.ts'
import { gridCoordinates } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { itemSize } from '../../model/data-type.ts'
import { runRange } from '../../model/run-chunks.ts'
import { gridOfRuns, type RunPlace, Runs } from '../../model/runs.ts'
import { elementCount } from '../../model/shape.ts'
import type { StoredArray } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import type { StoredGrid } from './grid.ts'

/**
 * Values that lie in the file as they are, cut where the file cuts them: the server gathers records, and fills up what ends
 * within a chunk, which references can't. What is neither gathered nor cut off keeps its chunks.
 */
export async function withWholeRuns(stored: StoredGrid): Promise<StoredGrid> {
  const { array, codecs, ways } = stored
  const size = itemSize(array.dataType)
  const [way, ...others] = ways
  const isWhole = way?.kind === 'pass' && way.cut.leading + way.cut.trailing === 0 && others.length === 0
  const isPlain = codecs.length === 1 && codecs[0]?.name === 'bytes' && isWhole
  if (elementCount(array.shape) === 0) return { ...stored, array: { ...array, edges: 'padded' } }
  if (!isPlain || size === undefined || !areRuns(array) || !(await isCutOtherwise(array))) return stored
  const runs = new Runs()
  await addRuns(runs, array, size)
  const grid = gridOfRuns(runs, array.shape, size)
  if (grid === undefined) throw unsupported('scattered values', 'its values lie in pieces that no grid of chunks fits')
  return { ...stored, array: { ...array, ...grid, edges: 'padded' } }
}

/** Whether only leading axes are cut, and those before the one that is cut to length 1: chunks are then runs of values. */
function areRuns({ shape, chunkShape }: StoredArray): boolean {
  const isWhole = (axis: number) => (chunkShape[axis] ?? 1) >= (shape[axis] ?? 1)
  const cut = shape.findIndex((_, axis) => chunkShape[axis] !== 1)
  return cut === -1 || shape.every((_, axis) => axis <= cut || isWhole(axis))
}

/** Whether some chunk is more than one piece of the file, or less than a chunk. */
async function isCutOtherwise(array: StoredArray): Promise<boolean> {
  const { shape, chunkShape, chunks } = array
  if (array.edges === 'cropped' && shape.some((length, axis) => length % (chunkShape[axis] ?? 1) !== 0)) return true
  const count = elementCount(chunks.gridShape)
  for (let position = 0; position < count; position++) {
    await turn()
    const { kind } = await chunks.at(gridCoordinates(position, chunks.gridShape))
    if (kind !== 'missing') return kind === 'strided' || kind === 'ranges'
  }
  return false
}

/** Adds the values of an array whose chunks are runs of them. */
async function addRuns(runs: Runs, array: StoredArray, size: number): Promise<void> {
  const { shape, chunkShape, chunks } = array
  const count = elementCount(chunks.gridShape)
  for (let position = 0; position < count; position++) {
    await turn()
    const coords = gridCoordinates(position, chunks.gridShape)
    const before = runs.length
    const { length } = runRange(shape, chunkShape, size, coords)
    for (const [place, part] of piecesOf(await chunks.at(coords), length)) runs.add(place, part)
    if (runs.length - before !== length) {
      throw unsupported('chunks of other lengths', `a chunk is stored in ${runs.length - before} bytes, not ${length}`)
    }
  }
}

/** The pieces of the file that a chunk is made of. */
function* piecesOf(ref: ChunkRef, length: number): Generator<readonly [place: RunPlace, length: number]> {
  switch (ref.kind) {
    case 'missing':
      yield [ref, length]
      return
    case 'inline':
      yield [{ kind: 'inline', bytes: ref.bytes }, ref.bytes.length]
      return
    case 'range':
      yield [{ kind: 'range', source: ref.source, offset: ref.offset }, ref.length]
      return
    case 'ranges':
      for (const part of ref.parts) yield [{ kind: 'range', source: ref.source, offset: part.offset }, part.length]
      return
    case 'strided':
      for (let row = 0; row < ref.count; row++) {
        yield [{ kind: 'range', source: ref.source, offset: ref.offset + row * ref.stride }, ref.length]
      }
      return
    case 'object':
      throw unsupported('gathered chunks', 'its chunks are not pieces of a file')
  }
}
