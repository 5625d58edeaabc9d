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
