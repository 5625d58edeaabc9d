const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** RFC 4648 section 4, with padding. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** The bytes of padded base64; undefined for anything else, which `Buffer` would skip over. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined
  return new Uint8Array(Buffer.from(text, 'base64'))
}
