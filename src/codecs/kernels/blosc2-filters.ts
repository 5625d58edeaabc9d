import { malformed, unsupported } from '../../errors.ts'
import { bitUnshuffle, unshuffle } from './shuffle.ts'

const NOTHING = 0
const SHUFFLE = 1
const BIT_SHUFFLE = 2
const DELTA = 3
/** Lossy when written, nothing when read. */
const TRUNCATE = 4
const BYTE_DELTA = 35

interface FilterPlace {
  readonly itemSize: number
  readonly meta: number
  /** The chunk's first block, decoded; undefined while it is being decoded. */
  readonly first: Uint8Array | undefined
}

/** Undoes one step of a Blosc2 pipeline on one block. */
export function undoFilter(code: number, block: Uint8Array, { itemSize, meta, first }: FilterPlace): Uint8Array {
  switch (code) {
    case NOTHING:
    case TRUNCATE:
      return block
    case SHUFFLE:
      return unshuffle(block, meta === 0 ? itemSize : meta)
    case BIT_SHUFFLE:
      return bitUnshuffled(block, itemSize)
    case DELTA:
      return undoDelta(block, itemSize, first)
    case BYTE_DELTA:
      return undoByteDelta(block, meta === 0 ? itemSize : meta)
  }
  throw unsupported(`Blosc2 filter ${code}`, `a Blosc2 chunk is filtered by number ${code}, which is not decoded`)
}

/** Items after the last multiple of 8 stay where they are. */
function bitUnshuffled(block: Uint8Array, itemSize: number): Uint8Array {
  const items = Math.floor(block.length / itemSize)
  const whole = items - (items % 8)
  const result = new Uint8Array(block.length)
  result.set(bitUnshuffle(block.subarray(0, whole * itemSize), itemSize))
  result.set(block.subarray(whole * itemSize), whole * itemSize)
  return result
}

/** Exclusive or with the item before, in other blocks than the first with the item of the first block. */
function undoDelta(block: Uint8Array, itemSize: number, first: Uint8Array | undefined): Uint8Array {
  const size = itemSize === 2 || itemSize === 4 ? itemSize : itemSize % 8 === 0 ? 8 : 1
  const end = block.length - (block.length % size)
  const result = new Uint8Array(block)
  if (first !== undefined) {
    if (first.length < end) throw malformed('a Blosc2 chunk has a first block that is shorter than another')
    for (let i = 0; i < end; i++) result[i] = (result[i] ?? 0) ^ (first[i] ?? 0)
  } else for (let i = size; i < end; i++) result[i] = (result[i] ?? 0) ^ (result[i - size] ?? 0)
  return result
}

/** Differences within each of the streams that a byte shuffle makes. */
function undoByteDelta(block: Uint8Array, streams: number): Uint8Array {
  const length = Math.floor(block.length / streams)
  const result = new Uint8Array(block)
  for (let start = 0; start < length * streams; start += length) {
    for (let i = start + 1; i < start + length; i++) result[i] = ((result[i] ?? 0) + (result[i - 1] ?? 0)) & 255
  }
  return result
}
