const rotated = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))

/** Bob Jenkins' lookup3 `hashlittle`: the checksum of HDF5's metadata and of numcodecs' `jenkins_lookup3`. */
export function lookup3(bytes: Uint8Array, seed = 0): number {
  const start = (0xdeadbeef + bytes.length + seed) | 0
  let [a, b, c] = [start, start, start]
  const word = (at: number) =>
    (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
  if (bytes.length === 0) return c >>> 0
  let at = 0
  // The last block, though it may be a whole one, is mixed differently; bytes past the end count as zero.
  for (; bytes.length - at > 12; at += 12) {
    a = (a + word(at)) | 0
    b = (b + word(at + 4)) | 0
    c = (c + word(at + 8)) | 0
    a = ((a - c) | 0) ^ rotated(c, 4)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotated(a, 6)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotated(b, 8)
    b = (b + a) | 0
    a = ((a - c) | 0) ^ rotated(c, 16)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotated(a, 19)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotated(b, 4)
    b = (b + a) | 0
  }
  a = (a + word(at)) | 0
  b = (b + word(at + 4)) | 0
  c = (c + word(at + 8)) | 0
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  c = ((c ^ b) - rotated(b, 24)) | 0
  return c >>> 0
}
