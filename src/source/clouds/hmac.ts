import { hash } from 'node:crypto'

/** Bytes that SHA-256 takes at once. */
const BLOCK = 64
const DIGEST = 32

/**
 * HMAC with SHA-256 (RFC 2104) by one key. Of its two hashes Node's own `createHmac` makes an object for each text, which costs a
 * request for a small object more than all else that is signed.
 */
export function hmacBy(secret: Uint8Array): (text: string, encoding: 'hex' | 'base64') => string {
  const key = secret.length > BLOCK ? hash('sha256', secret, 'buffer') : secret
  const inner = Buffer.alloc(BLOCK, 0x36)
  const outer = Buffer.alloc(BLOCK + DIGEST, 0x5c)
  for (const [at, byte] of key.entries()) {
    inner[at] = 0x36 ^ byte
    outer[at] = 0x5c ^ byte
  }
  return (text, encoding) => {
    outer.set(hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer'), BLOCK)
    return hash('sha256', outer, encoding)
  }
}
