import { malformed } from '../../errors.ts'
import type { Bzip2Bits } from './bzip2-bits.ts'
import { type Code, LONGEST, longSymbol, QUICK, readCode } from './bzip2-codes.ts'

/** Symbols that are read by one code before the next selector. */
const GROUP = 50

/** What stands before the symbols of a block. */
interface Tables {
  /** The bytes that occur, latest first. */
  readonly front: Uint8Array
  readonly selectors: Uint8Array
  readonly codes: readonly Code[]
}

/** Reads the tables of a block and undoes Huffman coding, second run-length coding and move-to-front: bytes into `block`, how many. */
export function readSymbols(bits: Bzip2Bits, block: Uint32Array): number {
  const front = readUsedBytes(bits)
  const groups = bits.take(3)
  const selectorCount = bits.take(15)
  if (groups < 2 || groups > 6 || selectorCount < 1 || front.length === 0) {
    throw malformed(`a bzip2 block has ${groups} codes, ${selectorCount} selectors and ${front.length} bytes in use`)
  }
  const selectors = readSelectors(bits, groups, selectorCount)
  const codes = Array.from({ length: groups }, () => readCode(bits, front.length + 2))
  return readBytes(bits, { front, selectors, codes }, block)
}

function readUsedBytes(bits: Bzip2Bits): Uint8Array {
  const rows = bits.take(16)
  const used: number[] = []
  for (let row = 0; row < 16; row++) {
    if (((rows >> (15 - row)) & 1) === 0) continue
    const columns = bits.take(16)
    for (let column = 0; column < 16; column++) if ((columns >> (15 - column)) & 1) used.push(row * 16 + column)
  }
  return Uint8Array.from(used)
}

function readSelectors(bits: Bzip2Bits, groups: number, count: number): Uint8Array {
  const order = Uint8Array.from({ length: groups }, (_, group) => group)
  const selectors = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    let place = 0
    while (bits.take(1) === 1)
      if (++place >= groups) throw malformed('a bzip2 selector names a code that does not exist')
    selectors[i] = toFront(order, place)
  }
  return selectors
}

/** Moves the value at a place to the front. */
function toFront(order: Uint8Array, place: number): number {
  const value = order[place] ?? 0
  if (place > 24) order.copyWithin(1, 0, place)
  else for (let at = place; at > 0; at--) order[at] = order[at - 1] ?? 0
  order[0] = value
  return value
}

/** The one loop that a stream spends its time in: the state of the bit reader is in variables. */
function readBytes(bits: Bzip2Bits, { front, selectors, codes }: Tables, block: Uint32Array): number {
  const { bytes } = bits
  let { at, held, count } = bits
  const end = front.length + 1
  let length = 0
  let run = 0
  let weight = 1
  for (const selector of selectors) {
    const code = codes[selector]
    if (code === undefined || at > bytes.length + 4) break
    const { quick } = code
    for (let left = GROUP; left > 0; left--) {
      for (; count <= 24; count += 8) held = (held << 8) | (bytes[at++] ?? 0)
      const found = quick[(held >>> (count - QUICK)) & ((1 << QUICK) - 1)] ?? 0
      const entry = found !== 0 ? found : longSymbol(code, (held >>> (count - LONGEST)) & ((1 << LONGEST) - 1))
      if (entry === 0) throw malformed('a bzip2 block holds a code that is in none of its tables')
      count -= entry & 31
      const symbol = entry >>> 5
      if (symbol <= 1) {
        run += weight << symbol
        weight <<= 1
        if (length + run > block.length) throw tooLong(block)
        continue
      }
      if (run > 0) {
        block.fill(front[0] ?? 0, length, length + run)
        length += run
        run = 0
        weight = 1
      }
      if (symbol === end) {
        bits.goOn(at, held, count)
        return length
      }
      if (length === block.length) throw tooLong(block)
      block[length++] = toFront(front, symbol - 1)
    }
  }
  bits.goOn(at, held, count)
  throw malformed('a bzip2 block has more symbols than its selectors allow')
}

function tooLong(block: Uint32Array): Error {
  return malformed(`a bzip2 block holds more than the ${block.length} bytes that it may`)
}
