import { joinBytes, unshuffle } from './shuffle'

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

/**
 * One byte of 128 items. Planes trade bits in pairs: four planes apart they trade fours, then twos, then single ones, until each holds
 * all bits of every eighth item.
 */
function transposeTile(planes: usize, stride: usize, to: usize): void {
  const a = v128.load(planes)
  const b = v128.load(planes + stride)
  const c = v128.load(planes + 2 * stride)
  const d = v128.load(planes + 3 * stride)
  const half = planes + 4 * stride
  const e = v128.load(half)
  const f = v128.load(half + stride)
  const g = v128.load(half + 2 * stride)
  const h = v128.load(half + 3 * stride)

  const a4 = lowBits(a, e, 4, 0x0f)
  const b4 = lowBits(b, f, 4, 0x0f)
  const c4 = lowBits(c, g, 4, 0x0f)
  const d4 = lowBits(d, h, 4, 0x0f)
  const e4 = highBits(a, e, 4, 0x0f)
  const f4 = highBits(b, f, 4, 0x0f)
  const g4 = highBits(c, g, 4, 0x0f)
  const h4 = highBits(d, h, 4, 0x0f)

  const a2 = lowBits(a4, c4, 2, 0x33)
  const b2 = lowBits(b4, d4, 2, 0x33)
  const c2 = highBits(a4, c4, 2, 0x33)
  const d2 = highBits(b4, d4, 2, 0x33)
  const e2 = lowBits(e4, g4, 2, 0x33)
  const f2 = lowBits(f4, h4, 2, 0x33)
  const g2 = highBits(e4, g4, 2, 0x33)
  const h2 = highBits(f4, h4, 2, 0x33)

  const ab = lowBits(a2, b2, 1, 0x55)
  const ba = highBits(a2, b2, 1, 0x55)
  const cd = lowBits(c2, d2, 1, 0x55)
  const dc = highBits(c2, d2, 1, 0x55)
  const ef = lowBits(e2, f2, 1, 0x55)
  const fe = highBits(e2, f2, 1, 0x55)
  const gh = lowBits(g2, h2, 1, 0x55)
  const hg = highBits(g2, h2, 1, 0x55)
  joinBytes(ab, ba, cd, dc, ef, fe, gh, hg, to)
}

/** The low bits of both, those of `b` above those of `a`. */
function lowBits(a: v128, b: v128, distance: i32, mask: i8): v128 {
  return v128.xor(a, v128.shl<u64>(unequal(a, b, distance, mask), distance))
}

/** The high bits of both, those of `b` above those of `a`. */
function highBits(a: v128, b: v128, distance: i32, mask: i8): v128 {
  return v128.xor(b, unequal(a, b, distance, mask))
}

/** Where the high bits of `a` are others than the low bits of `b`. */
function unequal(a: v128, b: v128, distance: i32, mask: i8): v128 {
  return v128.and(v128.xor(v128.shr<u64>(a, distance), b), i8x16.splat(mask))
}

/** One byte of eight items. */
function transposeGroup(planes: usize, stride: usize, to: usize, step: usize): void {
  let matrix: u64 = 0
  for (let bit: usize = 0; bit < 8; bit++) matrix |= (load<u8>(planes + bit * stride) as u64) << (8 * bit)
  matrix = transposed(matrix)
  for (let item: usize = 0; item < 8; item++) store<u8>(to + item * step, (matrix >> (8 * item)) as u8)
}

/** A matrix of 8 x 8 bits (Hacker's Delight, 7-3). */
function transposed(matrix: u64): u64 {
  let bits = (matrix ^ (matrix >> 7)) & 0x00aa00aa00aa00aa
  let result = matrix ^ bits ^ (bits << 7)
  bits = (result ^ (result >> 14)) & 0x0000cccc0000cccc
  result ^= bits ^ (bits << 14)
  bits = (result ^ (result >> 28)) & 0x00000000f0f0f0f0
  return result ^ bits ^ (bits << 28)
}
