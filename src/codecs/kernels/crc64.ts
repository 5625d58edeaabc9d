const POLYNOMIAL = 0xc96c5795d7870f42n
/** What a byte with 0, 1, 2 and 3 bytes behind it adds, in 256 entries each. */
const [LOW, HIGH] = makeTables()

/** CRC-64 of ECMA-182 as xz uses it; computed in two halves, since bigint arithmetic is a hundred times slower, and four bytes at a time. */
export function crc64(bytes: Uint8Array): bigint {
  let low = -1
  let high = -1
  let at = 0
  for (; at + 4 <= bytes.length; at += 4) {
    const a = (low ^ (bytes[at] ?? 0)) & 255
    const b = ((low >>> 8) ^ (bytes[at + 1] ?? 0)) & 255
    const c = ((low >>> 16) ^ (bytes[at + 2] ?? 0)) & 255
    const d = (low >>> 24) ^ (bytes[at + 3] ?? 0)
    low = high ^ (LOW[768 + a] ?? 0) ^ (LOW[512 + b] ?? 0) ^ (LOW[256 + c] ?? 0) ^ (LOW[d] ?? 0)
    high = (HIGH[768 + a] ?? 0) ^ (HIGH[512 + b] ?? 0) ^ (HIGH[256 + c] ?? 0) ^ (HIGH[d] ?? 0)
  }
  for (; at < bytes.length; at++) {
    const index = (low ^ (bytes[at] ?? 0)) & 255
    low = ((low >>> 8) | (high << 24)) ^ (LOW[index] ?? 0)
    high = (high >>> 8) ^ (HIGH[index] ?? 0)
  }
  return (BigInt(~high >>> 0) << 32n) | BigInt(~low >>> 0)
}

function makeTables(): readonly [Int32Array, Int32Array] {
  const low = new Int32Array(4 * 256)
  const high = new Int32Array(4 * 256)
  for (let entry = 0; entry < low.length; entry++) {
    let crc = BigInt(entry & 255)
    const zeros = entry >> 8
    for (let bit = 0; bit < 8 + 8 * zeros; bit++) crc = crc & 1n ? (crc >> 1n) ^ POLYNOMIAL : crc >> 1n
    low[entry] = Number(BigInt.asIntN(32, crc))
    high[entry] = Number(BigInt.asIntN(32, crc >> 32n))
  }
  return [low, high]
}
