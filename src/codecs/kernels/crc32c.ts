const TABLES = makeTables()

/** CRC-32C (Castagnoli), RFC 3720 appendix B.4; four bytes at a time. */
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = TABLES
  let crc = 0xffffffff
  const whole = bytes.length - (bytes.length % 4)
  let at = 0
  for (; at < whole; at += 4) {
    crc ^= (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
    crc = (t3[crc & 255] ?? 0) ^ (t2[(crc >>> 8) & 255] ?? 0) ^ (t1[(crc >>> 16) & 255] ?? 0) ^ (t0[crc >>> 24] ?? 0)
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ (t0[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

function makeTables(): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  const first = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    first[byte] = crc
  }
  const after = (table: Int32Array) => table.map((crc) => (crc >>> 8) ^ (first[crc & 255] ?? 0))
  const second = after(first)
  const third = after(second)
  return [first, second, third, after(third)]
}
