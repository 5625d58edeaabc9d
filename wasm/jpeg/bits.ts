// ITU-T T.81 F.2.2.3 to F.2.2.5: the bits of a scan.

/** Of a Huffman table (src/codecs/kernels/jpeg-huffman.ts): by how many of the next bits codes are looked up, and where its parts are. */
export const FAST_BITS: i32 = 10
const PLAIN: usize = 4 << FAST_BITS
const ENDS: usize = PLAIN + (2 << FAST_BITS)
const SHIFTS: usize = ENDS + 72
const VALUES: usize = SHIFTS + 68

/** The bits of one segment, between two restart markers. */
@unmanaged
class Bits {
  /** The next bits, the first of them the highest, above zeros. */
  word: u64 = 0
  /** How many of them there are: 0 to 63. */
  left: i32 = 0
  /** Words of 32 bits. */
  begin: usize = 0
  at: usize = 0
  end: usize = 0
  length: u32 = 0
  /** Blocks to come that hold nothing more (progressive). */
  zeroBlocks: i32 = 0
}

export const bits = changetype<Bits>(memory.data(64, 16))

/** Copies a segment to `words` without its stuffed zeros, and begins to read it. Returns where the marker after it is. */
export function openSegment(from: usize, end: usize, words: usize): usize {
  let to = words
  let at = from
  while (at < end) {
    if (at + 16 <= end) {
      const next = v128.load(at)
      v128.store(to, next)
      const marks = i8x16.bitmask(i8x16.eq(next, i8x16.splat(-1)))
      const clean = marks === 0 ? 16 : ctz(marks)
      at += clean
      to += clean
      if (marks === 0) continue
    }
    const byte = load<u8>(at)
    if (byte === 0xff && (at + 1 >= end || load<u8>(at, 1) !== 0)) break
    store<u8>(to++, byte)
    at += byte === 0xff ? 2 : 1
  }
  v128.store(to, i8x16.splat(0))
  for (let place = words; place < to; place += 16) {
    const bytes = v128.load(place)
    v128.store(place, i8x16.shuffle(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12))
  }
  bits.word = 0
  bits.left = 0
  bits.begin = words
  bits.at = words
  bits.end = to
  bits.length = u32(to - words)
  bits.zeroBlocks = 0
  return at
}

/** Whether more was read than there is: what was read then means nothing. */
export function isPast(): bool {
  return (i64(bits.at - bits.begin) << 3) - bits.left > i64(bits.length) << 3
}

/** Makes sure of 32 bits: behind the last ones are zeros. */
export function fill(): void {
  if (bits.left >= 32) return
  if (bits.at < bits.end) bits.word |= u64(load<u32>(bits.at)) << (32 - bits.left)
  bits.at += 4
  bits.left += 32
}

/** The next code of a table, its length above its value; -1 where there is none. */
export function codeAt(table: usize, word: u64): i32 {
  const entry = load<u16>(table + (usize(word >> (64 - FAST_BITS)) << 1), PLAIN)
  if (entry !== 0) return entry
  const code = u32(word >> 48)
  for (let length: u32 = FAST_BITS + 1; length <= 16; length++) {
    if (code < load<u32>(table + (length << 2), ENDS)) {
      const place = (code >> (16 - length)) + load<u32>(table + (length << 2), SHIFTS)
      return (length << 8) | load<u8>(table + (place & 255), VALUES)
    }
  }
  return -1
}

/** The next code's value; -1 where there is none. */
export function decode(table: usize): i32 {
  fill()
  const found = codeAt(table, bits.word)
  if (found < 0) return found
  bits.word <<= found >> 8
  bits.left -= found >> 8
  return found & 255
}

/** The next 0 to 16 bits. */
export function read(count: i32): i32 {
  if (count === 0) return 0
  fill()
  const value = i32(bits.word >> (64 - count))
  bits.word <<= count
  bits.left -= count
  return value
}

/** The number of 1 to 15 bits that a word begins with: its first bit is its sign (T.81 figure F.12). */
export function signed(word: u64, count: i32): i32 {
  const value = i32(word >> (64 - count))
  return i64(word) < 0 ? value : value - (1 << count) + 1
}
