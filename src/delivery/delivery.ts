import type { ByteRange } from '../bytes/byte-range.ts'
import type { Feed } from '../bytes/feed.ts'
import type { EnvelopeFrame } from '../codecs/kernels/blosc-frame.ts'
import type { Coding, Codings } from '../compose/coding.ts'
import type { FoundChunk } from '../compose/found-chunk.ts'
import type { Program, ProgramChunk } from '../compose/program.ts'
import type { StoredCodec } from '../model/encoding.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import type { ObjectOptions, ObjectPart, Source } from '../source/source.ts'
import type { NotedChunk } from './prefetch.ts'

/** What clients are told to decode: OPT-1, option `codecs`. */
export type Profile = 'portable' | 'native' | 'raw'

/** How one array's chunks go out: the advertised codecs, and one way for each of the array's encodings. */
export interface DeliveryPlan {
  /** The `codecs` member of the array's document. */
  readonly codecs: readonly StoredCodec[]
  /** By index into `array.encodings`. */
  readonly ways: readonly Way[]
  /** Chunks hang over the far edge, and are stored without what hangs over: those must be filled up. */
  readonly cropsEdges: boolean
  /** Length of every wire chunk, where it is always the same: nothing on the wire is compressed or of varying length. */
  readonly wireLength: number | undefined
  readonly profile: Profile
  readonly target: Target
}

/** What is advertised: codecs that make bytes of the array, and those around them. */
export interface Target {
  readonly head: readonly StoredCodec[]
  readonly outer: readonly StoredCodec[]
}

/** The cheapest way from stored bytes to wire bytes (docs/architecture.md). */
export type Way =
  /** The stored bytes are the wire bytes. */
  | { readonly kind: 'pass'; readonly cut: Cut }
  /** A Blosc frame around the stored stream. */
  | { readonly kind: 'envelope'; readonly cut: Cut; readonly frame: EnvelopeFrame }
  /** The outermost codecs are undone, but for the innermost that are kept: those bytes are the wire bytes. */
  | { readonly kind: 'peel'; readonly kept: number }
  /** Decoded, filled up to a whole chunk, and encoded as advertised. */
  | { readonly kind: 'recode' }

/** Bytes that are left off both ends of the stored chunk: headers and checksums of codecs that aren't advertised. */
export interface Cut {
  readonly leading: number
  readonly trailing: number
}

/** One chunk that a client asks for, or a part of one. */
export interface ChunkRequest {
  readonly array: VirtualArray
  readonly plan: DeliveryPlan
  readonly coords: readonly number[]
  /** What the chunk is, as indexes say. */
  readonly found: FoundChunk
  /** A client's `Range`, in wire bytes. */
  readonly part?: ObjectPart | undefined
  readonly headOnly?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Names this chunk's wire bytes in the cache of recoded chunks. */
  readonly cacheKey: string
  /** Of a join: names the sources that it is made of, as this process has opened them, for keys of caches. */
  readonly versions?: string | undefined
  /** Objects are among what it is made of, at whatever depth: those change without the store knowing. */
  readonly hasObjects?: boolean | undefined
}

/** What there is to send; errors are thrown before a body begins. */
export type Delivered =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unsatisfiable'; readonly total: number }
  | {
      readonly kind: 'chunk'
      /** Length of the whole chunk on the wire; `offset` and `length` are the part that `body` holds. */
      readonly total: number
      readonly offset: number
      readonly length: number
      /** Names the version of the objects the bytes came from, when only their host knows it: its validator, or a hash of the bytes. */
      readonly version: string | undefined
      /** Another version of these objects may have the same name. */
      readonly isWeak?: boolean | undefined
      /** Undefined for `headOnly`. */
      readonly body: Uint8Array | Feed | undefined
    }

/** The files besides the parsed one that chunks are read from: each of one version while the store is open. */
export interface ReferencedFiles {
  /** Where a file is, by its number. */
  urlOf(index: number): string
  /** The name of its version; undefined while nothing was read of it. Throws `source-changed` for one that was replaced. */
  known(index: number): string | undefined
  /** Whether another version of the file may have the same name. */
  isWeak(index: number): boolean
  /** Whether the version of the store names the file's version, too. */
  isFixed(index: number): boolean
  /** Asks the origin, where it has not confirmed the version a short while ago; throws `source-changed` for another version. */
  confirm(index: number): Promise<void>
}

/** What delivery needs of the world, handed over by the service. */
export interface DeliveryWorld {
  /** Undefined for a join, whose sources have their own. */
  readonly files?: ReferencedFiles | undefined
  /** The source a chunk reference names (or an object below it), opened and pinned; no promise where it is so already. */
  source(index: number, signal?: AbortSignal, key?: string): Source | Promise<Source>
  /** Told of each chunk that is read for a client, so that those which come next may be fetched. */
  readonly noteRead?: ((chunk: NotedChunk) => void) | undefined
  /** A chunk does not decode: bytes that are kept of its files are fetched anew, in case that they were damaged on their way. */
  dropPages?(): void
  /** An object of a reference, opened by what will be read of it; undefined when it was never written. */
  object(index: number, key: string, options: ObjectOptions): Promise<Source | undefined>
  /** For how long what an origin has confirmed counts as current. */
  readonly freshSeconds: number
  /** What errors call the file; undefined for a join. */
  readonly file?: string | undefined
  /** The same for a source of a join, opened and pinned. */
  part?(part: number): Promise<DeliveryWorld>
  /** Runs work that holds about so many bytes, once there is room for them. Such work never asks for room itself. */
  room<T>(bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Counts bytes of that room that are there already, until what it returns is called. */
  hold(bytes: number): () => void
  /** Wire bytes that cost work to make: kept for the next request, made once for concurrent ones. */
  readonly recoded: KeepMade
  /** The same for decoded chunks of the source, kept for a short time: neighbouring chunks of a view are cut from them. */
  readonly decoded: KeepMade
  /** Runs a recoding off the main thread. */
  readonly workers: RecodeWorkers
  readonly codings: Codings
}

/** Makes bytes once for all who ask for them under a key; `make` is told when nobody waits for it any more. */
type KeepMade = (
  key: string,
  make: (signal: AbortSignal) => Promise<Uint8Array>,
  signal?: AbortSignal,
) => Promise<Uint8Array>

/** What a worker does; to the worker it crosses with numbers in place of codings. */
export type RecodeTask<Name = Coding> = ComposeTask<Name> | PeelTask<Name>

/** A wire chunk composed of one stored chunk or several. */
export interface ComposeTask<Name = Coding> {
  readonly kind: 'compose'
  readonly program: Program<number>
  /** In the order in which the program numbers them. */
  readonly chunks: readonly ProgramChunk<Name>[]
  /** Of the wire chunk. */
  readonly target: Name
}

/** The outermost codecs of one stored chunk undone; `length` is what must come out, where that is known. */
export interface PeelTask<Name = Coding> {
  readonly kind: 'peel'
  readonly stored: Uint8Array
  readonly coding: Name
  /** Byte codecs that stay. */
  readonly kept: number
  readonly length: number | undefined
}

/** Reads the source again, for codecs whose bytes only point at the content. */
export type ReadAgain = (range: ByteRange) => Promise<Uint8Array>

/** Threads that do what would keep all other requests waiting. */
export interface RecodeWorkers {
  /** `read` is for codecs whose bytes only point at the content. */
  run(task: RecodeTask, signal?: AbortSignal, read?: ReadAgain): Promise<Uint8Array>
  close(): Promise<void>
}
