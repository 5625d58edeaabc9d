/** HDF5's Fletcher-32 (H5_checksum_fletcher32): sums of big-endian 16-bit words, modulo 65535. */
export function fletcher32(bytes: Uint8Array): number {
  let low = 0
  let high = 0
  const pairs = bytes.length >> 1
  for (let start = 0; start < pairs; start += 360) {
    const end = Math.min(start + 360, pairs)
    for (let pair = start; pair < end; pair++) {
      low += ((bytes[2 * pair] ?? 0) << 8) | (bytes[2 * pair + 1] ?? 0)
      high += low
    }
    low = folded(low)
    high = folded(high)
  }
  if (bytes.length % 2 === 1) {
    low = folded(low + ((bytes[bytes.length - 1] ?? 0) << 8))
    high = folded(high + low)
  }
  return folded(high) * 65536 + folded(low)
}

/** The same with the bytes of both sums swapped. */
export function fletcher32Reversed(bytes: Uint8Array): number {
  const sum = fletcher32(bytes)
  return (((sum & 0x00ff00ff) << 8) | ((sum >>> 8) & 0x00ff00ff)) >>> 0
}

/** Reduces modulo 65535 as the C code does: a sum that is a multiple stays 65535, never 0. */
function folded(sum: number): number {
  const once = (sum % 65536) + Math.floor(sum / 65536)
  return once > 65535 ? (once % 65536) + Math.floor(once / 65536) : once
}
