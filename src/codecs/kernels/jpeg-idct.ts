// Inverse cosine transforms in integers, with the constants and the rounding of libjpeg's accurate method: the samples are
// those that libtiff and GDAL read. A component of half the resolution can be transformed to twice as many samples: so does
// libjpeg bring chroma to the size of the picture since its version 7.

/** Samples of 8 or 12 bits. */
export type JpegSamples = Uint8Array | Uint16Array

const CONSTANT_BITS = 13

/** Where the samples of a block go. */
export interface BlockTarget {
  readonly samples: JpegSamples
  readonly stride: number
  readonly precision: number
  /** 1 or 2: how many times 8 samples a block has in each direction. */
  readonly across: number
  readonly down: number
}

/** Transforms blocks; its memory is used again for each. */
export class BlockTransform {
  readonly #target: BlockTarget
  readonly #values = new Int32Array(64)
  readonly #columns = new Int32Array(128)
  readonly #row = new Int32Array(16)
  readonly #halves: Halves = { even: new Int32Array(8), odd: new Int32Array(8) }

  constructor(target: BlockTarget) {
    this.#target = target
  }

  /** Turns the block of coefficients at `from` into samples, the first of them at `to`. */
  transform(coefficients: Int16Array, from: number, quantization: Uint16Array, to: number): void {
    const values = this.#values
    const columns = this.#columns
    const row = this.#row
    const { samples, stride, precision, across, down } = this.#target
    // One bit less is kept between the passes for 12 bits, which leaves room in 32.
    const kept = precision === 8 ? 2 : 1
    const most = (1 << precision) - 1
    const centre = 1 << (precision - 1)
    for (let i = 0; i < 64; i++) values[i] = Math.imul(coefficients[from + i] ?? 0, quantization[i] ?? 0)
    for (let column = 0; column < 8; column++) {
      if (down === 1) eight(values, column, 8, columns, column, 8, CONSTANT_BITS - kept)
      else sixteen(values, column, 8, columns, column, 8, CONSTANT_BITS - kept, this.#halves)
    }
    for (let line = 0; line < 8 * down; line++) {
      if (across === 1) eight(columns, line * 8, 1, row, 0, 1, CONSTANT_BITS + kept + 3)
      else sixteen(columns, line * 8, 1, row, 0, 1, CONSTANT_BITS + kept + 3, this.#halves)
      const start = to + line * stride
      for (let i = 0; i < 8 * across; i++) {
        const value = (row[i] ?? 0) + centre
        samples[start + i] = value < 0 ? 0 : Math.min(value, most)
      }
    }
  }
}

/** Eight samples of eight coefficients, after Loeffler, Ligtenberg and Moschytz. */
function eight(from: Int32Array, at: number, step: number, to: Int32Array, first: number, next: number, shift: number) {
  const in0 = from[at] ?? 0
  const in1 = from[at + step] ?? 0
  const in2 = from[at + 2 * step] ?? 0
  const in3 = from[at + 3 * step] ?? 0
  const in4 = from[at + 4 * step] ?? 0
  const in5 = from[at + 5 * step] ?? 0
  const in6 = from[at + 6 * step] ?? 0
  const in7 = from[at + 7 * step] ?? 0
  const half = 1 << (shift - 1)
  if ((in1 | in2 | in3 | in4 | in5 | in6 | in7) === 0) {
    const flat = ((in0 << CONSTANT_BITS) + half) >> shift
    for (let i = 0; i < 8; i++) to[first + i * next] = flat
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

  to[first] = (a0 + b3) >> shift
  to[first + 7 * next] = (a0 - b3) >> shift
  to[first + next] = (a1 + b2) >> shift
  to[first + 6 * next] = (a1 - b2) >> shift
  to[first + 2 * next] = (a2 + b1) >> shift
  to[first + 5 * next] = (a2 - b1) >> shift
  to[first + 3 * next] = (a3 + b0) >> shift
  to[first + 4 * next] = (a3 - b0) >> shift
}

/** The two halves of sixteen samples: what they share with those across from them, and what they don't. */
interface Halves {
  readonly even: Int32Array
  readonly odd: Int32Array
}

/** Sixteen samples of eight coefficients: the first half of a transform of sixteen. */
function sixteen(
  from: Int32Array,
  at: number,
  step: number,
  to: Int32Array,
  first: number,
  next: number,
  shift: number,
  { even, odd }: Halves,
) {
  evenSixteenths(from, at, step, 1 << (shift - 1), even)
  oddSixteenths(from, at, step, odd)
  for (let i = 0; i < 8; i++) {
    const shared = even[i] ?? 0
    const own = odd[i] ?? 0
    to[first + i * next] = (shared + own) >> shift
    to[first + (15 - i) * next] = (shared - own) >> shift
  }
}

function evenSixteenths(from: Int32Array, at: number, step: number, half: number, even: Int32Array): void {
  const in2 = from[at + 2 * step] ?? 0
  const in4 = from[at + 4 * step] ?? 0
  const in6 = from[at + 6 * step] ?? 0
  const centre = ((from[at] ?? 0) << CONSTANT_BITS) + half
  const wide = Math.imul(in4, 10703)
  const narrow = Math.imul(in4, 4433)
  const z4 = Math.imul(in2 - in6, 2260)
  const z3 = Math.imul(in2 - in6, 11363)
  const a0 = z3 + Math.imul(in6, 20995)
  const a1 = z4 + Math.imul(in2, 7373)
  const a2 = z3 - Math.imul(in2, 4926)
  const a3 = z4 - Math.imul(in6, 4176)
  even[0] = centre + wide + a0
  even[1] = centre + narrow + a1
  even[2] = centre - narrow + a2
  even[3] = centre - wide + a3
  even[4] = centre - wide - a3
  even[5] = centre - narrow - a2
  even[6] = centre + narrow - a1
  even[7] = centre + wide - a0
}

function oddSixteenths(from: Int32Array, at: number, step: number, odd: Int32Array): void {
  const z1 = from[at + step] ?? 0
  const z2 = from[at + 3 * step] ?? 0
  const z3 = from[at + 5 * step] ?? 0
  const z4 = from[at + 7 * step] ?? 0
  if ((z1 | z2 | z3 | z4) === 0) {
    odd.fill(0)
    return
  }
  const a = Math.imul(z1 + z2, 11086)
  const b = Math.imul(z1 + z3, 10217)
  const c = Math.imul(z1 + z4, 8956)
  const d = Math.imul(z1 - z4, 7350)
  const e = Math.imul(z1 + z3, 5461)
  const f = Math.imul(z1 - z2, 3363)
  const sum23 = Math.imul(z2 + z3, 1136)
  const difference32 = Math.imul(z3 - z2, 11529)
  const sum24 = Math.imul(z2 + z4, -5461)
  const wide24 = Math.imul(z2 + z4, -10217)
  const sum34 = Math.imul(z3 + z4, -11086)
  const difference43 = Math.imul(z4 - z3, 3363)
  odd[0] = a + b + c - Math.imul(z1, 18730)
  odd[1] = a + sum23 + Math.imul(z2, 589) + sum24
  odd[2] = b + sum23 - Math.imul(z3, 9222) + sum34
  odd[3] = c + sum24 + Math.imul(z4, 8728) + sum34
  odd[4] = d + wide24 + Math.imul(z4, 25733) + difference43
  odd[5] = e + difference32 - Math.imul(z3, 6278) + difference43
  odd[6] = f + difference32 + Math.imul(z2, 16154) + wide24
  odd[7] = d + e + f - Math.imul(z1, 15038)
}
