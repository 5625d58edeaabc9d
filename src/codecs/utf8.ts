const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes; undefined when they are not UTF-8. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The text of bytes in an unnamed encoding: UTF-8, and where they are not, Latin-1, which has a character for every byte. */
export function anyText(bytes: Uint8Array): string {
  return strictUtf8(bytes) ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
