import type { ByteRange } from '../bytes/byte-range.ts'

/**
 * Where the stored bytes of one chunk are. `source` is what `ParseContext.reference` returned (0 is the file that was
 * parsed); `encoding` is an index into the array's `encodings`.
 */
export type ChunkRef =
  | {
      readonly kind: 'range'
      readonly source: number
      readonly offset: number
      readonly length: number
      readonly encoding: number
      /** The object below the folder that `source` is, where each chunk has one of its own, which never changes. */
      readonly key?: string | undefined
      /**
       * What the file says of this one chunk elsewhere, handed to the decoder before the stored bytes (a scale, a place in a
       * series). Only for encodings that the server decodes itself.
       */
      readonly prefix?: Uint8Array | undefined
    }
  /** Several ranges, joined in the order given (linked blocks). */
  | {
      readonly kind: 'ranges'
      readonly source: number
      readonly parts: readonly ByteRange[]
      readonly encoding: number
    }
  /** `count` ranges of `length` bytes, `stride` apart (records): a table of parts without the table. */
  | {
      readonly kind: 'strided'
      readonly source: number
      readonly offset: number
      readonly length: number
      readonly stride: number
      readonly count: number
      readonly encoding: number
    }
  /** A whole object whose length only its host knows: the reference's own URL, or `key` below it when that is a folder. */
  | {
      readonly kind: 'object'
      readonly source: number
      readonly key: string
      readonly encoding: number
      /** A document named it: that it is absent is an error then, and not a chunk that was never written. */
      readonly isRequired?: boolean | undefined
    }
  | {
      readonly kind: 'inline'
      readonly bytes: Uint8Array
      readonly encoding: number
      /** What the bytes point into, for codecs that read their source again. */
      readonly source?: number | undefined
    }
  /** Never written: reads as the fill value. */
  | { readonly kind: 'missing' }

/** The chunk that was never written. */
export const MISSING: ChunkRef = { kind: 'missing' }
