/** Where the parts of a float lie in its bits (HDF5 File Format Specification, IV.A.2.d, class 1). */
export interface FloatFields {
  readonly signBit: number
  readonly exponentBit: number
  readonly exponentSize: number
  readonly exponentBias: number
  readonly mantissaBit: number
  readonly mantissaSize: number
  /** Whether the first bit of the mantissa is 1 and not stored. */
  readonly isImplied: boolean
}

/** The nearest double of a float of any make (ties to even); the payload of a NaN is lost. */
export function floatValue(word: bigint, fields: FloatFields): number {
  const part = (bit: number, size: number) => BigInt.asUintN(size, word >> BigInt(bit))
  const sign = part(fields.signBit, 1) === 1n ? -1 : 1
  const exponent = Number(part(fields.exponentBit, fields.exponentSize))
  const mantissa = part(fields.mantissaBit, fields.mantissaSize)
  const size = BigInt(fields.mantissaSize)
  if (exponent === 2 ** fields.exponentSize - 1) {
    // Where the first bit is stored, it is set in infinities too.
    const fraction = fields.isImplied ? mantissa : BigInt.asUintN(fields.mantissaSize - 1, mantissa)
    return fraction === 0n ? sign * Number.POSITIVE_INFINITY : Number.NaN
  }
  const point = fields.mantissaSize - (fields.isImplied ? 0 : 1)
  const isNormal = fields.isImplied && exponent > 0
  const significand = isNormal ? mantissa | (1n << size) : mantissa
  return sign * scaled(significand, Math.max(exponent, 1) - fields.exponentBias - point)
}

/** `significand` times a power of two, rounded once. */
function scaled(significand: bigint, exponent: number): number {
  if (significand === 0n) return 0
  const length = significand.toString(2).length
  // A double has 53 bits, fewer when its exponent is at its lowest (-1074).
  const surplus = Math.max(length - 53, -1074 - exponent)
  if (length - surplus < 0) return 0
  if (surplus <= 0) return timesPowerOfTwo(Number(significand), exponent)
  const shift = BigInt(surplus)
  const kept = significand >> shift
  const rest = significand - (kept << shift)
  const half = 1n << (shift - 1n)
  const up = rest > half || (rest === half && (kept & 1n) === 1n)
  return timesPowerOfTwo(Number(up ? kept + 1n : kept), exponent + surplus)
}

/** Exact for a product that is a double: in steps, because a power alone may be out of range. */
function timesPowerOfTwo(value: number, exponent: number): number {
  let result = value
  let left = exponent
  while (left > 1000 && Number.isFinite(result)) {
    result *= 2 ** 1000
    left -= 1000
  }
  while (left < -1000 && result !== 0) {
    result *= 2 ** -1000
    left += 1000
  }
  return Number.isFinite(result) && result !== 0 ? result * 2 ** left : result
}
