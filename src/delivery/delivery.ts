import type { Readable } from 'node:stream'
import type { StoredCodec } from '../model/encoding.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import type { ObjectOptions, ObjectPart, Source, SourceObject } from '../source/source.ts'

/** What clients are told to decode: SPEC section 2, option `codecs`. */
export type Profile = 'portable' | 'native' | 'raw'

/** How one array's chunks go out: the advertised codecs, and one way for each of the array's encodings. */
export interface DeliveryPlan {
  /** The `codecs` member of the array's document. */
  readonly codecs: readonly StoredCodec[]
  /** By index into `array.encodings`. */
  readonly ways: readonly Way[]
}

/** The cheapest way from stored bytes to wire bytes (docs/architecture.md). */
export type Way =
  | { readonly kind: 'pass' }
  | { readonly kind: 'envelope'; readonly frame: EnvelopeFrame }
  | { readonly kind: 'recode' }

/** The Blosc frame around a foreign stream; `trailing` bytes (a checksum) are cut off the stored bytes first. */
export interface EnvelopeFrame {
  readonly stream: 'zlib' | 'zstd' | 'lz4' | 'raw'
  readonly itemSize: number
  readonly shuffled: boolean
  readonly trailing: number
}

export interface ChunkRequest {
  readonly array: VirtualArray
  readonly plan: DeliveryPlan
  readonly coords: readonly number[]
  /** A client's `Range`, in wire bytes. */
  readonly part?: ObjectPart | undefined
  readonly headOnly?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Names this chunk's wire bytes in the cache of recoded chunks. */
  readonly cacheKey: string
}

export type Delivered =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unsatisfiable'; readonly total: number }
  | {
      readonly kind: 'chunk'
      /** Length of the whole chunk on the wire; `offset` and `length` are the part that `body` holds. */
      readonly total: number
      readonly offset: number
      readonly length: number
      /** The validator of the object the bytes came from, when only its host knows it. */
      readonly version: string | undefined
      /** Undefined for `headOnly`. */
      readonly body: Uint8Array | Readable | undefined
    }

/** What delivery needs of the world, handed over by the service. */
export interface DeliveryWorld {
  /** The source a chunk reference names, opened and pinned. */
  source(index: number, signal?: AbortSignal): Promise<Source>
  /** A whole object of a reference; undefined when it was never written. */
  object(index: number, key: string, options: ObjectOptions): Promise<SourceObject | undefined>
  /** Wire bytes that cost work to make: kept for the next request, made once for concurrent ones. */
  recoded(cacheKey: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>
  /** Runs a recoding off the main thread. */
  readonly workers: RecodeWorkers
}

/** One recoding, as plain data that can cross to a worker. */
export interface RecodeTask {
  readonly stored: Uint8Array
  readonly encoding: readonly StoredCodec[]
  /** The advertised codecs, which the result is encoded with. */
  readonly target: readonly StoredCodec[]
  readonly dataType: VirtualArray['dataType']
  /** The wire chunk; `storedShape` is smaller where the source cuts its edge chunks off. */
  readonly chunkShape: readonly number[]
  readonly storedShape: readonly number[]
  readonly fillValue: VirtualArray['fillValue']
}

export interface RecodeWorkers {
  run(task: RecodeTask, signal?: AbortSignal): Promise<Uint8Array>
  close(): Promise<void>
}
