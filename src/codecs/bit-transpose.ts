/**
 * Undoes a transposition of bits, from one row per bit of an item (byte by byte, lowest bit first) back to items.
 * `count` is a multiple of 8; `source` and `target` hold `count` items of `size` bytes and don't overlap.
 */
export function untransposeBits(source: Uint8Array, target: Uint8Array, count: number, size: number): void {
  const row = count >> 3
  for (let byte = 0; byte < size; byte++) {
    const rows = byte * 8 * row
    for (let group = 0; group < row; group++) {
      const from = rows + group
      let low =
        (source[from] ?? 0) |
        ((source[from + row] ?? 0) << 8) |
        ((source[from + 2 * row] ?? 0) << 16) |
        ((source[from + 3 * row] ?? 0) << 24)
      let high =
        (source[from + 4 * row] ?? 0) |
        ((source[from + 5 * row] ?? 0) << 8) |
        ((source[from + 6 * row] ?? 0) << 16) |
        ((source[from + 7 * row] ?? 0) << 24)
      // Hacker's Delight 7-3: swap 1x1, then 2x2, then 4x4 blocks of an 8x8 matrix of bits.
      let swap = (low ^ (low >>> 7)) & 0x00aa00aa
      low ^= swap ^ (swap << 7)
      swap = (high ^ (high >>> 7)) & 0x00aa00aa
      high ^= swap ^ (swap << 7)
      swap = (low ^ (low >>> 14)) & 0x0000cccc
      low ^= swap ^ (swap << 14)
      swap = (high ^ (high >>> 14)) & 0x0000cccc
      high ^= swap ^ (swap << 14)
      const first = (low & 0x0f0f0f0f) | ((high & 0x0f0f0f0f) << 4)
      const second = ((low >>> 4) & 0x0f0f0f0f) | (high & 0xf0f0f0f0)
      let to = group * 8 * size + byte
      for (let shift = 0; shift < 32; shift += 8, to += size) target[to] = first >>> shift
      for (let shift = 0; shift < 32; shift += 8, to += size) target[to] = second >>> shift
    }
  }
}
