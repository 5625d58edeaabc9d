// What of node:buffer this project uses, for browsers.

const UTF8 = new TextDecoder('utf-8', { fatal: true })

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    UTF8.decode(bytes)
    return true
  } catch {
    return false
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 128)
}
