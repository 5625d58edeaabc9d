const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** The checksum of gzip, zip and xz (ISO 3309), going on from an earlier one. */
export function crc32(bytes: Uint8Array, value = 0): number {
  let rest = ~value
  for (const byte of bytes) rest = (rest >>> 8) ^ (TABLE[(rest ^ byte) & 255] ?? 0)
  return ~rest >>> 0
}
