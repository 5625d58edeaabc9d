// ITU-T T.81 annex C: Huffman codes, as wasm/jpeg/bits.ts looks them up.
import { malformed } from '../../errors.ts'

const FAST_BITS = 10
const MOST_CODES = 256
/** In bytes: where the parts of a packed table begin. */
const FAST = 4 << FAST_BITS
const ENDS = FAST + (2 << FAST_BITS)
const SHIFTS = ENDS + 18 * 4
const VALUES = SHIFTS + 17 * 4

/** A packed table is this long. */
export const HUFFMAN_BYTES = VALUES + MOST_CODES

/**
 * Codes of up to 16 bits, packed:
 * - by the next 10 bits, a coefficient whose code and bits are no more than these: how many they are, the zeros before it
 *   from the eighth bit on, its value in the upper half; 127 zeros where the block ends; 0 for everything else;
 * - by the same bits, the length of the code above its value; 0 for longer ones;
 * - by length, the first code that is longer, left-aligned in 16 bits;
 * - by length, what to add to a code to get the place of its value;
 * - the values.
 */
export type HuffmanTable = Uint8Array

/** Builds a table from how many codes there are of each length, and their values. */
export function huffmanTable(counts: Uint8Array, values: Uint8Array): HuffmanTable {
  const table = new Uint8Array(HUFFMAN_BYTES)
  const fast = new Uint16Array(table.buffer, FAST, 1 << FAST_BITS)
  const ends = new Uint32Array(table.buffer, ENDS, 18)
  const shifts = new Int32Array(table.buffer, SHIFTS, 17)
  let code = 0
  let place = 0
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1] ?? 0
    shifts[length] = place - code
    if (code + count > 2 ** length) throw malformed(`a JPEG Huffman table has too many codes of ${length} bits`)
    for (let i = 0; i < count && length <= FAST_BITS; i++) {
      const from = (code + i) << (FAST_BITS - length)
      fast.fill((length << 8) | (values[place + i] ?? 0), from, from + (1 << (FAST_BITS - length)))
    }
    code += count
    place += count
    ends[length] = code << (16 - length)
    code <<= 1
  }
  table.set(values.subarray(0, MOST_CODES), VALUES)
  const coefficients = new Int32Array(table.buffer, 0, 1 << FAST_BITS)
  for (let bits = 0; bits < coefficients.length; bits++) coefficients[bits] = coefficientOf(bits, fast[bits] ?? 0)
  return table
}

const BLOCK_ENDS = 127 << 8

/** What the next bits hold beside their code. */
function coefficientOf(bits: number, entry: number): number {
  const length = entry >> 8
  const run = (entry >> 4) & 15
  const size = entry & 15
  if (size === 0) return length === 0 || run === 15 ? 0 : length | BLOCK_ENDS
  const rest = FAST_BITS - length - size
  if (rest < 0) return 0
  const value = (bits >> rest) & ((1 << size) - 1)
  const isNegative = value < 1 << (size - 1)
  return ((isNegative ? value - (1 << size) + 1 : value) << 16) | (run << 8) | (length + size)
}
