// Inverse cosine transforms in integers, with the constants and the rounding of libjpeg's accurate method: the samples are
// those that libtiff and GDAL read. A component of half the resolution can be transformed to twice as many samples: so does
// libjpeg bring chroma to the size of the picture since its version 7.
import { narrowTransform } from './narrow-transform'
import { Part, picture } from './part'

const CONSTANT_BITS: i32 = 13

/** Of 32-bit words: a block, then rows of 16. */
const VALUES: usize = memory.data(256, 16)
const COLUMNS: usize = memory.data(8 * 64, 16)
const ROWS: usize = memory.data(16 * 64, 16)

/** Turns the block of coefficients, of which the first `count` of the zigzag may be other than zero, into samples. */
export function transform(part: Part, block: usize, row: i32, column: i32, count: i32): void {
  const deep = picture.deep
  const to =
    part.samples + ((usize(row * part.down * 8) * usize(part.stride) + usize(column * part.across * 8)) << deep)
  if (count === 1) {
    flat(part, block, to)
    return
  }
  const isPlain = (part.across | part.down) === 1 && deep === 0
  if (isPlain && narrowTransform(block, part.quantization, to, part.stride)) return
  dequantize(block, part.quantization)
  // One bit less is kept between the passes for 12 bits, which leaves room in 32.
  const kept = deep ? 1 : 2
  for (let group = 0; group < 2; group++) {
    const from = VALUES + (group << 4)
    const target = COLUMNS + (group << 8)
    if (part.down === 1) eight(from, 32, target, CONSTANT_BITS - kept)
    else sixteen(from, 32, target, CONSTANT_BITS - kept)
  }
  for (let group = 0; group < part.down * 2; group++) {
    const from = COLUMNS + (group << 4)
    const target = ROWS + (group << 8)
    if (part.across === 1) eight(from, 64, target, CONSTANT_BITS + kept + 3)
    else sixteen(from, 64, target, CONSTANT_BITS + kept + 3)
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
  const bytes = (part.across * 8) << deep
  for (let line = 0; line < part.down * 8; line++, to += stride) {
    if (bytes === 16) v128.store(to, samples)
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
  for (let line = 0; line < part.down * 8; line++, to += stride) {
    for (let half = 0; half < part.across; half++) {
      const from = ROWS + (line << 6) + (half << 5)
      const low = i32x4.add(v128.load(from), centre)
      const high = i32x4.add(v128.load(from, 16), centre)
      if (deep) {
        const samples = i16x8.min_u(i16x8.narrow_i32x4_u(low, high), i16x8.splat(4095))
        v128.store(to + (half << 4), samples)
      } else {
        const samples = i16x8.narrow_i32x4_s(low, high)
        v128.store64_lane(to + (half << 3), i8x16.narrow_i16x8_u(samples, samples), 0)
      }
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

/** Writes four vectors as columns: each a row of 64 bytes further. */
function storeColumns(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const lowAb = i32x4.shuffle(a, b, 0, 4, 1, 5)
  const highAb = i32x4.shuffle(a, b, 2, 6, 3, 7)
  const lowCd = i32x4.shuffle(c, d, 0, 4, 1, 5)
  const highCd = i32x4.shuffle(c, d, 2, 6, 3, 7)
  v128.store(to, i64x2.shuffle(lowAb, lowCd, 0, 2))
  v128.store(to, i64x2.shuffle(lowAb, lowCd, 1, 3), 64)
  v128.store(to, i64x2.shuffle(highAb, highCd, 0, 2), 128)
  v128.store(to, i64x2.shuffle(highAb, highCd, 1, 3), 192)
}

/** Four times eight samples of eight coefficients, after Loeffler, Ligtenberg and Moschytz; turned by a quarter. */
function eight(from: usize, step: usize, to: usize, shift: i32): void {
  const in0 = v128.load(from)
  const in1 = v128.load(from + step)
  const in2 = v128.load(from + 2 * step)
  const in3 = v128.load(from + 3 * step)
  const in4 = v128.load(from + 4 * step)
  const in5 = v128.load(from + 5 * step)
  const in6 = v128.load(from + 6 * step)
  const in7 = v128.load(from + 7 * step)
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

/** Of four times sixteen samples: what they share with those across from them, and what they don't. */
const EVEN: usize = memory.data(128, 16)
const ODD: usize = memory.data(128, 16)

/** Four times sixteen samples of eight coefficients, the first half of a transform of sixteen; turned by a quarter. */
function sixteen(from: usize, step: usize, to: usize, shift: i32): void {
  evenSixteenths(from, step, 1 << (shift - 1))
  oddSixteenths(from, step)
  for (let at: usize = 0; at < 128; at += 64) {
    storeColumns(to + (at >> 2), first(at, shift), first(at + 16, shift), first(at + 32, shift), first(at + 48, shift))
  }
  for (let at: usize = 0; at < 128; at += 64) {
    const back: usize = 112 - at
    storeColumns(
      to + 32 + (at >> 2),
      second(back, shift),
      second(back - 16, shift),
      second(back - 32, shift),
      second(back - 48, shift),
    )
  }
}

function first(at: usize, shift: i32): v128 {
  return i32x4.shr_s(sum(v128.load(EVEN + at), v128.load(ODD + at)), shift)
}

function second(at: usize, shift: i32): v128 {
  return i32x4.shr_s(difference(v128.load(EVEN + at), v128.load(ODD + at)), shift)
}

function evenSixteenths(from: usize, step: usize, half: i32): void {
  const in2 = v128.load(from + 2 * step)
  const in4 = v128.load(from + 4 * step)
  const in6 = v128.load(from + 6 * step)
  const centre = sum(i32x4.shl(v128.load(from), CONSTANT_BITS), i32x4.splat(half))
  const wide = times(in4, 10703)
  const narrow = times(in4, 4433)
  const z4 = times(difference(in2, in6), 2260)
  const z3 = times(difference(in2, in6), 11363)
  const a0 = sum(z3, times(in6, 20995))
  const a1 = sum(z4, times(in2, 7373))
  const a2 = difference(z3, times(in2, 4926))
  const a3 = difference(z4, times(in6, 4176))
  v128.store(EVEN, sum(sum(centre, wide), a0))
  v128.store(EVEN, sum(sum(centre, narrow), a1), 16)
  v128.store(EVEN, sum(difference(centre, narrow), a2), 32)
  v128.store(EVEN, sum(difference(centre, wide), a3), 48)
  v128.store(EVEN, difference(difference(centre, wide), a3), 64)
  v128.store(EVEN, difference(difference(centre, narrow), a2), 80)
  v128.store(EVEN, difference(sum(centre, narrow), a1), 96)
  v128.store(EVEN, difference(sum(centre, wide), a0), 112)
}

function oddSixteenths(from: usize, step: usize): void {
  const z1 = v128.load(from + step)
  const z2 = v128.load(from + 3 * step)
  const z3 = v128.load(from + 5 * step)
  const z4 = v128.load(from + 7 * step)
  const a = times(sum(z1, z2), 11086)
  const b = times(sum(z1, z3), 10217)
  const c = times(sum(z1, z4), 8956)
  const d = times(difference(z1, z4), 7350)
  const e = times(sum(z1, z3), 5461)
  const f = times(difference(z1, z2), 3363)
  const sum23 = times(sum(z2, z3), 1136)
  const difference32 = times(difference(z3, z2), 11529)
  const sum24 = times(sum(z2, z4), -5461)
  const wide24 = times(sum(z2, z4), -10217)
  const sum34 = times(sum(z3, z4), -11086)
  const difference43 = times(difference(z4, z3), 3363)
  v128.store(ODD, difference(sum(sum(a, b), c), times(z1, 18730)))
  v128.store(ODD, sum(sum(a, sum23), sum(times(z2, 589), sum24)), 16)
  v128.store(ODD, sum(difference(sum(b, sum23), times(z3, 9222)), sum34), 32)
  v128.store(ODD, sum(sum(c, sum24), sum(times(z4, 8728), sum34)), 48)
  v128.store(ODD, sum(sum(d, wide24), sum(times(z4, 25733), difference43)), 64)
  v128.store(ODD, sum(difference(sum(e, difference32), times(z3, 6278)), difference43), 80)
  v128.store(ODD, sum(sum(f, difference32), sum(times(z2, 16154), wide24)), 96)
  v128.store(ODD, difference(sum(sum(d, e), f), times(z1, 15038)), 112)
}
