import type { ByteRange } from '../bytes/byte-range.ts'
import type { Feed } from '../bytes/feed.ts'
import type { ObjectPart } from '../source/source.ts'
import type { Coding, Representation } from './document.ts'
import type { StoreAddress } from './store-address.ts'

/** What a client asks of a store. */
export interface StoreRequest {
  readonly address: StoreAddress
  /** The Zarr key below the store's URL, decoded. */
  readonly key: string
  readonly part?: ObjectPart | undefined
  /** The ETag of which a part is wanted: of anything else the whole is (RFC 9110, 13.1.5). */
  readonly ifRange?: string | undefined
  readonly headOnly?: boolean | undefined
  /** ETags the client holds; `*` stands for any. */
  readonly ifNoneMatch?: readonly string[] | undefined
  readonly coding?: Coding | undefined
  readonly signal?: AbortSignal | undefined
}

/** Held bytes, or bytes under way. */
export type ChunkBody = Uint8Array | Feed

/** Whether an answer may be kept for ever where its version was asked for by name: not what may change unnoticed. */
interface Lasting {
  readonly isLasting: boolean
}

/** What a key answers with. Absence is an answer; only what went wrong is thrown. */
export type Answer =
  | ({
      readonly kind: 'document'
      readonly content: Representation
      readonly coding: Coding
      /** The part of it that was asked for, which may happen to be all of it. */
      readonly part: ByteRange | undefined
      readonly version: string
    } & Lasting)
  | ({
      readonly kind: 'chunk'
      /** Undefined where nothing tells one version of the bytes from another. */
      readonly etag: string | undefined
      readonly total: number
      readonly offset: number
      readonly length: number
      /** Whether it answers a wish for a part, which may happen to be all of it. */
      readonly isPart: boolean
      readonly body: ChunkBody | undefined
    } & Lasting)
  | { readonly kind: 'unsatisfiable'; readonly total: number }
  | ({ readonly kind: 'listing'; readonly entries: readonly string[] } & Lasting)
  /** A folder, asked for without its final slash. */
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'not-modified'; readonly etag: string; readonly vary: boolean } & Lasting)
  | { readonly kind: 'absent' }
