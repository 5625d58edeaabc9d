// The inverse cosine transform of Loeffler, Ligtenberg and Moschytz in integers, with the constants and the rounding of
// libjpeg's accurate method: so that the samples are those that libtiff and GDAL read.

/** Samples of 8 or 12 bits. */
export type JpegSamples = Uint8Array | Uint16Array

const CONSTANT_BITS = 13

/** Transforms the block of coefficients at `from` into 8 rows of samples at `to`, `stride` apart. */
export function transformBlock(
  coefficients: Int16Array,
  from: number,
  quantization: Uint16Array,
  precision: number,
  scratch: Int32Array,
  samples: JpegSamples,
  to: number,
  stride: number,
): void {
  // One bit less is kept between the passes for 12 bits, which leaves room in 32.
  const kept = precision === 8 ? 2 : 1
  for (let i = 0; i < 64; i++) scratch[i] = Math.imul(coefficients[from + i] ?? 0, quantization[i] ?? 0)
  for (let column = 0; column < 8; column++) pass(scratch, column, 8, CONSTANT_BITS - kept)
  for (let row = 0; row < 64; row += 8) pass(scratch, row, 1, CONSTANT_BITS + kept + 3)
  const most = (1 << precision) - 1
  const centre = 1 << (precision - 1)
  for (let row = 0; row < 8; row++) {
    const at = to + row * stride
    for (let column = 0; column < 8; column++) {
      const value = (scratch[row * 8 + column] ?? 0) + centre
      samples[at + column] = value < 0 ? 0 : Math.min(value, most)
    }
  }
}

function pass(data: Int32Array, at: number, step: number, shift: number): void {
  const in0 = data[at] ?? 0
  const in1 = data[at + step] ?? 0
  const in2 = data[at + 2 * step] ?? 0
  const in3 = data[at + 3 * step] ?? 0
  const in4 = data[at + 4 * step] ?? 0
  const in5 = data[at + 5 * step] ?? 0
  const in6 = data[at + 6 * step] ?? 0
  const in7 = data[at + 7 * step] ?? 0
  const half = 1 << (shift - 1)
  if ((in1 | in2 | in3 | in4 | in5 | in6 | in7) === 0) {
    const flat = ((in0 << CONSTANT_BITS) + half) >> shift
    for (let i = 0; i < 8; i++) data[at + i * step] = flat
    return
  }
  const rotated = Math.imul(in2 + in6, 4433)
  const even2 = rotated - Math.imul(in6, 15137)
  const even3 = rotated + Math.imul(in2, 6270)
  const even0 = ((in0 + in4) << CONSTANT_BITS) + half
  const even1 = ((in0 - in4) << CONSTANT_BITS) + half
  const a0 = even0 + even3
  const a3 = even0 - even3
  const a1 = even1 + even2
  const a2 = even1 - even2

  const z5 = Math.imul(in7 + in3 + in5 + in1, 9633)
  const z1 = Math.imul(in7 + in1, -7373)
  const z2 = Math.imul(in5 + in3, -20995)
  const z3 = Math.imul(in7 + in3, -16069) + z5
  const z4 = Math.imul(in5 + in1, -3196) + z5
  const b0 = Math.imul(in7, 2446) + z1 + z3
  const b1 = Math.imul(in5, 16819) + z2 + z4
  const b2 = Math.imul(in3, 25172) + z2 + z3
  const b3 = Math.imul(in1, 12299) + z1 + z4

  data[at] = (a0 + b3) >> shift
  data[at + 7 * step] = (a0 - b3) >> shift
  data[at + step] = (a1 + b2) >> shift
  data[at + 6 * step] = (a1 - b2) >> shift
  data[at + 2 * step] = (a2 + b1) >> shift
  data[at + 5 * step] = (a2 - b1) >> shift
  data[at + 3 * step] = (a3 + b0) >> shift
  data[at + 4 * step] = (a3 - b0) >> shift
}
