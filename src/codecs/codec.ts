import type { ByteRange } from '../bytes/byte-range.ts'
import type { JsonObject } from '../json/json.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { Encoding } from '../model/encoding.ts'

/** What a chunk holds at one stage of its decoding. */
export type Elements =
  /** Fixed-size elements: C order, little-endian, packed. */
  | { readonly kind: 'fixed'; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly values: readonly string[] }
  | { readonly kind: 'blobs'; readonly values: readonly Uint8Array[] }

/** Shape and type of a chunk at one stage of its decoding. */
export interface ChunkLayout {
  readonly shape: readonly number[]
  readonly dataType: DataType
}

/** What decoding may know and ask for besides the bytes. */
export interface DecodeContext {
  /** Most bytes that this step may produce; more is `malformed-source` (a bomb). */
  readonly limit: number
  /** So many bytes of the result count, and what follows is ignored: a decoder may stop there. */
  readonly enough?: number | undefined
  /** Shape of the part of the chunk that lies in the array, where it hangs over the edge; for codecs with `mayLackRows`. */
  readonly inside?: readonly number[] | undefined
  /** What parts that were never written read as (inner chunks of a shard); the zero of the type when absent. */
  readonly fillValue?: Scalar | undefined
  /** Reads the source again, for codecs whose bytes only point at the content (HDF5 heaps). */
  readonly read?: ((range: ByteRange) => Promise<Uint8Array>) | undefined
}

/** Undoes a whole encoding, that of chunks within a chunk. */
export type Decode = (stored: Uint8Array, context: DecodeContext) => Elements | Promise<Elements>

/** Makes an encoding that a configuration holds ready for chunks of this layout. */
export type PrepareInner = (encoding: Encoding, layout: ChunkLayout) => Decode

/**
 * Codecs are named and configured by documents and formats, and prepared once for all chunks of a layout. `prepare` reads the
 * configuration; it throws `malformed-source` for one that makes no sense, `unsupported-feature` for one that is not served.
 * What it returns keeps no chunk.
 */
interface CodecBase {
  readonly name: string
  /**
   * Who can decode it: every v3 client (`portable`, CHUNK-6), those that know its published name (`native`), or
   * only this server (`internal`). A function where the configuration decides.
   */
  readonly reach: Reach | ((configuration: JsonObject, inner: (encoding: Encoding) => Reach) => Reach)
  /** The server can also write it: what is prepared has `encode`. */
  readonly writes?: true
}

/** Who can decode: every v3 client, those that know the published name, or only this server. */
export type Reach = 'portable' | 'native' | 'internal'

/** From array to array: transpose, delta, scale and offset, a field of a record. */
export interface ArrayCodec<Parameters = JsonObject> extends CodecBase {
  readonly kind: 'array'
  /** `layout` is the decoded one. */
  prepare(parameters: Parameters, layout: ChunkLayout): ArrayStep
}

export interface ArrayStep {
  /** The layout on the stored side of this step. */
  readonly encodedLayout: ChunkLayout
  /** From the stored side back. */
  decode(elements: Elements): Elements
  encode?(elements: Elements): Elements
  /** The fill value on the stored side; absent where it stays the same. */
  encodeFill?(fill: Scalar): Scalar
}

/** From array to bytes: `bytes`, `vlen-utf8`, shards, images. */
export interface SerialCodec<Parameters = JsonObject> extends CodecBase {
  readonly kind: 'serial'
  /** It stands behind `bytes`, since its clients take it for one from bytes to bytes; it knows the array's shape all the same. */
  readonly behindBytes?: true
  /** Its bytes only point at the content: `context.read` is needed. */
  readonly readsSource?: true
  /** What lies outside of the array may be left out: it asks for `inside`. */
  readonly mayLackRows?: true
  /** Throws where it can't make elements of this layout. */
  prepare(parameters: Parameters, layout: ChunkLayout, inner: PrepareInner): SerialStep
}

export interface SerialStep {
  /** Present where bytes after those that the layout needs are ignored: writers of some formats leave them there. */
  readonly surplus?: Surplus
  decode(bytes: Uint8Array, context: DecodeContext): Elements | Promise<Elements>
  encode?(elements: Elements): Uint8Array
}

/** How many bytes are needed, and how many there may be. */
export interface Surplus {
  readonly enough: number
  readonly most: number
}

/** From bytes to bytes: compressors, shuffles, checksums. */
export interface ByteCodec<Parameters = JsonObject> extends CodecBase {
  readonly kind: 'bytes'
  /** Each byte of the result comes from those before it and as many bytes: what is not needed after is not needed before. */
  readonly keepsLength?: true
  prepare(parameters: Parameters): ByteStep
}

export interface ByteStep {
  decode(bytes: Uint8Array, context: DecodeContext): Uint8Array
  encode?(bytes: Uint8Array): Uint8Array
}

/** One step between an array and its stored bytes. */
export type Codec = ArrayCodec | SerialCodec | ByteCodec
