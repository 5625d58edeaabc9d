import { join8, unshuffle } from './shuffle'

/** Items whose bits are transposed at once: 16 groups of eight. */
const TILE: usize = 128

/**
 * Puts items together of planes of bits: for each byte of an item, for each bit of it, that bit of all items. `count` is a
 * multiple of 8. `scratch` has room for 128 items, or for all if they are fewer.
 */
export function bitUnshuffle(planes: usize, count: usize, size: usize, scratch: usize, target: usize): void {
  const groups = count >> 3
  let group: usize = 0
  for (; group + 16 <= groups; group += 16) {
    const to = target + 8 * group * size
    const bytes = size === 1 ? to : scratch
    for (let byte: usize = 0; byte < size; byte++) {
      transposeTile(planes + 8 * byte * groups + group, groups, bytes + TILE * byte)
    }
    if (size > 1) unshuffle(scratch, TILE, TILE, size, to)
  }
  for (; group < groups; group++) {
    const to = target + 8 * group * size
    for (let byte: usize = 0; byte < size; byte++) {
      transposeGroup(planes + 8 * byte * groups + group, groups, to + byte, size)
    }
  }
}

/** One byte of 128 items. */
function transposeTile(planes: usize, stride: usize, to: usize): void {
  join8(planes, stride, to)
  for (let at = to; at < to + TILE; at += 16) v128.store(at, transposed(v128.load(at)))
}

/** Each half is a matrix of 8 x 8 bits (Hacker's Delight, 7-3). */
function transposed(matrices: v128): v128 {
  let bits = v128.and(v128.xor(matrices, v128.shr<u64>(matrices, 7)), i16x8.splat(0x00aa))
  let result = v128.xor(matrices, v128.xor(bits, v128.shl<u64>(bits, 7)))
  bits = v128.and(v128.xor(result, v128.shr<u64>(result, 14)), i32x4.splat(0xcccc))
  result = v128.xor(result, v128.xor(bits, v128.shl<u64>(bits, 14)))
  bits = v128.and(v128.xor(result, v128.shr<u64>(result, 28)), i64x2.splat(0xf0f0f0f0))
  return v128.xor(result, v128.xor(bits, v128.shl<u64>(bits, 28)))
}

/** One byte of eight items. */
function transposeGroup(planes: usize, stride: usize, to: usize, step: usize): void {
  let matrix: u64 = 0
  for (let bit: usize = 0; bit < 8; bit++) matrix |= (load<u8>(planes + bit * stride) as u64) << (8 * bit)
  matrix = i64x2.extract_lane(transposed(i64x2.splat(matrix)), 0)
  for (let item: usize = 0; item < 8; item++) store<u8>(to + item * step, (matrix >> (8 * item)) as u8)
}
