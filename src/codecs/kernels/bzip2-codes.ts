import { malformed } from '../../errors.ts'
import type { Bzip2Bits } from './bzip2-bits.ts'

export const LONGEST = 20
/** Codes up to so many bits are found by one look-up. */
export const QUICK = 10

/** A canonical Huffman code. What is found is `symbol << 5 | length of its code`; zero is no symbol. */
export interface Code {
  /** By the next `QUICK` bits, for codes that are no longer. */
  readonly quick: Uint16Array
  /** For each length, what the next `LONGEST` bits must be below. */
  readonly ends: Int32Array
  /** For each length, what to subtract from a code of it to index `symbols`. */
  readonly base: Int32Array
  readonly symbols: Uint16Array
}

/** Reads the lengths of a code's symbols, each told by its difference from the one before. */
export function readCode(bits: Bzip2Bits, alphabet: number): Code {
  const lengths = new Uint8Array(alphabet)
  let length = bits.take(5)
  for (let symbol = 0; symbol < alphabet; symbol++) {
    for (;;) {
      if (length < 1 || length > LONGEST)
        throw malformed(`a bzip2 code is ${length} bits long, expected 1 to ${LONGEST}`)
      if (bits.take(1) === 0) break
      length += bits.take(1) === 0 ? 1 : -1
    }
    lengths[symbol] = length
  }
  return codeOf(lengths)
}

function codeOf(lengths: Uint8Array): Code {
  const quick = new Uint16Array(1 << QUICK)
  const ends = new Int32Array(LONGEST + 1)
  const base = new Int32Array(LONGEST + 1)
  const symbols = new Uint16Array(lengths.length)
  let code = 0
  let filled = 0
  for (let size = 1; size <= LONGEST; size++) {
    base[size] = code - filled
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== size) continue
      const entry = (symbol << 5) | size
      symbols[filled++] = entry
      if (size <= QUICK) quick.fill(entry, code << (QUICK - size), (code + 1) << (QUICK - size))
      code++
    }
    ends[size] = code << (LONGEST - size)
    code <<= 1
  }
  return { quick, ends, base, symbols }
}

/** The symbol whose code the next bits begin with, where `quick` has none. */
export function longSymbol({ ends, base, symbols }: Code, next: number): number {
  for (let size = QUICK + 1; size <= LONGEST; size++) {
    if (next < (ends[size] ?? 0)) return symbols[(next >>> (LONGEST - size)) - (base[size] ?? 0)] ?? 0
  }
  return 0
}
