/**
 * Bytes as text, in pieces. Writers of DMR++ declare ISO-8859-1 and mostly write UTF-8, so what is UTF-8 is read as that; from
 * the first bytes on that are not, every byte is a character.
 */
export class TextStream {
  #rest = new Uint8Array(0)
  #isLatin1 = false

  decode(bytes: Uint8Array): string {
    const all = this.#rest.length === 0 ? bytes : new Uint8Array(Buffer.concat([this.#rest, bytes]))
    const end = this.#isLatin1 ? all.length : all.length - openSequence(all)
    this.#rest = all.slice(end)
    return this.#text(all.subarray(0, end))
  }

  /** What was left for want of its last byte. */
  end(): string {
    const rest = this.#rest
    this.#rest = new Uint8Array(0)
    return this.#text(rest)
  }

  #text(bytes: Uint8Array): string {
    if (!this.#isLatin1) {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
      } catch {
        this.#isLatin1 = true
      }
    }
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
}

/** Bytes at the end that begin a character of UTF-8 without ending it. */
function openSequence(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? back : 0
    }
  }
  return 0
}
