import { createHash } from 'node:crypto'
import type { Feed } from '../bytes/feed.ts'
import { isVirtualZarrError, VirtualZarrError } from '../errors.ts'
import { publicUrl } from './public-url.ts'
import { readAnew, type Source } from './source.ts'

/** Version of a file, and when its origin last confirmed it (milliseconds of the monotonic clock). */
interface KnownVersion {
  readonly version: string
  readonly isWeak: boolean
  checkedAt: number
}

export interface FileVersionsInput {
  /** Versions that are known from the start: those of files that were read with the metadata, by URL. */
  readonly documents: ReadonlyMap<string, string>
  /** When the document that names the files was last modified, in seconds since 1970. */
  readonly modified: number | undefined
  /** A file is newer than the document that points into it; called for the first one. */
  onOutdated(): void
}

/** URLs that are shown of files that are newer than their document. */
const MAX_SHOWN_URLS = 20
/** Memory for an entry of the table besides its key, which the list of references has anyway. */
const ENTRY_BYTES = 200

/**
 * Versions of the files that documents of references name. Each file has one version while its store is open: the one that the first
 * read found. The table is apart from open handles, of which only the recent ones are kept, and is never evicted.
 */
export class FileVersions {
  readonly #input: FileVersionsInput
  readonly #known = new Map<string, KnownVersion>()
  /** Files that were found to be of another version since. */
  readonly #changed = new Set<string>()
  readonly #outdated: Set<string>

  constructor(input: FileVersionsInput, outdated: ReadonlySet<string> = new Set()) {
    this.#input = input
    this.#outdated = new Set(outdated)
  }

  /** Whether a file has another version by now: its chunks are refused until the metadata is asked for again. */
  get hasChanges(): boolean {
    return this.#changed.size > 0
  }

  /** Files that are newer than their document: how many are known, and the URLs of the first. */
  get outdated(): { readonly count: number; readonly urls: readonly string[] } {
    return { count: this.#outdated.size, urls: [...this.#outdated].slice(0, MAX_SHOWN_URLS).map(publicUrl) }
  }

  /** Bytes of memory. */
  get weight(): number {
    return (this.#known.size + this.#changed.size + this.#outdated.size) * ENTRY_BYTES
  }

  /** The table once changes are accepted: files that changed have no version until they are read, the others keep theirs. */
  renewed(): FileVersions {
    const renewed = new FileVersions(this.#input, this.#outdated)
    for (const [key, known] of this.#known) if (!this.#changed.has(key)) renewed.#known.set(key, { ...known })
    return renewed
  }

  /**
   * Takes over what another table of the same document knows, so that who has used that one sees no second version of a file; false
   * where this one knows another version already.
   */
  adopt(before: FileVersions): boolean {
    for (const key of before.#changed) if (!this.#changed.has(key)) return false
    for (const [key, { version }] of before.#known) {
      if ((this.#known.get(key)?.version ?? version) !== version) return false
    }
    for (const [key, known] of before.#known) if (!this.#known.has(key)) this.#known.set(key, { ...known })
    return true
  }

  /** The name of a file's version; undefined while nothing was read of it. Throws `source-changed` for one that was replaced. */
  versionOf(key: string): string | undefined {
    if (this.#changed.has(key)) throw this.#replaced(key)
    return this.#known.get(key)?.version ?? this.#input.documents.get(key)
  }

  /** Whether another version of the file may have the same name. */
  isWeak(key: string): boolean {
    return this.#known.get(key)?.isWeak === true
  }

  /** Whether the version was read together with the metadata, so that the store's version names it. */
  isOfStore(key: string): boolean {
    return this.#input.documents.has(key)
  }

  /** Whether its origin has confirmed the version within so many seconds. */
  isRecent(key: string, seconds: number): boolean {
    const known = this.#known.get(key)
    return known !== undefined && performance.now() - known.checkedAt < seconds * 1000
  }

  /** The same file, each of whose reads is compared with the version in the table, and confirms it. */
  pinned(inner: Source, key: string): Source {
    let version: string | undefined
    const confirm = () => {
      version ??= nameOf(inner)
      if (version !== undefined) this.#confirm(key, version, inner)
    }
    const failed = (error: unknown): never => {
      if (!isVirtualZarrError(error, 'source-changed')) throw error
      throw this.#replaced(key, error)
    }
    const checkedBytes = (bytes: Uint8Array) => {
      confirm()
      return bytes
    }
    const checkedFeed = (feed: Feed) => {
      try {
        confirm()
      } catch (error) {
        feed.stop()
        throw error
      }
      return feed
    }
    return readAnew(inner, {
      read: (range, options) => inner.read(range, options).then(checkedBytes, failed),
      feed: (range, options) => inner.feed(range, options).then(checkedFeed, failed),
    })
  }

  #confirm(key: string, version: string, source: Source): void {
    const before = this.versionOf(key)
    if (before !== undefined && before !== version) throw this.#replaced(key)
    const known = this.#known.get(key)
    if (known !== undefined) {
      known.checkedAt = performance.now()
      return
    }
    this.#known.set(key, { version, isWeak: source.isWeak === true, checkedAt: performance.now() })
    this.#compareDates(source)
  }

  /** Notes that a file has another version; the error says so. */
  #replaced(key: string, cause?: unknown): VirtualZarrError {
    const [url = ''] = key.split('\n', 1)
    const shown = { url: publicUrl(url) }
    if (this.isOfStore(key)) {
      return new VirtualZarrError('source-changed', 'a file was replaced since the store was opened', shown, cause)
    }
    this.#changed.add(key)
    return new VirtualZarrError(
      'source-changed',
      'a data file was replaced since the store first read it; once zarr.json is asked for again, its chunks are those of the new version',
      { ...shown, isReferenced: true },
      cause,
    )
  }

  #compareDates({ modified, url }: Source): void {
    if (modified === undefined || this.#input.modified === undefined || modified <= this.#input.modified) return
    this.#outdated.add(url)
    if (this.#outdated.size === 1) this.#input.onOutdated()
  }
}

/** Names a file and its version; undefined for one that was not opened yet. */
export function nameOf({ url, validator, size }: Pick<Source, 'url' | 'validator' | 'size'>): string | undefined {
  if (validator === undefined && size === Number.POSITIVE_INFINITY) return undefined
  return createHash('sha256')
    .update(`${url}\n${validator ?? `${size} bytes`}`)
    .digest('base64url')
    .slice(0, 16)
}
