import type { Endian } from './cursor.ts'

/** An unsigned integer of some bytes, highest first or last; exact up to 2^53. */
export function uintAt(bytes: Uint8Array, at: number, size: number, endian: Endian): number {
  let value = 0
  if (endian === 'big') for (let i = at; i < at + size; i++) value = value * 256 + (bytes[i] ?? 0)
  else for (let i = at + size - 1; i >= at; i--) value = value * 256 + (bytes[i] ?? 0)
  return value
}

/** The same of any length, as one number of all bits. */
export function bitsAt(bytes: Uint8Array, at: number, size: number, endian: Endian): bigint {
  let bits = 0n
  for (let i = 0; i < size; i++) bits = (bits << 8n) | BigInt(bytes[at + (endian === 'big' ? i : size - 1 - i)] ?? 0)
  return bits
}

/** Bits within others that are an integer: so many from a place on, with a sign or without. */
export function integerBits(bits: bigint, offset: number, precision: number, signed: boolean): bigint {
  const field = bits >> BigInt(offset)
  return signed ? BigInt.asIntN(precision, field) : BigInt.asUintN(precision, field)
}
