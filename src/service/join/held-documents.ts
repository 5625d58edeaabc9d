import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { VirtualZarrError } from '../../errors.ts'
import { readJoinDocument } from '../../joins/read-document.ts'
import { memorySource } from '../../source/memory.ts'
import type { OpenOptions, Sources } from '../../source/source.ts'

/** The scheme of documents that lie in this process: a digest of them follows. */
const SCHEME = 'join:'

/** Documents that clients posted are kept up to this: those that were used last. */
const MOST_POSTED_BYTES = 64 * 2 ** 20

/** Where posted documents outlive the process, and other processes find them; it never throws. */
export interface DocumentKeeper {
  get(url: string): Promise<Uint8Array | undefined>
  put(url: string, bytes: Uint8Array): Promise<boolean>
}

/** What a client waits for its document to be where others find it. */
const MOST_WAIT_MILLISECONDS = 20
/** A user name or a query in a URL: it may be a secret, and is written nowhere. */
const MAYBE_SECRET = /:\/\/[^\s"'/]*@|\?[^\s"']*=/

/** Join documents that lie nowhere but here: of the catalog, for good, and posted ones, as long as there is room. */
export class HeldDocuments {
  readonly #keeper: DocumentKeeper | undefined
  readonly #listed = new Map<string, Uint8Array>()
  readonly #posted = new LRUCache<string, Uint8Array>({
    maxSize: MOST_POSTED_BYTES,
    sizeCalculation: (bytes) => bytes.length + 200,
  })

  constructor(keeper?: DocumentKeeper) {
    this.#keeper = keeper
  }

  /** Keeps a document of the catalog; answers its URL. */
  list(bytes: Uint8Array): string {
    const url = heldUrl(bytes)
    this.#listed.set(url, bytes)
    return url
  }

  /** Keeps a document that a client gave, if it is one; the same one always has the same URL. */
  async post(bytes: Uint8Array): Promise<string> {
    await readJoinDocument(bytes)
    const url = heldUrl(bytes)
    this.#posted.set(url, bytes)
    if (this.#keeper !== undefined && !MAYBE_SECRET.test(Buffer.from(bytes).toString('latin1')))
      await Promise.race([this.#keeper.put(url, bytes), waited(MOST_WAIT_MILLISECONDS)])
    return url
  }

  /** A document that is held here, or was posted to another process. */
  async find(url: string): Promise<Uint8Array | undefined> {
    const held = this.#listed.get(url) ?? this.#posted.get(url)
    if (held !== undefined) return held
    const kept = await this.#keeper?.get(url)
    if (kept === undefined || heldUrl(kept) !== url) return undefined
    this.#posted.set(url, kept)
    return kept
  }
}

/** Whether a URL names a document by what is in it: nothing is beside it, and it never changes. */
export function isHeldUrl(url: string): boolean {
  return url.startsWith(SCHEME)
}

/** The URL of a document: a digest of it. */
export function heldUrl(bytes: Uint8Array): string {
  return `${SCHEME}${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}`
}

function waited(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The same sources, and the documents held here among them. No document may name one: a join is no source of a join. */
export function withHeldDocuments(sources: Sources, documents: HeldDocuments): Sources {
  return {
    ...sources,
    async open(url: string, options?: OpenOptions) {
      if (!isHeldUrl(url)) return await sources.open(url, options)
      const bytes = await documents.find(url)
      if (bytes !== undefined) return memorySource(url, bytes, url)
      throw new VirtualZarrError('source-not-found', 'no such join document is held here (any more): POST /joins it', {
        url,
      })
    },
    scopeOf: (url) => (isHeldUrl(url) ? '' : sources.scopeOf(url)),
    isFresh: async (source, options) => isHeldUrl(source.url) || (await sources.isFresh(source, options)),
  }
}
