// Copies of decoders, 16 bytes at a time. What is too much is written over by what comes next, or left behind the end of the
// content: never behind the end of its region.

/** Bytes of a vector. */
export const WIDE: usize = 16

/** For each distance below 16, which of the bytes from there on is the first, second, ... of those that repeat. */
const REPEATS = memory.data(256, 16)
for (let distance: usize = 1; distance < 16; distance++) {
  for (let i: usize = 0; i < 16; i++) store<u8>(REPEATS + 16 * distance + i, (i % distance) as u8)
}

/** The bytes of a vector as they are if the first `distance` of them, fewer than 16, repeat. */
export function repeats(distance: usize): v128 {
  return v128.load(REPEATS + 16 * distance)
}

/** Copies from one region to another: there are so many bytes, and there is room for them. */
export function copyOn(from: usize, fromEnd: usize, to: usize, toEnd: usize, length: usize): void {
  if (length > 128 || fromEnd - from < length + 16 || toEnd - to < length + 16) {
    memory.copy(to, from, length)
    return
  }
  const end = to + length
  do {
    v128.store(to, v128.load(from))
    from += 16
    to += 16
  } while (to < end)
}

/** Appends `length` bytes, for which there is room, that begin `distance` back and may overlap what is being written; returns the new end. */
export function copyBack(to: usize, toEnd: usize, distance: usize, length: usize): usize {
  const end = to + length
  const wideEnd = toEnd - WIDE
  if (distance >= WIDE) {
    while (to < end && to <= wideEnd) {
      v128.store(to, v128.load(to - distance))
      to += 16
    }
  } else if (to <= wideEnd) {
    const repeated = v128.swizzle(v128.load(to - distance), repeats(distance))
    const step = WIDE - (WIDE % distance)
    while (to < end && to <= wideEnd) {
      v128.store(to, repeated)
      to += step
    }
  }
  for (; to < end; to++) store<u8>(to, load<u8>(to - distance))
  return end
}
