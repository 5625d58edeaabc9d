import { type ErrorContext, malformed, unsupported } from '../../../errors.ts'
import type { PlacedArray } from '../../../model/composed-array.ts'
import { runInSource } from '../../../model/plain-indexes.ts'
import { runChunkShape } from '../../../model/run-chunks.ts'
import type { ArraySpec, StoredArray } from '../../../model/virtual-store.ts'
import type { ExternalFiles } from '../messages/external-files.ts'
import type { OtherFiles } from './other-files.ts'

/** A contiguous array whose bytes are elsewhere, as far as it is known without them. */
export type ArrayFrame = Omit<ArraySpec, 'chunkShape'> & Pick<StoredArray, 'encodings' | 'edges'>

/** The pieces of an array that lie in other files, each as rows of it (section IV.A.2.h). */
export async function externalParts(
  frame: ArrayFrame,
  itemSize: number,
  pieces: ExternalFiles,
  others: OtherFiles,
  place: ErrorContext,
): Promise<readonly PlacedArray[]> {
  const { shape } = frame
  const rowBytes = shape.slice(1).reduce((product, length) => product * length, itemSize)
  const total = rowBytes * (shape[0] ?? 1)
  const parts: PlacedArray[] = []
  let begin = 0
  for (const piece of pieces) {
    const length = Math.min(piece.size ?? Number.POSITIVE_INFINITY, total - begin)
    if (length <= 0) break
    if (begin % rowBytes !== 0 || length % rowBytes !== 0) {
      throw unsupported('HDF5 external storage', 'external files that end within a row of the array')
    }
    const { source, reference } = await others.opened(piece.file)
    if (piece.offset + length > source.size) {
      throw malformed(`${length} bytes at ${piece.offset} of ${piece.file}, which has ${source.size}`, place)
    }
    parts.push(
      partOf(frame, itemSize, { reference, offset: piece.offset, first: begin / rowBytes, rows: length / rowBytes }),
    )
    begin += length
  }
  if (begin < total) throw malformed(`external files of ${begin} bytes for an array of ${total}`, place)
  return parts
}

interface Rows {
  readonly reference: number
  readonly offset: number
  readonly first: number
  readonly rows: number
}

function partOf(frame: ArrayFrame, itemSize: number, { reference, offset, first, rows }: Rows): PlacedArray {
  const shape = frame.shape.length === 0 ? [] : [rows, ...frame.shape.slice(1)]
  const chunkShape = runChunkShape(shape, itemSize) ?? shape
  const chunks = runInSource({ shape, chunkShape, itemSize, source: reference, offset })
  const array: StoredArray = { ...frame, shape, chunkShape, chunks }
  return { array, origin: shape.map((_, axis) => (axis === 0 ? first : 0)) }
}
