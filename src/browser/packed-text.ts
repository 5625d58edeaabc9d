import { Buffer } from 'buffer/index.js'
import { inflateRaw } from 'pako'

/** The text of a table of ours, as `scripts/build-browser.ts` packs it: by deflate, in base64. */
export function unpackedText(packed: string): string {
  return new TextDecoder().decode(inflateRaw(Buffer.from(packed, 'base64')))
}
