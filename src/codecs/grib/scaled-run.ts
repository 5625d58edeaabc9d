// Most fields are simply packed: integers are read, scaled and stored in one pass.

import { type BitRun, requireRun, unpackInto } from './bits.ts'
import { applyScaling, constantValues } from './scaling.ts'
import { decodeSimple, type SimplePacking } from './simple.ts'
import type { ValueBits, Values } from './values.ts'

/** Widest integers that are read bit by bit in one pass. */
const MOST_NARROW = 24
const WORD_BYTES = 4

/** The values of a simply packed field; as float32 in one pass. */
export function decodeSimpleField(data: Uint8Array, packing: SimplePacking, count: number, wanted: ValueBits): Values {
  const { bits } = packing
  if (wanted === 64) return decodeSimple(data, packing, count)
  if (bits === 0) return new Float32Array(constantValues(count, packing))
  const run: BitRun = { start: 0, width: bits, count }
  requireRun(data, run, 'packed values')
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (bits === 8) return fromBytes(data, packing, count)
  if (bits === 16) return fromPairs(view, packing, count)
  if (bits <= MOST_NARROW) return fromBits(data, packing, count)
  const values = new Float64Array(count)
  unpackInto(data, run, values, 0)
  return new Float32Array(applyScaling(values, packing))
}

function fromBytes(bytes: Uint8Array, { binary, reference, decimal }: SimplePacking, count: number): Float32Array {
  const values = new Float32Array(count)
  for (let i = 0; i < count; i++) values[i] = ((bytes[i] ?? 0) * binary + reference) * decimal
  return values
}

function fromPairs(view: DataView, { binary, reference, decimal }: SimplePacking, count: number): Float32Array {
  const values = new Float32Array(count)
  for (let i = 0; i < count; i++) values[i] = (view.getUint16(2 * i) * binary + reference) * decimal
  return values
}

function fromBits(bytes: Uint8Array, packing: SimplePacking, count: number): Float32Array {
  const { bits } = packing
  const values = new Float32Array(count)
  const whole = Math.max(0, Math.min(count, Math.floor(((bytes.length - WORD_BYTES) * 8) / bits)))
  readWords(bytes, 0, packing, values.subarray(0, whole))
  // The last ones would be read beyond the end: they get zeros behind them.
  const start = Math.floor((whole * bits) / 8)
  const tail = new Uint8Array(bytes.length - start + WORD_BYTES)
  tail.set(bytes.subarray(start))
  readWords(tail, (whole * bits) % 8, packing, values.subarray(whole))
  return values
}

/** Each integer lies within four bytes. */
function readWords(
  bytes: Uint8Array,
  first: number,
  { bits, binary, reference, decimal }: SimplePacking,
  values: Float32Array,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let byte = 0
  let bit = first
  for (let i = 0; i < values.length; i++) {
    values[i] = (((view.getUint32(byte) << bit) >>> (32 - bits)) * binary + reference) * decimal
    bit += bits
    byte += bit >> 3
    bit &= 7
  }
}
