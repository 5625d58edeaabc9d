// Inverse cosine transforms in integers, with the constants and the rounding of libjpeg's accurate method: the samples are
// those that libtiff and GDAL read.
import { Part, picture } from './part'

const CONSTANT_BITS: i32 = 13

/** Blocks of 32-bit words. */
const VALUES: usize = memory.data(256, 16)
const COLUMNS: usize = memory.data(256, 16)
const ROWS: usize = memory.data(256, 16)

/** Turns the block of coefficients, of which the first `count` of the zigzag may be other than zero, into samples. */
export function transform(part: Part, block: usize, row: i32, column: i32, count: i32): void {
  const deep = picture.deep
  const to = part.samples + ((usize(row * 8) * usize(part.stride) + usize(column * 8)) << deep)
  if (count === 1) {
    flat(part, block, to)
    return
  }
  dequantize(block, part.quantization)
  // One bit less is kept between the passes for 12 bits, which leaves room in 32.
  const kept = deep ? 1 : 2
  for (let group = 0; group < 2; group++) {
    eight(VALUES + (group << 4), COLUMNS + (group << 7), CONSTANT_BITS - kept)
  }
  for (let group = 0; group < 2; group++) {
    eight(COLUMNS + (group << 4), ROWS + (group << 7), CONSTANT_BITS + kept + 3)
  }
  storeRows(part, to)
}

/** A block that has nothing but its mean. */
function flat(part: Part, block: usize, to: usize): void {
  const deep = picture.deep
  const kept = deep ? 1 : 2
  const mean = i32(load<i16>(block)) * load<i32>(part.quantization)
  const between = scaled(mean, CONSTANT_BITS - kept)
  const value = scaled(between, CONSTANT_BITS + kept + 3) + (deep ? 2048 : 128)
  const samples = deep ? i16x8.splat(i16(max(0, min(value, 4095)))) : i8x16.splat(i8(max(0, min(value, 255))))
  const stride = usize(part.stride) << deep
  for (let line = 0; line < 8; line++, to += stride) {
    if (deep) v128.store(to, samples)
    else v128.store64_lane(to, samples, 0)
  }
}

function scaled(value: i32, shift: i32): i32 {
  return ((value << CONSTANT_BITS) + (1 << (shift - 1))) >> shift
}

function dequantize(block: usize, quantization: usize): void {
  for (let at: usize = 0; at < 64; at += 8) {
    const values = v128.load(block + (at << 1))
    const low = v128.load(quantization + (at << 2))
    const high = v128.load(quantization + (at << 2), 16)
    v128.store(VALUES + (at << 2), i32x4.mul(i32x4.extend_low_i16x8_s(values), low))
    v128.store(VALUES + (at << 2), i32x4.mul(i32x4.extend_high_i16x8_s(values), high), 16)
  }
}

function storeRows(part: Part, start: usize): void {
  const deep = picture.deep
  const stride = usize(part.stride) << deep
  const centre = i32x4.splat(deep ? 2048 : 128)
  let to = start
  for (let line = 0; line < 8; line++, to += stride) {
    const from = ROWS + (line << 5)
    const low = i32x4.add(v128.load(from), centre)
    const high = i32x4.add(v128.load(from, 16), centre)
    if (deep) {
      v128.store(to, i16x8.min_u(i16x8.narrow_i32x4_u(low, high), i16x8.splat(4095)))
    } else {
      const samples = i16x8.narrow_i32x4_s(low, high)
      v128.store64_lane(to, i8x16.narrow_i16x8_u(samples, samples), 0)
    }
  }
}

function sum(a: v128, b: v128): v128 {
  return i32x4.add(a, b)
}

function difference(a: v128, b: v128): v128 {
  return i32x4.sub(a, b)
}

function times(value: v128, factor: i32): v128 {
  return i32x4.mul(value, i32x4.splat(factor))
}

/** Writes four vectors as columns: each a row of 32 bytes further. */
function storeColumns(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const lowAb = i32x4.shuffle(a, b, 0, 4, 1, 5)
  const highAb = i32x4.shuffle(a, b, 2, 6, 3, 7)
  const lowCd = i32x4.shuffle(c, d, 0, 4, 1, 5)
  const highCd = i32x4.shuffle(c, d, 2, 6, 3, 7)
  v128.store(to, i64x2.shuffle(lowAb, lowCd, 0, 2))
  v128.store(to, i64x2.shuffle(lowAb, lowCd, 1, 3), 32)
  v128.store(to, i64x2.shuffle(highAb, highCd, 0, 2), 64)
  v128.store(to, i64x2.shuffle(highAb, highCd, 1, 3), 96)
}

/** Four times eight samples of eight coefficients, after Loeffler, Ligtenberg and Moschytz; turned by a quarter. */
function eight(from: usize, to: usize, shift: i32): void {
  const in0 = v128.load(from)
  const in1 = v128.load(from, 32)
  const in2 = v128.load(from, 64)
  const in3 = v128.load(from, 96)
  const in4 = v128.load(from, 128)
  const in5 = v128.load(from, 160)
  const in6 = v128.load(from, 192)
  const in7 = v128.load(from, 224)
  const half = i32x4.splat(1 << (shift - 1))
  const rotated = times(sum(in2, in6), 4433)
  const even2 = difference(rotated, times(in6, 15137))
  const even3 = sum(rotated, times(in2, 6270))
  const even0 = sum(i32x4.shl(sum(in0, in4), CONSTANT_BITS), half)
  const even1 = sum(i32x4.shl(difference(in0, in4), CONSTANT_BITS), half)
  const a0 = sum(even0, even3)
  const a3 = difference(even0, even3)
  const a1 = sum(even1, even2)
  const a2 = difference(even1, even2)

  const sum73 = sum(in7, in3)
  const sum51 = sum(in5, in1)
  const z5 = times(sum(sum73, sum51), 9633)
  const z1 = times(sum(in7, in1), -7373)
  const z2 = times(sum(in5, in3), -20995)
  const z3 = sum(times(sum73, -16069), z5)
  const z4 = sum(times(sum51, -3196), z5)
  const b0 = sum(sum(times(in7, 2446), z1), z3)
  const b1 = sum(sum(times(in5, 16819), z2), z4)
  const b2 = sum(sum(times(in3, 25172), z2), z3)
  const b3 = sum(sum(times(in1, 12299), z1), z4)

  storeColumns(
    to,
    i32x4.shr_s(sum(a0, b3), shift),
    i32x4.shr_s(sum(a1, b2), shift),
    i32x4.shr_s(sum(a2, b1), shift),
    i32x4.shr_s(sum(a3, b0), shift),
  )
  storeColumns(
    to + 16,
    i32x4.shr_s(difference(a3, b0), shift),
    i32x4.shr_s(difference(a2, b1), shift),
    i32x4.shr_s(difference(a1, b2), shift),
    i32x4.shr_s(difference(a0, b3), shift),
  )
}
