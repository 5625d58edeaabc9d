import { ZfpBits } from './zfp-bits.ts'
import { zfpOrder } from './zfp-order.ts'

/** How much of each block is stored (zfp, `zfp_stream`). */
export interface ZfpBudget {
  readonly leastBits: number
  readonly mostBits: number
  readonly mostPlanes: number
  readonly leastExponent: number
}

export interface ZfpShape {
  readonly dimensions: number
  /** Bits of a value. */
  readonly width: 32 | 64
  readonly isFloat: boolean
}

/** Below the lowest exponent of a double: nothing is dropped. */
export const REVERSIBLE_EXPONENT = -1075

/** One block of 4^n values, as the integers or floats that they are. */
export type ZfpBlock = Int32Array | BigInt64Array | Float32Array | Float64Array

/** What is needed to decode block after block. */
interface ZfpDecoder {
  readonly bits: ZfpBits
  readonly budget: ZfpBudget
  readonly shape: ZfpShape
  readonly order: Uint8Array
  /** Coefficients as they are coded: low and high halves. */
  readonly low: Uint32Array
  readonly high: Uint32Array
  /** The integers that become of them. */
  readonly short: Int32Array
  readonly long: BigInt64Array
}

export function zfpDecoder(stream: Uint8Array, budget: ZfpBudget, shape: ZfpShape): ZfpDecoder {
  const size = 4 ** shape.dimensions
  return {
    bits: new ZfpBits(stream),
    budget,
    shape,
    order: zfpOrder(shape.dimensions),
    low: new Uint32Array(size),
    high: new Uint32Array(size),
    short: new Int32Array(size),
    long: new BigInt64Array(size),
  }
}

/** Decodes the next block into `target`. */
export function decodeZfpBlock(decoder: ZfpDecoder, target: ZfpBlock): void {
  const { budget, shape, bits } = decoder
  const reversible = budget.leastExponent <= REVERSIBLE_EXPONENT
  if (!shape.isFloat) {
    decodeIntegers(decoder, 0, budget.mostPlanes, reversible)
    copyIntegers(decoder, target)
    return
  }
  if (bits.bit() === 0) {
    zeroBlock(target)
    if (budget.leastBits > 1) bits.skip(budget.leastBits - 1)
    return
  }
  const isCast = reversible && bits.bit() === 1
  if (isCast) {
    decodeIntegers(decoder, 2, budget.mostPlanes, true)
    reinterpret(decoder, target)
    return
  }
  const exponentBits = shape.width === 32 ? 8 : 11
  const exponent = bits.read(exponentBits) - (2 ** (exponentBits - 1) - 1)
  const used = exponentBits + (reversible ? 2 : 1)
  const planes = reversible
    ? budget.mostPlanes
    : Math.min(budget.mostPlanes, Math.max(0, exponent - budget.leastExponent + 2 * (shape.dimensions + 1)))
  decodeIntegers(decoder, used, planes, reversible)
  scale(decoder, target, exponent)
}

function zeroBlock(target: ZfpBlock): void {
  if (target instanceof BigInt64Array) target.fill(0n)
  else target.fill(0)
}

function copyIntegers({ short, long }: ZfpDecoder, target: ZfpBlock): void {
  if (target instanceof BigInt64Array) target.set(long)
  else target.set(short)
}

/** In the arithmetic of the type itself, as the C code does it. */
function scale({ shape, short, long }: ZfpDecoder, target: ZfpBlock, exponent: number): void {
  if (target instanceof BigInt64Array) return
  if (shape.width === 32) {
    const unit = Math.fround(2 ** (exponent - 30))
    for (let i = 0; i < short.length; i++) target[i] = Math.fround(short[i] ?? 0) * unit
  } else {
    const unit = 2 ** (exponent - 62)
    for (let i = 0; i < long.length; i++) target[i] = Number(long[i]) * unit
  }
}

/** Floats taken for integers, by sign and magnitude. */
function reinterpret({ shape, short, long }: ZfpDecoder, target: ZfpBlock): void {
  if (shape.width === 32) {
    const words = new Int32Array(target.buffer, target.byteOffset, target.length)
    for (let i = 0; i < short.length; i++) {
      const value = short[i] ?? 0
      words[i] = value < 0 ? value ^ 0x7fffffff : value
    }
  } else {
    const words = new BigInt64Array(target.buffer, target.byteOffset, target.length)
    for (let i = 0; i < long.length; i++) {
      const value = long[i] ?? 0n
      words[i] = value < 0n ? value ^ 0x7fffffffffffffffn : value
    }
  }
}

/** Coefficients, then the transform undone; `used` bits of the block's budget are spent already. */
function decodeIntegers(decoder: ZfpDecoder, used: number, planes: number, reversible: boolean): void {
  const { budget, bits, shape } = decoder
  let spent = used
  let wanted = planes
  if (reversible) {
    const planeBits = shape.width === 32 ? 5 : 6
    wanted = bits.read(planeBits) + 1
    spent += planeBits
  }
  spent += decodePlanes(decoder, Math.max(budget.mostBits - spent, 0), wanted)
  if (spent < budget.leastBits) bits.skip(budget.leastBits - spent)
  if (shape.width === 32) undoShort(decoder, reversible)
  else undoLong(decoder, reversible)
}

