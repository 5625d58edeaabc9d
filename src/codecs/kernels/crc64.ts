const POLYNOMIAL = 0xc96c5795d7870f42n
const [LOW, HIGH] = makeTables()

/** CRC-64 of ECMA-182 as xz uses it; computed in two halves, since bigint arithmetic is a hundred times slower. */
export function crc64(bytes: Uint8Array): bigint {
  let low = -1
  let high = -1
  for (let at = 0; at < bytes.length; at++) {
    const index = (low ^ (bytes[at] ?? 0)) & 255
    low = ((low >>> 8) | (high << 24)) ^ (LOW[index] ?? 0)
    high = (high >>> 8) ^ (HIGH[index] ?? 0)
  }
  return (BigInt(~high >>> 0) << 32n) | BigInt(~low >>> 0)
}

function makeTables(): readonly [Int32Array, Int32Array] {
  const low = new Int32Array(256)
  const high = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ POLYNOMIAL : crc >> 1n
    low[byte] = Number(BigInt.asIntN(32, crc))
    high[byte] = Number(BigInt.asIntN(32, crc >> 32n))
  }
  return [low, high]
}
