// Icechunk's specification, "File Layout": ids of files are 12 random bytes, written in Crockford's Base 32.

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Bytes of the ids of files, and of nodes. */
export const FILE_ID_BYTES = 12
export const NODE_ID_BYTES = 8

/** An id as the name of its file. */
export function idText(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(held >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + DIGITS[(held << (5 - bits)) & 31]
}

/** Whether a text is spelled as the id of a snapshot. */
export function isSnapshotId(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{20}$/.test(text)
}