/** Bit planes from the highest down, each in two parts: values known to be set before, and the run lengths of others. */
function decodePlanes({ bits, low, high, shape }: ZfpDecoder, most: number, planes: number): number {
  const size = low.length
  low.fill(0)
  high.fill(0)
  const lowest = Math.max(shape.width - planes, 0)
  let left = most
  let known = 0
  for (let plane = shape.width - 1; left > 0 && plane >= lowest; plane--) {
    const words = plane >= 32 ? high : low
    const mask = 1 << (plane & 31)
    const count = Math.min(known, left)
    left -= count
    for (let start = 0; start < count; start += 16) {
      let group = bits.read(Math.min(count - start, 16))
      for (let i = start; group !== 0; i++, group >>= 1) if (group & 1) words[i] = (words[i] ?? 0) | mask
    }
    while (known < size && left > 0) {
      left--
      if (bits.bit() === 0) break
      while (known < size - 1 && left > 0) {
        left--
        if (bits.bit() === 1) break
        known++
      }
      words[known] = (words[known] ?? 0) | mask
      known++
    }
  }
  return most - left
}

/** From base -2 to integers, to their places, and back from frequencies to values. */
function undoShort({ low, short, order, shape }: ZfpDecoder, reversible: boolean): void {
  for (let i = 0; i < low.length; i++) short[order[i] ?? 0] = ((low[i] ?? 0) ^ 0xaaaaaaaa) - 0xaaaaaaaa
  forEachLine(shape.dimensions, (at, step) => (reversible ? unliftShortExactly : unliftShort)(short, at, step))
}

const NEGABINARY = 0xaaaaaaaaaaaaaaaan

function undoLong({ low, high, long, order, shape }: ZfpDecoder, reversible: boolean): void {
  for (let i = 0; i < low.length; i++) {
    const word = (BigInt(high[i] ?? 0) << 32n) | BigInt(low[i] ?? 0)
    long[order[i] ?? 0] = (word ^ NEGABINARY) - NEGABINARY
  }
  forEachLine(shape.dimensions, (at, step) => (reversible ? unliftLongExactly : unliftLong)(long, at, step))
}

/** Lines of four along each axis, the last axis first. */
function forEachLine(dimensions: number, use: (at: number, step: number) => void): void {
  for (let axis = dimensions - 1; axis >= 0; axis--) {
    const step = 4 ** axis
    for (let place = 0; place < 4 ** dimensions; place++) if (((place >> (2 * axis)) & 3) === 0) use(place, step)
  }
}

function unliftShort(values: Int32Array, at: number, step: number): void {
  let x = values[at] ?? 0
  let y = values[at + step] ?? 0
  let z = values[at + 2 * step] ?? 0
  let w = values[at + 3 * step] ?? 0
  y = (y + (w >> 1)) | 0
  w = (w - (y >> 1)) | 0
  y = (y + w) | 0
  w = ((w << 1) - y) | 0
  z = (z + x) | 0
  x = ((x << 1) - z) | 0
  y = (y + z) | 0
  z = ((z << 1) - y) | 0
  w = (w + x) | 0
  x = ((x << 1) - w) | 0
  values[at] = x
  values[at + step] = y
  values[at + 2 * step] = z
  values[at + 3 * step] = w
}

function unliftShortExactly(values: Int32Array, at: number, step: number): void {
  const x = values[at] ?? 0
  const y = values[at + step] ?? 0
  const z = values[at + 2 * step] ?? 0
  const w = values[at + 3 * step] ?? 0
  values[at + step] = x + y
  values[at + 2 * step] = x + 2 * y + z
  values[at + 3 * step] = x + 3 * y + 3 * z + w
}

function unliftLong(values: BigInt64Array, at: number, step: number): void {
  let x = values[at] ?? 0n
  let y = values[at + step] ?? 0n
  let z = values[at + 2 * step] ?? 0n
  let w = values[at + 3 * step] ?? 0n
  y += w >> 1n
  w -= y >> 1n
  y += w
  w = 2n * w - y
  z += x
  x = 2n * x - z
  y += z
  z = 2n * z - y
  w += x
  x = 2n * x - w
  values[at] = x
  values[at + step] = y
  values[at + 2 * step] = z
  values[at + 3 * step] = w
}

function unliftLongExactly(values: BigInt64Array, at: number, step: number): void {
  const x = values[at] ?? 0n
  const y = values[at + step] ?? 0n
  const z = values[at + 2 * step] ?? 0n
  const w = values[at + 3 * step] ?? 0n
  values[at + step] = x + y
  values[at + 2 * step] = x + 2n * y + z
  values[at + 3 * step] = x + 3n * (y + z) + w
}
