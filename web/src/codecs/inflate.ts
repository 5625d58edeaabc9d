// Takes the place of src/codecs/kernels/inflate.ts, which asks Node, in the page (web/vite.config.ts).
import { decompress } from 'fzstd'
import { inflate } from 'pako'

/** The content of a zlib stream, which the caller knows the length of. */
export function inflateZlib(bytes: Uint8Array, _limit: number): Uint8Array {
  return inflate(bytes)
}

/** The content of zstd frames. */
export function inflateZstd(bytes: Uint8Array, limit: number): Uint8Array {
  return decompress(bytes, new Uint8Array(limit))
}
