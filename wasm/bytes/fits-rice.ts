// FITS Standard 4.0, section 10.4.1: differences of integers, in blocks. Bits are read from the highest of a byte on.

import { ENDS_EARLY } from './result'
import { wordAt } from './words'

/**
 * Gives `count` numbers of 1, 2 or 4 bytes. Behind the source are 8 bytes of zeros, which can be read. Returns 0, ENDS_EARLY,
 * or what is below: -2 less the bit at which a block says that it is split.
 */
export function fitsRice(
  source: usize,
  sourceEnd: usize,
  target: usize,
  count: usize,
  bytes: usize,
  blockLength: usize,
): i32 {
  const end = target + count * bytes
  const block = blockLength * bytes
  if (bytes === 1) return decode<u8>(source, sourceEnd, target, end, block, 3, 6)
  if (bytes === 2) return decode<u16>(source, sourceEnd, target, end, block, 4, 14)
  return decode<u32>(source, sourceEnd, target, end, block, 5, 25)
}

function decode<T>(
  source: usize,
  sourceEnd: usize,
  target: usize,
  end: usize,
  block: usize,
  idBits: u64,
  whole: i32,
): i32 {
  const bits: u64 = 8 * sizeof<T>()
  let last = (wordAt(source) >> (64 - bits)) as u32
  let from = source + sizeof<T>()
  let bit: u64 = 0
  for (let to = target; to < end; ) {
    if (from > sourceEnd) return ENDS_EARLY
    const split = (((wordAt(from) << bit) >> (64 - idBits)) as i32) - 1
    if (split > whole) return -2 - split
    bit += idBits
    const blockEnd = min(to + block, end)
    for (; to < blockEnd; to += sizeof<T>()) {
      if (split >= 0) {
        from += (bit >> 3) as usize
        bit &= 7
        if (from > sourceEnd) return ENDS_EARLY
        let word = wordAt(from) << bit
        let code: u64
        if (split === whole) {
          code = word >> (64 - bits)
          bit += bits
        } else {
          let zeros: u64 = 0
          while (word === 0) {
            zeros += 64 - bit
            from += 8
            bit = 0
            if (from > sourceEnd) return ENDS_EARLY
            word = wordAt(from)
          }
          const run = clz<u64>(word)
          bit += run + 1
          if (bit + split > 64) {
            from += (bit >> 3) as usize
            bit &= 7
            if (from > sourceEnd) return ENDS_EARLY
            word = wordAt(from) << bit
          } else word = (word << run) << 1
          // In two steps, since none of the bits may be wanted.
          code = ((zeros + run) << split) | ((word >> 1) >> (63 - split))
          bit += split
        }
        // Even codes are the differences that are not negative.
        last += ((code >> 1) as u32) ^ (0 - ((code & 1) as u32))
      }
      store<T>(to, last as T)
    }
    from += (bit >> 3) as usize
    bit &= 7
  }
  return from > sourceEnd || (from === sourceEnd && bit > 0) ? ENDS_EARLY : 0
}
