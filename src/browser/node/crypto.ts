// What of node:crypto this project uses, for browsers, whose own digests can't be had at once.

import { sha256 } from '@noble/hashes/sha2.js'
import { Buffer } from 'buffer/index.js'

interface Hash {
  update(content: Uint8Array | string): Hash
  digest(): Buffer
  digest(encoding: 'base64url' | 'hex'): string
}

export function createHash(name: string): Hash {
  if (name !== 'sha256') throw new Error(`${name} is not computed in a browser`)
  const hash = sha256.create()
  const digest = (encoding?: 'base64url' | 'hex') => {
    const bytes = Buffer.from(hash.digest())
    if (encoding === undefined) return bytes
    if (encoding === 'hex') return bytes.toString('hex')
    return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  }
  const self: Hash = {
    update(content) {
      hash.update(typeof content === 'string' ? new TextEncoder().encode(content) : content)
      return self
    },
    digest: digest as Hash['digest'],
  }
  return self
}

/** A whole number from 0 up, below `end`. */
export function randomInt(end: number): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return ((high & 0x1fffff) * 2 ** 32 + low) % end
}

/** Of random bytes (RFC 9562, section 5.4): pages that came over plain HTTP have no function for it. */
export function randomUUID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
