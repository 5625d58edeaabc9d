import { brotliDecompressSync } from 'node:zlib'

/** Most characters that a table of ours has. */
const MOST_BYTES = 4_194_304

/** The text of a table of ours that is packed: by Brotli, in base64. The build for browsers packs them in another way. */
export function unpackedText(packed: string): string {
  return brotliDecompressSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES }).toString('utf8')
}
