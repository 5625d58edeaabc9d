import type { ByteRange } from '../bytes/byte-range.ts'
import type { Feed } from '../bytes/feed.ts'
import { malformed, overLimit } from '../errors.ts'
import { publicUrl } from './public-url.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** What lies around will not be read: no more is fetched than is asked for. */
  readonly isLone?: boolean | undefined
}

/** One version of a file in the words of its host: what another reader can ask for. */
export interface SourceCondition {
  /** Its entity tag, with or without quotes. */
  readonly etag?: string | undefined
  /** It was not changed later than so many seconds after 1970 began. */
  readonly unmodifiedSince?: number | undefined
}

/** A file somewhere that can be read by range. It is one version of that file: a change throws `source-changed`. */
export interface Source {
  readonly url: string
  readonly size: number
  /** Names this version of the bytes: a strong ETag, or date and size, or size and a hash of the head. */
  readonly validator: string | undefined
  /** True where the origin tells nothing of versions: `validator` is a hash of the head, which a change further on does not change. */
  readonly isGuessed?: boolean | undefined
  /** Two versions may have this validator: a hash of the head, a date of a moment ago, a weak tag. */
  readonly isWeak?: boolean | undefined
  /** The same for other readers; absent before it was opened, and where its host says nothing of versions. */
  readonly condition?: SourceCondition | undefined
  /** When it was last modified, in seconds since 1970, where its host says so; absent before it was opened. */
  readonly modified?: number | undefined
  /** Exactly that many bytes, or it throws. A range outside the file is `malformed-source`: the manifest lied. */
  read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array>
  /** The same, not held in memory. It resolves when the answer's head has been checked. */
  feed(range: ByteRange, options?: ReadOptions): Promise<Feed>
  /** Throws what reading the range would, as far as that is known without asking a remote origin; absent: `checkInside` tells. */
  foresee?(range: ByteRange): Promise<void>
  /** Drops what opening brought along; from now on each read asks the origin (and so notices a change). */
  settle?(): void
  /** Fetches ranges that somebody will ask for, as far as they are not there already; absent where nothing is kept. */
  prefetch?(ranges: readonly ByteRange[]): Prefetched
  /** What is kept of it turned out to be damaged. */
  dropPages?(): void
}

/** Bytes between two ranges that nobody asked for: fewer than another request costs. */
export const MAX_GAP_BYTES = 2 ** 15

/** Longer chunks are worth a round each. */
export const MAX_PREFETCHED_CHUNK_BYTES = 2 ** 21

/** What was begun. */
export interface Prefetched {
  readonly bytes: number
  /** Ends what is still to come, but for those who wait for it. */
  stop(): void
  /** Resolves when all of it has come, or will not come. */
  readonly done: Promise<void>
}

/** A part of an object: from an offset, or the last bytes. */
export type ObjectPart =
  | { readonly kind: 'from'; readonly offset: number; readonly length: number | undefined }
  | { readonly kind: 'last'; readonly length: number }

/** What an object is expected to be, beyond what its host says of it. */
export interface ObjectCheck {
  /** So many bytes of a range must be seen, from its start. */
  sees(range: ByteRange, size: number): number
  /** Why it can't be that, by what is seen of a range and by its size; undefined where it can. */
  fault(seen: Uint8Array, range: ByteRange, size: number): string | undefined
}

export interface ObjectOptions extends ReadOptions {
  /** What fails it is asked for again, and is `malformed-source` in the end. */
  readonly check?: ObjectCheck | undefined
  /** What will be read of it: the first answer brings that along. Without it, the whole. */
  readonly part?: ObjectPart | undefined
  /** Nothing will be read: the first answer brings size and version only. */
  readonly headOnly?: boolean | undefined
  /** The document that named the URL, when one did: then the guard is that of references. */
  readonly referrer?: string | undefined
}

export interface OpenOptions extends ReadOptions {
  /** What fails it is asked for a few times more; then it is what there is. */
  readonly check?: ObjectCheck | undefined
  /** Length of the first request, where that is not the usual one. */
  readonly headBytes?: number | undefined
}

/** JSON that is worth parsing: it begins as an object or a list, and ends as one where its end is seen. */
export const JSON_DOCUMENT: ObjectCheck = {
  sees: (range, size) => (size <= 65_536 ? range.length : Math.min(range.length, 256)),
  fault: (seen, _range, size) => {
    const text = Buffer.from(seen.buffer, seen.byteOffset, seen.length).toString('latin1')
    if (!/^(?:\xef\xbb\xbf)?\s*[{[]/.test(text)) return 'no JSON document'
    return seen.length < size || /[}\]]\s*$/.test(text) ? undefined : 'a JSON document without its end'
  },
}

