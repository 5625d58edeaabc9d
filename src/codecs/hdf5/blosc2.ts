import { malformed } from '../../errors.ts'
import { gridCoordinates } from '../../model/chunk-index.ts'
import { elementCount } from '../../model/shape.ts'
import { copyBox } from '../elements.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { decodeBlosc2Chunk, specialContent } from '../kernels/blosc2-chunk.ts'
import { type Blosc2Frame, parseBlosc2Frame } from '../kernels/blosc2-frame.ts'

/** HDF5's filter 32026: a contiguous Blosc2 frame, of one dimension or more. */
export const blosc2 = internalBytes<NoParameters>({
  name: 'vz.blosc2',
  prepare: () => ({ decode: (bytes, context) => decodeBlosc2(bytes, context.limit) }),
})

/** The content of a Blosc2 frame, at most `limit` bytes. */
function decodeBlosc2(bytes: Uint8Array, limit: number): Uint8Array {
  const frame = parseBlosc2Frame(bytes)
  if (frame.decodedLength > 4 * limit + 2 ** 20) {
    throw malformed(`a Blosc2 frame says ${frame.decodedLength} bytes, at most ${limit} are expected`)
  }
  return frame.grid === undefined ? flatContent(frame, limit) : gridContent(frame, frame.grid, limit)
}

/** Offsets of chunks with this bit stand for chunks of one value that aren't stored. */
const SPECIAL_OFFSET = 1n << 63n

function chunkOffsets({ chunks, indexAt, count }: Blosc2Frame): bigint[] {
  const index = decodeBlosc2Chunk(chunks.subarray(indexAt), 8 * count)
  if (index.length !== 8 * count) throw malformed(`a Blosc2 frame lists ${index.length / 8} chunks, expected ${count}`)
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  return Array.from({ length: count }, (_, i) => view.getBigUint64(8 * i, true))
}

function chunkContent(frame: Blosc2Frame, offset: bigint, length: number): Uint8Array {
  if ((offset & SPECIAL_OFFSET) !== 0n) {
    return specialContent(Number(offset >> 56n) & 7, length, frame.itemSize, new Uint8Array(0))
  }
  if (offset >= BigInt(frame.indexAt)) throw malformed(`a Blosc2 frame says that a chunk lies at ${offset}`)
  const content = decodeBlosc2Chunk(frame.chunks.subarray(Number(offset)), length)
  if (content.length !== length) throw malformed(`a Blosc2 chunk holds ${content.length} bytes, expected ${length}`)
  return content
}

function flatContent(frame: Blosc2Frame, limit: number): Uint8Array {
  const { decodedLength, chunkLength } = frame
  if (decodedLength > limit) {
    throw malformed(`a Blosc2 frame says ${decodedLength} bytes, at most ${limit} are expected`)
  }
  const offsets = chunkOffsets(frame)
  if (offsets.length === 1 && offsets[0] !== undefined) return chunkContent(frame, offsets[0], decodedLength)
  const result = new Uint8Array(decodedLength)
  offsets.forEach((offset, i) => {
    const at = i * chunkLength
    result.set(chunkContent(frame, offset, Math.min(chunkLength, decodedLength - at)), at)
  })
  return result
}

/** Chunks of the grid hold blocks one after the other, each whole, beyond the chunk's edge if need be. */
function gridContent(frame: Blosc2Frame, grid: NonNullable<Blosc2Frame['grid']>, limit: number): Uint8Array {
  const { shape, chunkShape, blockShape } = grid
  const { itemSize } = frame
  const length = elementCount(shape) * itemSize
  if (length > limit) throw malformed(`a Blosc2 array of ${length} bytes, at most ${limit} are expected`)
  const result = new Uint8Array(length)
  const target = { kind: 'fixed', bytes: result } as const
  const blocks = chunkShape.map((size, axis) => Math.ceil(size / (blockShape[axis] ?? 1)))
  const blockLength = elementCount(blockShape) * itemSize
  const chunkGrid = shape.map((size, axis) => Math.ceil(size / (chunkShape[axis] ?? 1)))
  chunkOffsets(frame).forEach((offset, i) => {
    const content = chunkContent(frame, offset, elementCount(blocks) * blockLength)
    const origin = gridCoordinates(i, chunkGrid).map((at, axis) => at * (chunkShape[axis] ?? 1))
    for (let block = 0; block < elementCount(blocks); block++) {
      const inside = gridCoordinates(block, blocks).map((at, axis) => at * (blockShape[axis] ?? 1))
      const to = origin.map((at, axis) => at + (inside[axis] ?? 0))
      const extent = to.map((at, axis) => {
        const end = Math.min((origin[axis] ?? 0) + (chunkShape[axis] ?? 0), shape[axis] ?? 0)
        return Math.min(blockShape[axis] ?? 0, end - at)
      })
      const bytes = content.subarray(block * blockLength, (block + 1) * blockLength)
      const from = shape.map(() => 0)
      copyBox({ kind: 'fixed', bytes }, blockShape, target, shape, { from, to, extent }, itemSize)
    }
  })
  return result
}
