// HDF5's filter 6 (H5Zscaleoffset.c) on integers: codes above a minimum, packed from the highest bit of a byte on.

import { wordAt } from './words'

/** Wherever in a byte a code of up to so many bits begins, four bytes hold it. */
const MOST_VECTOR_BITS: u32 = 25

/**
 * Gives `count` numbers of 1, 2 or 4 bytes: their codes, of fewer bits than a number has, and `least`; for the code `highest` it is
 * `fill`. 16 bytes behind the source can be read, and mean nothing.
 */
export function scaleOffset(
  source: usize,
  count: usize,
  bits: u32,
  size: usize,
  least: u32,
  highest: u32,
  fill: u32,
  target: usize,
): void {
  let item: usize = 0
  let to = target
  if (bits <= MOST_VECTOR_BITS) {
    // Eight codes are whole bytes, so that all eights lie alike.
    const first = firstBits(0, bits)
    const second = firstBits(4 * (bits & 1), bits)
    const places = bytesAt(first)
    const secondPlaces = bytesAt(second)
    const scale = factors(first)
    const secondScale = factors(second)
    const leasts = i32x4.splat(least)
    const highests = i32x4.splat(highest)
    const fills = i32x4.splat(fill)
    for (let from = source; item + 8 <= count; item += 8, from += bits, to += 8 * size) {
      let codes = codesOf(v128.load(from), places, scale, bits)
      const low = v128.bitselect(fills, v128.add<u32>(codes, leasts), v128.eq<u32>(codes, highests))
      codes = codesOf(v128.load(from + (bits >> 1)), secondPlaces, secondScale, bits)
      const high = v128.bitselect(fills, v128.add<u32>(codes, leasts), v128.eq<u32>(codes, highests))
      if (size === 2) v128.store(to, v128.shuffle<u16>(low, high, 0, 2, 4, 6, 8, 10, 12, 14))
      else if (size === 4) {
        v128.store(to, low)
        v128.store(to, high, 16)
      } else {
        const bytes = v128.shuffle<u8>(low, high, 0, 4, 8, 12, 16, 20, 24, 28, 0, 0, 0, 0, 0, 0, 0, 0)
        store<u64>(to, i64x2.extract_lane(bytes, 0))
      }
    }
  }
  for (; item < count; item++, to += size) {
    const bit = item * bits
    const word = wordAt(source + (bit >> 3)) << (bit & 7)
    // In two steps, since none of the bits may be wanted.
    const code = ((word >> 1) >> (63 - bits)) as u32
    const value = code === highest ? fill : code + least
    if (size === 2) store<u16>(to, value as u16)
    else if (size === 4) store<u32>(to, value)
    else store<u8>(to, value as u8)
  }
}

/** At which bits four codes begin, the first of them at this one. */
function firstBits(start: u32, bits: u32): v128 {
  return v128.add<u32>(i32x4.splat(start), v128.mul<u32>(i32x4(0, 1, 2, 3), i32x4.splat(bits)))
}

/** Where the four bytes of each code are, the last first. */
function bytesAt(first: v128): v128 {
  return v128.add<u32>(v128.mul<u32>(v128.shr<u32>(first, 3), i32x4.splat(0x01010101)), i32x4.splat(0x00010203))
}

/** What moves each code to the highest bit: there is no shift of each lane by bits of its own, but floats are powers of two. */
function factors(first: v128): v128 {
  const bit = v128.and(first, i32x4.splat(7))
  return v128.trunc_sat<u32>(v128.shl<u32>(v128.add<u32>(bit, i32x4.splat(127)), 23))
}

function codesOf(bytes: v128, places: v128, scale: v128, bits: u32): v128 {
  // In two steps, since none of the bits may be wanted.
  return v128.shr<u32>(v128.shr<u32>(v128.mul<u32>(v128.swizzle(bytes, places), scale), 1), 31 - bits)
}
