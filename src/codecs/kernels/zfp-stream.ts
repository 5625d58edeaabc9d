// zfp, "High-level C API", section "Header": what a stream says of itself, and the blocks behind it.
import { unsupported } from '../../errors.ts'
import { chunkMemory } from './chunk-memory.ts'
import {
  decodeZfpBlock,
  REVERSIBLE_EXPONENT,
  type ZfpBlock,
  type ZfpBudget,
  type ZfpShape,
  zfpDecoder,
} from './zfp-block.ts'

export interface ZfpHeader {
  readonly shape: ZfpShape
  readonly budget: ZfpBudget
  /** Values along x, y, z, w: x is the fastest. */
  readonly lengths: readonly number[]
  /** Bytes of all values. */
  readonly decodedLength: number
  /** Bits that the header takes: the blocks follow at once. */
  readonly bits: number
}

/** Bytes that hold every header. */
export const ZFP_HEADER_BYTES = 19

/** "zfp" and the version of the codec, which has been 5 since 2017. */
const MAGIC = 0x70667an
const CODEC = 5
const MOST_BITS = 16_658
const LEAST_EXPONENT = -1074

/** A full header, lowest bits first: magic (32 bits), type and lengths (52), mode (12, or 64). Undefined where there is none of version 5. */
export function parseZfpHeader(bits: bigint): ZfpHeader | undefined {
  let next = 0
  const take = (count: number) => {
    const value = Number(BigInt.asUintN(count, bits >> BigInt(next)))
    next += count
    return value
  }
  if (BigInt(take(24)) !== MAGIC) return undefined
  const codec = take(8)
  requireZfpCodec(codec)
  if (codec !== CODEC) return undefined
  const type = take(2)
  const dimensions = take(2) + 1
  const lengths = Array.from({ length: dimensions }, () => take(48 / dimensions) + 1)
  const shape: ZfpShape = { dimensions, width: type % 2 === 0 ? 32 : 64, isFloat: type >= 2 }
  next = 84
  const mode = take(12)
  const budget = mode < 0xfff ? shortMode(mode) : longMode(take)
  const decodedLength = lengths.reduce((product, size) => product * size, shape.width / 8)
  return { shape, lengths, budget, decodedLength, bits: next }
}

/** Streams of later versions of the codec are others. */
export function requireZfpCodec(codec: number): void {
  if (codec > CODEC)
    throw unsupported(`zfp codec ${codec}`, `a zfp stream is of codec version ${codec}, expected ${CODEC}`)
}

/** Rate, precision, reversible or accuracy, by ranges of one number (`zfp_stream_set_mode`). */
function shortMode(mode: number): ZfpBudget {
  const all = { leastBits: 1, mostBits: MOST_BITS, mostPlanes: 64, leastExponent: LEAST_EXPONENT }
  if (mode < 2048) return { ...all, leastBits: mode + 1, mostBits: mode + 1 }
  if (mode < 2176) return { ...all, mostPlanes: mode + 1 - 2048 }
  if (mode === 2176) return { ...all, leastExponent: REVERSIBLE_EXPONENT }
  return { ...all, leastExponent: mode - 2177 + LEAST_EXPONENT }
}

function longMode(take: (bits: number) => number): ZfpBudget {
  const leastBits = take(15) + 1
  const mostBits = take(15) + 1
  const mostPlanes = take(7) + 1
  return { leastBits, mostBits, mostPlanes, leastExponent: take(15) - 16_495 }
}

/** Decodes all blocks; `start` is the bit where the first one begins. */
export function decodeZfp(
  bytes: Uint8Array,
  { shape, budget, lengths, decodedLength }: ZfpHeader,
  start: number,
): Uint8Array {
  const decoder = zfpDecoder(bytes, budget, shape)
  decoder.bits.skip(start)
  const block = emptyBlock(shape)
  const size = shape.width / 8
  const content = new Uint8Array(block.buffer)
  const result = chunkMemory.zeros(decodedLength)
  const [nx = 1, ny = 1, nz = 1, nw = 1] = lengths
  for (let w = 0; w < nw; w += 4) {
    for (let z = 0; z < nz; z += 4) {
      for (let y = 0; y < ny; y += 4) {
        for (let x = 0; x < nx; x += 4) {
          decodeZfpBlock(decoder, block)
          place(content, result, { lengths: [nx, ny, nz, nw], at: [x, y, z, w], size })
        }
      }
    }
  }
  return result
}

function emptyBlock({ dimensions, width, isFloat }: ZfpShape): ZfpBlock {
  const count = 4 ** dimensions
  if (width === 32) return isFloat ? new Float32Array(count) : new Int32Array(count)
  return isFloat ? new Float64Array(count) : new BigInt64Array(count)
}

interface BlockPosition {
  readonly lengths: readonly [number, number, number, number]
  readonly at: readonly [number, number, number, number]
  readonly size: number
}

/** Copies the part of a block that lies inside the array. */
function place(block: Uint8Array, result: Uint8Array, { lengths, at, size }: BlockPosition): void {
  const [nx, ny, nz, nw] = lengths
  const [x, y, z, w] = at
  const run = Math.min(4, nx - x) * size
  for (let l = 0; l < Math.min(4, nw - w); l++) {
    for (let k = 0; k < Math.min(4, nz - z); k++) {
      for (let j = 0; j < Math.min(4, ny - y); j++) {
        const from = ((l * 4 + k) * 4 + j) * 4 * size
        const to = ((((w + l) * nz + z + k) * ny + y + j) * nx + x) * size
        for (let i = 0; i < run; i++) result[to + i] = block[from + i] ?? 0
      }
    }
  }
}
