import type { Readable } from 'node:stream'
import type { ByteRange } from '../bytes/byte-range.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
}

/** Takes the bytes of a feed; after `end` or `fail` nothing more comes. */
export interface Sink {
  data(bytes: Uint8Array): void
  end(): void
  fail(error: Error): void
}

/** Bytes under way that have no stream of their own: streams cost, and a client's response is one already. */
export interface Feed {
  /** Lets the bytes flow; called once. */
  start(sink: Sink): void
  /** Asks for a rest: a little more may still come. */
  pause(): void
  resume(): void
  /** Ends it; what feeds it is freed, and the sink hears no more. */
  stop(): void
}

/** A file somewhere that can be read by range. It is one version of that file: a change throws `source-changed`. */
export interface Source {
  readonly url: string
  readonly size: number
  /** Names this version of the bytes: a strong ETag, or date and size, or size and a hash of the head. */
  readonly validator: string | undefined
  /** Exactly that many bytes, or it throws. A range outside the file is `malformed-source`: the manifest lied. */
  read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array>
  /** The same, not held in memory. It resolves when the answer's head has been checked; a later failure destroys the stream. */
  stream(range: ByteRange, options?: ReadOptions): Promise<Readable>
  /** The same for one who can do without a stream, where the source has it cheaper so. */
  feed?(range: ByteRange, options?: ReadOptions): Promise<Feed>
  /** Drops what opening brought along; from now on each read asks the origin (and so notices a change). */
  settle?(): void
}

/** Bytes of a whole object, whose length its host told. A part that begins behind the object's end has length 0. */
export interface SourceObject {
  readonly url: string
  /** Length of `body`: the object, or the part that was asked for. */
  readonly length: number
  /** Length of the whole object. */
  readonly size: number
  readonly validator: string | undefined
  /** Position of the first byte of `body` in the object. */
  readonly offset: number
  readonly body: Readable
}

/** A part of an object: from an offset, or the last bytes. */
export type ObjectPart =
  | { readonly kind: 'from'; readonly offset: number; readonly length: number | undefined }
  | { readonly kind: 'last'; readonly length: number }

export interface ObjectOptions extends ReadOptions {
  readonly part?: ObjectPart | undefined
  /** Ask for the head only: `body` is empty and `length` is the object's. */
  readonly headOnly?: boolean | undefined
  /** The document that named the URL, when one did: then the guard is that of references. */
  readonly referrer?: string | undefined
}

/** Everything that can be reached by URL, behind the guard. One instance a process. */
export interface Sources {
  /** Throws `source-not-found`, `source-forbidden`, ... The head that opening brought is kept for the first reads. */
  open(url: string, options?: ReadOptions): Promise<Source>
  /** Like `open`, for a URL that a document named: the same guard, without the server's credentials. */
  openReference(url: string, referrer: string, options?: ReadOptions): Promise<Source>
  /**
   * A URL that a document named, opened by the first read of it: that read's request brings size and version along. A range
   * outside the file is `source-unavailable`: the document lied, not the file.
   */
  reference(url: string, referrer: string): Source
  /** A whole object in one request; undefined when its host says that it does not exist. */
  object(url: string, options?: ObjectOptions): Promise<SourceObject | undefined>
  /** Names directly below a folder, those of folders with a final `/`; undefined when the origin has no listing. */
  list(folder: string, options?: ReadOptions): Promise<readonly string[] | undefined>
  /** Whether the source still is the version with this validator; a conditional request, never the content. */
  isFresh(source: Source, options?: ReadOptions): Promise<boolean>
  close(): Promise<void>
}
