import { malformed, unsupported } from '../../errors.ts'
import type { BlockWorld } from './blosc-streams.ts'
import { bitUnshuffleWithin, unshuffleWithin } from './shuffle.ts'

const NOTHING = 0
const SHUFFLE = 1
const BIT_SHUFFLE = 2
/** Needs the chunk's first block. */
export const DELTA = 3
/** Lossy when written, nothing when read. */
const TRUNCATE = 4
const BYTE_DELTA = 35

interface FilteredBlock {
  /** Where it is in the memory of the kernels. */
  readonly planes: number
  /** Room for what it becomes. */
  readonly items: number
  readonly length: number
  readonly itemSize: number
  readonly meta: number
  /** The chunk's first block, decoded; undefined while it is being decoded. */
  readonly first: Uint8Array | undefined
}

/** Undoes one step of a Blosc2 pipeline on one block: there (true), or where the block is. */
export function undoFilter(code: number, { kernels, memory, scratch }: BlockWorld, filtered: FilteredBlock): boolean {
  const { planes, items, length, itemSize, meta, first } = filtered
  const size = meta === 0 ? itemSize : meta
  switch (code) {
    case NOTHING:
    case TRUNCATE:
      return false
    case SHUFFLE:
      if (size > 1) unshuffleWithin(kernels, memory, { planes, items, length, size })
      return size > 1
    case BIT_SHUFFLE:
      // Items after the last multiple of 8 stay where they are.
      bitUnshuffleWithin(kernels, memory, { planes, scratch, items, length, size: itemSize })
      return true
    case DELTA:
      undoDelta(memory.subarray(planes, planes + length), itemSize, first)
      return false
    case BYTE_DELTA: {
      // Differences within each of the streams that a byte shuffle makes.
      const stream = Math.floor(length / size)
      kernels.sumRows(planes, planes + stream * size, stream, 1, 1)
      return false
    }
  }
  throw unsupported(`Blosc2 filter ${code}`, `a Blosc2 chunk is filtered by number ${code}, which is not decoded`)
}

/** Exclusive or with the item before, in other blocks than the first with the item of the first block. */
function undoDelta(block: Uint8Array, itemSize: number, first: Uint8Array | undefined): void {
  const size = itemSize === 2 || itemSize === 4 ? itemSize : itemSize % 8 === 0 ? 8 : 1
  const end = block.length - (block.length % size)
  if (first !== undefined) {
    if (first.length < end) throw malformed('a Blosc2 chunk has a first block that is shorter than another')
    for (let i = 0; i < end; i++) block[i] = (block[i] ?? 0) ^ (first[i] ?? 0)
  } else for (let i = size; i < end; i++) block[i] = (block[i] ?? 0) ^ (block[i - size] ?? 0)
}
