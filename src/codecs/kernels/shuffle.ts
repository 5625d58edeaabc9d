/** From first bytes, second bytes, ... back to items. */
export function unshuffle(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= 1) return bytes
  const count = Math.floor(bytes.length / size)
  const result = new Uint8Array(bytes.length)
  if (size === 2) unshufflePairs(bytes, new Uint16Array(result.buffer, 0, count))
  else if (size === 4) unshuffleWords(bytes, 0, new Uint32Array(result.buffer, 0, count), 0, 1)
  else if (size === 8) {
    const words = new Uint32Array(result.buffer, 0, 2 * count)
    unshuffleWords(bytes, 0, words, 0, 2)
    unshuffleWords(bytes, 4 * count, words, 1, 2)
  } else {
    for (let byte = 0; byte < size; byte++) {
      const from = byte * count
      for (let item = 0, to = byte; item < count; item++, to += size) result[to] = bytes[from + item] ?? 0
    }
  }
  result.set(bytes.subarray(count * size), count * size)
  return result
}

function unshufflePairs(bytes: Uint8Array, pairs: Uint16Array): void {
  const count = pairs.length
  for (let item = 0; item < count; item++) pairs[item] = (bytes[item] ?? 0) | ((bytes[count + item] ?? 0) << 8)
}

/** Words of four bytes, each `step` words from the one before, out of planes that begin at a place. */
function unshuffleWords(bytes: Uint8Array, from: number, words: Uint32Array, first: number, step: number): void {
  const count = words.length / step
  const [second, third, fourth] = [from + count, from + 2 * count, from + 3 * count]
  for (let item = 0, to = first; item < count; item++, to += step) {
    words[to] =
      (bytes[from + item] ?? 0) |
      ((bytes[second + item] ?? 0) << 8) |
      ((bytes[third + item] ?? 0) << 16) |
      ((bytes[fourth + item] ?? 0) << 24)
  }
}

/** From items to all first bytes, then all second bytes, ... */
export function shuffle(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= 1) return bytes
  const count = Math.floor(bytes.length / size)
  const result = new Uint8Array(bytes.length)
  for (let byte = 0; byte < size; byte++) {
    const to = byte * count
    for (let item = 0, from = byte; item < count; item++, from += size) result[to + item] = bytes[from] ?? 0
  }
  result.set(bytes.subarray(count * size), count * size)
  return result
}

/** Blosc's bitshuffle: for each byte of an item, for each bit of it, that bit of all items. Needs a multiple of 8 items. */
export function bitUnshuffle(bytes: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(bytes.length / size)
  if (count % 8 !== 0) return bytes
  const result = new Uint8Array(bytes.length)
  for (let byte = 0; byte < size; byte++) bitUnshufflePlanes(bytes, result, { size, byte, groups: count / 8 })
  result.set(bytes.subarray(count * size), count * size)
  return result
}

/** One byte of all items: groups of eight are 8 x 8 matrices of bits, transposed in two 32-bit halves (Hacker's Delight, 7-3). */
function bitUnshufflePlanes(
  bytes: Uint8Array,
  result: Uint8Array,
  { size, byte, groups }: { readonly size: number; readonly byte: number; readonly groups: number },
): void {
  const planes = byte * 8 * groups
  for (let group = 0; group < groups; group++) {
    let low = 0
    let high = 0
    for (let bit = 3, at = planes + 3 * groups + group; bit >= 0; bit--, at -= groups) {
      low = (low << 8) | (bytes[at] ?? 0)
      high = (high << 8) | (bytes[at + 4 * groups] ?? 0)
    }
    if ((low | high) === 0) continue
    low = transposedQuarters(low)
    high = transposedQuarters(high)
    const swapped = (low ^ (high << 4)) & 0xf0f0f0f0
    low ^= swapped
    high ^= swapped >>> 4
    let to = group * 8 * size + byte
    for (let item = 0; item < 4; item++, to += size) result[to] = low >>> (8 * item)
    for (let item = 0; item < 4; item++, to += size) result[to] = high >>> (8 * item)
  }
}

function transposedQuarters(half: number): number {
  const pairs = (half ^ (half >>> 7)) & 0x00aa00aa
  const paired = half ^ pairs ^ (pairs << 7)
  const squares = (paired ^ (paired >>> 14)) & 0x0000cccc
  return paired ^ squares ^ (squares << 14)
}