export interface ListOptions extends ReadOptions {
  /** The document that named the folder, when one did: then it is listed without the server's credentials. */
  readonly referrer?: string | undefined
}

/** Everything that can be reached by URL, behind the guard. One instance a process. */
export interface Sources {
  /** Throws `source-not-found`, `source-forbidden`, ... The head that opening brought is kept for the first reads. */
  open(url: string, options?: OpenOptions): Promise<Source>
  /** Like `open`, for a URL that a document named: the same guard, without the server's credentials. */
  openReference(url: string, referrer: string, options?: OpenOptions): Promise<Source>
  /**
   * A URL that a document named, opened by the first read of it: that read's request brings size and version along. A range
   * outside the file is `source-unavailable`: the document lied, not the file. A file that does not meet the condition is
   * `source-not-found`: what the document names is not there any more.
   */
  reference(url: string, referrer: string, condition?: SourceCondition): Source
  /**
   * An object of which only its host knows size and version; undefined when its host says that it does not exist. The one
   * request that tells them brings its bytes along: to be read, or given up by `settle`.
   */
  object(url: string, options?: ObjectOptions): Promise<Source | undefined>
  /** Names directly below a folder, those of folders with a final `/`; undefined when the origin has no listing. */
  list(folder: string, options?: ListOptions): Promise<readonly string[] | undefined>
  /** Whether the source still is the version with this validator; a conditional request, never the content. */
  isFresh(source: Source, options?: ReadOptions): Promise<boolean>
  /** What another process needs to know of an opened source to have it without asking: plain data, without its URL. */
  tell(source: Source): unknown
  /** A source of the version that was told; nothing is asked, so `isFresh` is the next question. The same guard as for opening. */
  known(url: string, told: unknown, referrer?: string): Source
  /** With whose credentials a URL is read, without a word of them: what is known of it is shared only within. */
  scopeOf(url: string): string
  close(): Promise<void>
}

/** The same file, read in another way. What is known of one that is opened by its first read, is known after that. */
export function readAnew(inner: Source, reads: Pick<Source, 'read' | 'feed'>): Source {
  return {
    url: inner.url,
    get size() {
      return inner.size
    },
    get validator() {
      return inner.validator
    },
    get isGuessed() {
      return inner.isGuessed
    },
    get isWeak() {
      return inner.isWeak
    },
    get condition() {
      return inner.condition
    },
    get modified() {
      return inner.modified
    },
    foresee: async (range) => (inner.foresee === undefined ? checkInside(range, inner) : await inner.foresee(range)),
    settle: () => inner.settle?.(),
    ...reads,
  }
}

/** Most bytes that one read may hold in memory. */
export const MOST_READ_BYTES = 2 ** 31

/** Throws `malformed-source` for a range that is not inside the file: whoever named it lied. */
export function checkInside(range: ByteRange, source: { readonly url: string; readonly size: number }): void {
  if (isInside(range, source)) return
  const { offset, length } = range
  const message = `bytes ${offset}+${length} are expected in a file of ${source.size} bytes`
  throw malformed(message, { url: publicUrl(source.url), offset })
}

export function isInside({ offset, length }: ByteRange, { size }: { readonly size: number }): boolean {
  const areLengths = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0
  return areLengths && length <= size - offset
}

/** Throws `limit-exceeded` for a range that nobody should hold in memory. */
export function checkReadable(range: ByteRange, source: { readonly url: string }): void {
  if (range.length <= MOST_READ_BYTES) return
  const message = `${range.length} bytes are too many to be read at once, at most ${MOST_READ_BYTES}`
  throw overLimit(message, { url: publicUrl(source.url), offset: range.offset })
}

/** Where a client's range lies in a body of this length; undefined when it can't be satisfied (RFC 9110, section 14.1.2). */
export function partRange(part: ObjectPart | undefined, total: number): ByteRange | undefined {
  if (part === undefined) return { offset: 0, length: total }
  if (part.kind === 'last') {
    const length = Math.min(part.length, total)
    return length === 0 ? undefined : { offset: total - length, length }
  }
  if (part.offset >= total) return undefined
  return { offset: part.offset, length: Math.min(part.length ?? total, total - part.offset) }
}
