// ITU-T T.81 F.2.2 and G.2: the coefficients of one block, of each kind of scan.
import { bits, codeAt, decode, FAST_BITS, fill, read, signed } from './bits'
import { Part } from './part'

/** What is wrong with a scan; src/codecs/kernels/jpeg-picture.ts has the words. */
const NO_CODE: i32 = -1
const TOO_MANY: i32 = -2
export const ENDED: i32 = -3

/** Where the coefficients of a zigzag through the block lie, in bytes. */
const ZIGZAG: usize = memory.data<u8>([
  0, 2, 16, 32, 18, 4, 6, 20, 34, 48, 64, 50, 36, 22, 8, 10, 24, 38, 52, 66, 80, 96, 82, 68, 54, 40, 26, 12, 14, 28, 42,
  56, 70, 84, 98, 112, 114, 100, 86, 72, 58, 44, 30, 46, 60, 74, 88, 102, 116, 118, 104, 90, 76, 62, 78, 92, 106, 120,
  122, 108, 94, 110, 124, 126,
])

function placeOf(block: usize, k: i32): usize {
  return block + load<u8>(ZIGZAG + k)
}

/** Which coefficients a scan holds. */
@unmanaged
class Band {
  first: i32 = 0
  last: i32 = 0
  low: i32 = 0
}

export const band = changetype<Band>(memory.data(64, 16))

/**
 * A whole block: returns how many coefficients, in the order of the zigzag, may be other than zero. An entry of a table
 * (src/codecs/kernels/jpeg-huffman.ts) is a code with the bits of its coefficient: their length (5 bits), the zeros before it
 * (7 bits from the eighth on; 127 at the end of a block), and its value (16 bits).
 */
export function readWhole(part: Part, block: usize): i32 {
  const mean = readMean(part, block, 0)
  if (mean < 0) return mean
  const table = part.ac
  const end = bits.end
  // What the loop changes is in locals: in memory it would take a third longer.
  let word = bits.word
  let left = bits.left
  let at = bits.at
  let k = 1
  while (k < 64) {
    if (left < 32) {
      if (at < end) word |= u64(load<u32>(at)) << (32 - left)
      at += 4
      left += 32
    }
    const entry = load<i32>(table + (usize(word >> (64 - FAST_BITS)) << 2))
    if (entry !== 0) {
      const length = entry & 31
      const place = k + ((entry >> 8) & 127)
      word <<= length
      left -= length
      if (place > 63) {
        if (place < 127) return TOO_MANY
        break
      }
      store<i16>(placeOf(block, place), entry >> 16)
      k = place + 1
      continue
    }
    const found = codeAt(table, word)
    if (found < 0) return NO_CODE
    word <<= found >> 8
    left -= found >> 8
    const size = found & 15
    k += (found >> 4) & 15
    if (size === 0) {
      if ((found & 255) !== 0xf0) break
      k++
      continue
    }
    if (k > 63) return TOO_MANY
    store<i16>(placeOf(block, k++), signed(word, size))
    word <<= size
    left -= size
  }
  bits.word = word
  bits.left = left
  bits.at = at
  return min(k, 64)
}

/** The mean of a block, but for its `low` lowest bits. */
export function readMean(part: Part, block: usize, low: i32): i32 {
  const code = decode(part.dc)
  if (code < 0) return NO_CODE
  part.prediction += readSigned(code & 15)
  store<i16>(block, part.prediction << low)
  return 0
}

/** One more bit of it. */
export function refineMean(block: usize): i32 {
  if (read(1) === 1) store<i16>(block, i32(load<i16>(block)) | (1 << band.low))
  return 0
}

/** Other coefficients, the first time: bands of zeros may run over many blocks. */
export function readBand(part: Part, block: usize): i32 {
  if (bits.zeroBlocks > 0) {
    bits.zeroBlocks--
    return 0
  }
  for (let k = band.first; k <= band.last; k++) {
    const code = decode(part.ac)
    if (code < 0) return NO_CODE
    const run = code >> 4
    const size = code & 15
    if (size === 0) {
      if (run < 15) {
        bits.zeroBlocks = (1 << run) - 1 + read(run)
        return 0
      }
      k += 15
      continue
    }
    k += run
    if (k > 63) return TOO_MANY
    store<i16>(placeOf(block, k), readSigned(size) << band.low)
  }
  return 0
}

/** One more bit of these, and those that are no longer zero. */
export function refineBand(part: Part, block: usize): i32 {
  let k = band.first
  if (bits.zeroBlocks === 0) {
    for (; k <= band.last; k++) {
      const code = decode(part.ac)
      if (code < 0) return NO_CODE
      const run = code >> 4
      const isZero = (code & 15) === 0
      if (isZero && run < 15) {
        bits.zeroBlocks = (1 << run) + read(run)
        break
      }
      const value = isZero ? 0 : read(1) === 1 ? 1 << band.low : -1 << band.low
      k = refine(block, k, run)
      if (value === 0) continue
      if (k > band.last) return TOO_MANY
      store<i16>(placeOf(block, k), value)
    }
  }
  if (bits.zeroBlocks === 0) return 0
  refine(block, k, 64)
  bits.zeroBlocks--
  return 0
}

/** One more bit for each coefficient that isn't zero, up to the zero after `zeros` others; returns its place. */
function refine(block: usize, from: i32, zeros: i32): i32 {
  let k = from
  for (; k <= band.last; k++) {
    const place = placeOf(block, k)
    const value = i32(load<i16>(place))
    if (value === 0) {
      if (zeros-- === 0) return k
    } else if (read(1) === 1 && (abs(value) & (1 << band.low)) === 0) {
      store<i16>(place, value + (value > 0 ? 1 << band.low : -1 << band.low))
    }
  }
  return k
}

function readSigned(count: i32): i32 {
  if (count === 0) return 0
  fill()
  const value = signed(bits.word, count)
  bits.word <<= count
  bits.left -= count
  return value
}
