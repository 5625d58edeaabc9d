// Crockford's Base 32, in which Icechunk spells its ids.

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Bytes as text, five bits a digit; the last digit is filled up with zeros. */
export function crockford(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(held >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + DIGITS[(held << (5 - bits)) & 31]
}
