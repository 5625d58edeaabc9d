import { malformed } from '../../errors.ts'
import { gridCoordinates } from '../../model/chunk-index.ts'
import { elementCount } from '../../model/shape.ts'
import { copyBox } from '../elements.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { readBlosc2Blocks } from '../kernels/blosc2-blocks.ts'
import {
  type Blosc2Chunk,
  blosc2Content,
  decodeBlosc2Chunk,
  parseBlosc2Chunk,
  specialContent,
} from '../kernels/blosc2-chunk.ts'
import { type Blosc2Frame, parseBlosc2Frame } from '../kernels/blosc2-frame.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'

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

/** A chunk of the frame, which holds `length` bytes. */
function chunkAt(frame: Blosc2Frame, offset: bigint, length: number): Blosc2Chunk {
  if ((offset & SPECIAL_OFFSET) !== 0n) {
    const content = specialContent(Number(offset >> 56n) & 7, length, frame.itemSize, new Uint8Array(0))
    return { kind: 'content', content }
  }
  if (offset >= BigInt(frame.indexAt)) throw malformed(`a Blosc2 frame says that a chunk lies at ${offset}`)
  const chunk = parseBlosc2Chunk(frame.chunks.subarray(Number(offset)), length)
  const decodedLength = chunk.kind === 'blocks' ? chunk.blocks.decodedLength : chunk.content.length
  if (decodedLength !== length) throw malformed(`a Blosc2 chunk holds ${decodedLength} bytes, expected ${length}`)
  return chunk
}

function flatContent(frame: Blosc2Frame, limit: number): Uint8Array {
  const { decodedLength, chunkLength } = frame
  if (decodedLength > limit) {
    throw malformed(`a Blosc2 frame says ${decodedLength} bytes, at most ${limit} are expected`)
  }
  const offsets = chunkOffsets(frame)
  if (offsets.length === 1 && offsets[0] !== undefined) {
    return blosc2Content(chunkAt(frame, offsets[0], decodedLength))
  }
  const result = chunkMemory.zeros(decodedLength)
  offsets.forEach((offset, i) => {
    const at = i * chunkLength
    result.set(blosc2Content(chunkAt(frame, offset, Math.min(chunkLength, decodedLength - at))), at)
  })
  return result
}

/** Chunks of the grid hold blocks one after the other, each whole, beyond the chunk's edge if need be. */
function gridContent(frame: Blosc2Frame, grid: NonNullable<Blosc2Frame['grid']>, limit: number): Uint8Array {
  const { shape, chunkShape, blockShape } = grid
  const { itemSize } = frame
  const length = elementCount(shape) * itemSize
  if (length > limit) throw malformed(`a Blosc2 array of ${length} bytes, at most ${limit} are expected`)
  // A frame may name fewer chunks than its grid has.
  const result = chunkMemory.zeros(length)
  const target = { kind: 'fixed', bytes: result } as const
  const blocks = chunkShape.map((size, axis) => Math.ceil(size / (blockShape[axis] ?? 1)))
  const blockLength = elementCount(blockShape) * itemSize
  const chunkGrid = shape.map((size, axis) => Math.ceil(size / (chunkShape[axis] ?? 1)))
  const from = shape.map(() => 0)
  chunkOffsets(frame).forEach((offset, i) => {
    const chunk = chunkAt(frame, offset, elementCount(blocks) * blockLength)
    const origin = gridCoordinates(i, chunkGrid).map((at, axis) => at * (chunkShape[axis] ?? 1))
    eachBlock(chunk, blockLength, (bytes, block) => {
      const inside = gridCoordinates(block, blocks).map((at, axis) => at * (blockShape[axis] ?? 1))
      const to = origin.map((at, axis) => at + (inside[axis] ?? 0))
      const extent = to.map((at, axis) => {
        const end = Math.min((origin[axis] ?? 0) + (chunkShape[axis] ?? 0), shape[axis] ?? 0)
        return Math.min(blockShape[axis] ?? 0, end - at)
      })
      copyBox({ kind: 'fixed', bytes }, blockShape, target, shape, { from, to, extent }, itemSize)
    })
  })
  return result
}

type TakeBlock = (block: Uint8Array, number: number) => void

/** Blocks of the grid are those that a chunk is compressed in, which saves a copy, as far as its writer keeps to that. */
function eachBlock(chunk: Blosc2Chunk, blockLength: number, take: TakeBlock): void {
  if (chunk.kind === 'blocks' && chunk.blocks.blockLength === blockLength) {
    readBlosc2Blocks(chunk.blocks, take)
    return
  }
  const content = blosc2Content(chunk)
  for (let number = 0; number * blockLength < content.length; number++) {
    take(content.subarray(number * blockLength, (number + 1) * blockLength), number)
  }
}
