import type { ByteRange } from '../bytes/byte-range.ts'

/** Bytes at hand; undefined where they would have to be read. */
export type KeptBytes = (range: ByteRange) => Uint8Array | undefined

/** What is left of a parse. */
export interface KeptParse {
  readonly kept: KeptBytes
  /** Drops it. */
  release(): void
}

/** How long what was read with the metadata may answer for coordinates. */
const KEPT_MS = 5000

/** Bytes that were read with the metadata, for a while: sources of a join are many. */
export function forAWhile({ kept, release }: KeptParse): KeptBytes {
  let own: KeptBytes | undefined = kept
  setTimeout(() => {
    own = undefined
    release()
  }, KEPT_MS).unref()
  return (range) => own?.(range)
}
