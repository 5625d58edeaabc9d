// The transform of eight (transform.ts) for blocks whose values fit 16 bits all the way, as those of pictures do: one
// instruction adds up products of pairs.

const VALUES: usize = memory.data(128, 16)
const COLUMNS: usize = memory.data(128, 16)

/** What is behind the 64 factors of a quantization table: the same in 16 bits, and the most that a coefficient may be. */
const NARROW: usize = 256
const MOST: usize = 384

/** Turns a block into samples of 8 bits; false where it must be done in 32 bits. */
export function narrowTransform(block: usize, quantization: usize, to: usize, stride: usize): bool {
  const most = i16x8.splat(load<i16>(quantization, MOST))
  let largest = i16x8.splat(0)
  for (let at: usize = 0; at < 128; at += 16) {
    const values = v128.load(block + at)
    largest = i16x8.max_u(largest, i16x8.abs(values))
    v128.store(VALUES + at, i16x8.mul(values, v128.load(quantization + at, NARROW)))
  }
  if (v128.any_true(i16x8.gt_u(largest, most))) return false
  const left = columns<i16>(VALUES, COLUMNS, 16)
  const right = columns<i16>(VALUES + 8, COLUMNS + 64, 16)
  if (i16x8.bitmask(v128.or(left, right)) !== 0) return false
  columns<u8>(COLUMNS, to, stride)
  columns<u8>(COLUMNS + 8, to + 4 * stride, stride)
  return true
}

/**
 * Transforms four columns of eight values each, and writes them as rows. Those of 16 bits are transformed once more: the signs of
 * what is returned tell whether any of them leaves the range in which sums of two fit 16 bits. Bytes are samples.
 */
function columns<T>(from: usize, to: usize, stride: usize): v128 {
  const isLast = sizeof<T>() === 1
  const shift = isLast ? 18 : 11
  // The last time with the middle of the range of samples.
  const rounding = i32x4.splat((1 << (shift - 1)) + (isLast ? 128 << 18 : 0))
  const in0 = v128.load64_zero(from)
  const in1 = v128.load64_zero(from, 16)
  const in3 = v128.load64_zero(from, 48)
  const in4 = v128.load64_zero(from, 64)
  const in5 = v128.load64_zero(from, 80)
  const in7 = v128.load64_zero(from, 112)
  const pairs26 = pairs(v128.load64_zero(from, 32), v128.load64_zero(from, 96))
  const pairs71 = pairs(in7, in1)
  const pairs53 = pairs(in5, in3)
  const sums = pairs(i16x8.add(in7, in3), i16x8.add(in5, in1))
  const even0 = sum(i32x4.shl(i32x4.extend_low_i16x8_s(i16x8.add(in0, in4)), 13), rounding)
  const even1 = sum(i32x4.shl(i32x4.extend_low_i16x8_s(i16x8.sub(in0, in4)), 13), rounding)
  const even2 = dot(pairs26, 4433, -10704)
  const even3 = dot(pairs26, 10703, 4433)
  const z3 = dot(sums, -6436, 9633)
  const z4 = dot(sums, 9633, 6437)
  const b0 = sum(dot(pairs71, -4927, -7373), z3)
  const b1 = sum(dot(pairs53, -4176, -20995), z4)
  const b2 = sum(dot(pairs53, -20995, 4177), z3)
  const b3 = sum(dot(pairs71, -7373, 4926), z4)
  const a0 = sum(even0, even3)
  const a1 = sum(even1, even2)
  const a2 = difference(even1, even2)
  const a3 = difference(even0, even3)
  return turned<T>(
    to,
    stride,
    narrowed(sum(a0, b3), sum(a1, b2), shift),
    narrowed(sum(a2, b1), sum(a3, b0), shift),
    narrowed(difference(a3, b0), difference(a2, b1), shift),
    narrowed(difference(a1, b2), difference(a0, b3), shift),
  )
}

/** Turns pairs of rows by a quarter: pairs become fours, and these the eight values of a column. */
function turned<T>(to: usize, stride: usize, rows01: v128, rows23: v128, rows45: v128, rows67: v128): v128 {
  const left0123 = i32x4.shuffle(rows01, rows23, 0, 4, 1, 5)
  const right0123 = i32x4.shuffle(rows01, rows23, 2, 6, 3, 7)
  const left4567 = i32x4.shuffle(rows45, rows67, 0, 4, 1, 5)
  const right4567 = i32x4.shuffle(rows45, rows67, 2, 6, 3, 7)
  const column0 = i64x2.shuffle(left0123, left4567, 0, 2)
  const column1 = i64x2.shuffle(left0123, left4567, 1, 3)
  const column2 = i64x2.shuffle(right0123, right4567, 0, 2)
  const column3 = i64x2.shuffle(right0123, right4567, 1, 3)
  if (sizeof<T>() === 1) {
    const upper = i8x16.narrow_i16x8_u(column0, column1)
    const lower = i8x16.narrow_i16x8_u(column2, column3)
    v128.store64_lane(to, upper, 0)
    v128.store64_lane(to + stride, upper, 1)
    v128.store64_lane(to + 2 * stride, lower, 0)
    v128.store64_lane(to + 3 * stride, lower, 1)
    return upper
  }
  v128.store(to, column0)
  v128.store(to + stride, column1)
  v128.store(to + 2 * stride, column2)
  v128.store(to + 3 * stride, column3)
  return v128.or(v128.or(beyond(column0), beyond(column1)), v128.or(beyond(column2), beyond(column3)))
}

function sum(a: v128, b: v128): v128 {
  return i32x4.add(a, b)
}

function difference(a: v128, b: v128): v128 {
  return i32x4.sub(a, b)
}

/** The four of each, in turns. */
function pairs(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
}

/** Products of what stands in turns, two of them added up. */
function dot(values: v128, a: i16, b: i16): v128 {
  return i32x4.dot_i16x8_s(values, i32x4.splat((i32(b) << 16) | (i32(a) & 0xffff)))
}

/** Two rows of four in 16 bits, in turns. */
function narrowed(a: v128, b: v128, shift: i32): v128 {
  const both = i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift))
  return i16x8.shuffle(both, both, 0, 4, 1, 5, 2, 6, 3, 7)
}

/** Negative where a value is not from -16384 to 16383. */
function beyond(values: v128): v128 {
  return i16x8.add(values, i16x8.splat(0x4000))
}
