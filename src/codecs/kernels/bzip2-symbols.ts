import { malformed } from '../../errors.ts'
import type { BitReader } from './bzip2-bits.ts'

/** The bytes of a block in the order of the Burrows-Wheeler transform. */
export interface Symbols {
  readonly bytes: Uint8Array
  readonly length: number
}

const GROUP = 50
const LONGEST = 20

/** A canonical Huffman code: for each length, its last code and what to subtract from a code to index `symbols`. */
interface Code {
  readonly last: Int32Array
  readonly base: Int32Array
  readonly symbols: Uint16Array
}

/** Reads the tables of a block and undoes Huffman coding, second run-length coding and move-to-front. */
export function readSymbols(bits: BitReader, most: number): Symbols {
  const used = readUsedBytes(bits)
  const alphabet = used.length + 2
  const groups = bits.take(3)
  const selectorCount = bits.take(15)
  if (groups < 2 || groups > 6 || selectorCount < 1 || used.length === 0) {
    throw malformed(`a bzip2 block has ${groups} codes, ${selectorCount} selectors and ${used.length} bytes in use`)
  }
  const selectors = readSelectors(bits, groups, selectorCount)
  const codes = Array.from({ length: groups }, () => readCode(bits, alphabet))
  return unfront(bits, used, selectors, codes, most)
}

function readUsedBytes(bits: BitReader): number[] {
  const rows = bits.take(16)
  const used: number[] = []
  for (let row = 0; row < 16; row++) {
    if (((rows >> (15 - row)) & 1) === 0) continue
    const columns = bits.take(16)
    for (let column = 0; column < 16; column++) if ((columns >> (15 - column)) & 1) used.push(row * 16 + column)
  }
  return used
}

function readSelectors(bits: BitReader, groups: number, count: number): Uint8Array {
  const order = Array.from({ length: groups }, (_, group) => group)
  const selectors = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    let place = 0
    while (bits.take(1) === 1)
      if (++place >= groups) throw malformed('a bzip2 selector names a code that does not exist')
    selectors[i] = toFront(order, place)
  }
  return selectors
}

function toFront(order: number[], place: number): number {
  const [value = 0] = order.splice(place, 1)
  order.unshift(value)
  return value
}

function readCode(bits: BitReader, alphabet: number): Code {
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
  const last = new Int32Array(LONGEST + 1).fill(-1)
  const base = new Int32Array(LONGEST + 1)
  const symbols = new Uint16Array(alphabet)
  let code = 0
  let filled = 0
  for (let size = 1; size <= LONGEST; size++) {
    base[size] = code - filled
    for (let symbol = 0; symbol < alphabet; symbol++) {
      if (lengths[symbol] !== size) continue
      symbols[filled++] = symbol
      code++
    }
    last[size] = code - 1
    code <<= 1
  }
  return { last, base, symbols }
}

function readSymbol(bits: BitReader, code: Code): number {
  let value = 0
  for (let size = 1; size <= LONGEST; size++) {
    value = (value << 1) | bits.take(1)
    if (value > (code.last[size] ?? -1)) continue
    const symbol = code.symbols[value - (code.base[size] ?? 0)]
    if (symbol !== undefined) return symbol
  }
  throw malformed('a bzip2 block holds a code that is in none of its tables')
}

function unfront(
  bits: BitReader,
  used: number[],
  selectors: Uint8Array,
  codes: readonly Code[],
  most: number,
): Symbols {
  const bytes = new Uint8Array(most)
  const end = used.length + 1
  let length = 0
  let run = 0
  let weight = 1
  for (let read = 0; ; read++) {
    const code = codes[selectors[Math.floor(read / GROUP)] ?? codes.length]
    if (code === undefined) throw malformed('a bzip2 block has more symbols than its selectors allow')
    const symbol = readSymbol(bits, code)
    if (symbol <= 1) {
      run += weight * (symbol + 1)
      weight *= 2
      if (run > most) throw malformed(`a bzip2 block holds more than its ${most} bytes`)
      continue
    }
    if (length + run + (symbol === end ? 0 : 1) > most)
      throw malformed(`a bzip2 block holds more than its ${most} bytes`)
    bytes.fill(used[0] ?? 0, length, length + run)
    length += run
    run = 0
    weight = 1
    if (symbol === end) return { bytes, length }
    bytes[length++] = toFront(used, symbol - 1)
  }
}
