// HDF5 File Format Specification, section VII "Appendix C: Types of Indexes for Dataset Chunks": the elements of all newer indexes.
import { uintAt } from '../../../bytes/integers.ts'
import { malformed } from '../../../errors.ts'
import type { Hdf5File } from '../structures/hdf5-file.ts'
import type { LinearOrder } from './linear.ts'
import { ABSENT, type ChunkGrid, type Emit, type Step, type StoredChunk } from './locator.ts'

/** Reads the elements of an index: an address, and for filtered chunks the stored size and the filter mask. */
export interface ElementReader {
  readonly size: number
  /** Undefined for a chunk that was never written. */
  chunkAt(bytes: Uint8Array, at: number): StoredChunk | undefined
}

/** The width of the stored size is what an element has left: it depends on the version of the layout. */
export function elementReader(file: Hdf5File, grid: ChunkGrid, size: number, isFiltered: boolean): ElementReader {
  const { offsetSize } = file
  const sizeBytes = isFiltered ? size - offsetSize - 4 : 0
  if (isFiltered ? sizeBytes < 1 || sizeBytes > 8 : size !== offsetSize) {
    throw malformed(`index elements of ${size} bytes for ${isFiltered ? '' : 'un'}filtered chunks`)
  }
  // An index without sizes below a pipeline: every chunk is stored as it is.
  const rawMask = grid.isFiltered ? 0xffff_ffff : 0
  return {
    size,
    chunkAt(bytes, at) {
      const address = addressAt(bytes, at, offsetSize)
      if (address === undefined) return undefined
      if (!isFiltered) return { address, size: grid.chunkBytes, mask: rawMask }
      const mask = uintAt(bytes, at + size - 4, 4, 'little')
      return { address, size: uintAt(bytes, at + offsetSize, sizeBytes, 'little'), mask }
    },
  }
}

/** The end of a walk: the chunk of the element there, or none. */
export function stepAt(elements: ElementReader, bytes: Uint8Array, at: number): Step {
  const chunk = elements.chunkAt(bytes, at)
  return chunk === undefined ? ABSENT : { kind: 'found', chunk }
}

/** A row of elements, of which the first has the number `first`. */
export interface ElementRow {
  readonly bytes: Uint8Array
  readonly first: number
  readonly count: number
}

/** Hands over the chunks of a row, but for those that the array does not reach. */
export function emitRow(
  elements: ElementReader,
  { bytes, first, count }: ElementRow,
  order: LinearOrder,
  emit: Emit,
): void {
  for (let i = 0; i < count; i++) {
    const chunk = elements.chunkAt(bytes, i * elements.size)
    const position = chunk === undefined ? undefined : order.positionOf(first + i)
    if (chunk !== undefined && position !== undefined) emit(position, chunk.address, chunk.size, chunk.mask)
  }
}

/** Undefined where all bits are set. */
function addressAt(bytes: Uint8Array, at: number, width: number): number | undefined {
  for (let i = 0; i < width; i++) {
    if (bytes[at + i] !== 0xff) return uintAt(bytes, at, width, 'little')
  }
  return undefined
}
