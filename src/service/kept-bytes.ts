import type { ByteRange } from '../bytes/byte-range.ts'

/** Bytes at hand; undefined where they would have to be read. */
export type KeptBytes = (range: ByteRange) => Uint8Array | undefined

/** What is left of a parse. */
export interface KeptParse {
  readonly kept: KeptBytes
  /** Drops it. */
  release(): void
}

/** The same of a source of a join, for a while or until it is released. */
export interface HeadBytes {
  readonly read: KeptBytes
  release(): void
}

/** How long what was read with the metadata may answer for coordinates. */
const KEPT_MS = 5000

/** Bytes that were read with the metadata, for a while: sources of a join are many. */
export function forAWhile({ kept, release }: KeptParse): HeadBytes {
  let own: KeptBytes | undefined = kept
  const drop = () => {
    clearTimeout(timer)
    own = undefined
    release()
  }
  const timer = setTimeout(drop, KEPT_MS).unref()
  return { read: (range) => own?.(range), release: drop }
}
