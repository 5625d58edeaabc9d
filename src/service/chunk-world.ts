import { LRUCache } from 'lru-cache'
import { ownBytes } from '../bytes/own.ts'
import { Codings } from '../compose/coding.ts'
import type { DeliveryWorld, RecodeWorkers, ReferencedFiles } from '../delivery/delivery.ts'
import { Prefetcher } from '../delivery/prefetch.ts'
import { isVirtualZarrError, malformed } from '../errors.ts'
import { lazily } from '../lazily.ts'
import { type ChunkReadsInput, chunkReads } from '../source/chunk-reads.ts'
import type { FileVersions } from '../source/file-versions.ts'
import { waitFor } from '../source/http/retry.ts'
import { type PageCache, sharedPages } from '../source/page-cache.ts'
import type { Source, Sources } from '../source/source.ts'
import type { ParsedSource } from './open-source.ts'
import { isBelow } from './parse-context.ts'
import type { Room } from './room.ts'

/** Most referenced files that one store keeps open. Of the others `FileVersions` remembers the version. */
const MOST_OPEN_REFERENCES = 1000

/** A chunk that stays damaged must not have the pages of its file fetched again and again. */
const DROP_MILLISECONDS = 60_000

/** A referenced file that is open. */
interface OpenReference {
  /** Compares each read with the version that the store knows. */
  readonly pinned: Source
  /** The same, as chunks read it. */
  readonly source: Source
}

/** What the chunks of all sources have in common. */
export interface SharedByChunks {
  readonly recoded: MadeBytes
  readonly decoded: MadeBytes
  readonly pages: PageCache
  readonly prefetcher: Prefetcher
  readonly workers: RecodeWorkers
  readonly room: Room
  /** For how long a version that its origin has confirmed counts as current. */
  readonly freshSeconds: number
}

/** Decoded chunks that several chunks of a view are cut from: kept until the burst that asks for those is over. */
const MOST_DECODED_KEPT = 2 ** 27
const DECODED_MILLISECONDS = 10_000

export function sharedByChunks(
  mostRecoded: number,
  freshSeconds: number,
  workers: RecodeWorkers,
  room: Room,
  pages: PageCache,
): SharedByChunks {
  return {
    recoded: new MadeBytes(mostRecoded),
    decoded: new MadeBytes(MOST_DECODED_KEPT, DECODED_MILLISECONDS),
    pages,
    prefetcher: new Prefetcher(),
    workers,
    room,
    freshSeconds,
  }
}

/** What delivery needs of the world, for the chunks of one parsed source. */
export function chunkWorld(
  parsed: ParsedSource,
  sources: Sources,
  { recoded, decoded, pages, prefetcher, workers, room, freshSeconds }: SharedByChunks,
  versions: FileVersions,
  confirm: ChunkReadsInput['confirm'],
): DeliveryWorld {
  // It has room for all of them from the start, and most stores refer to nothing.
  const opened = lazily(
    () =>
      new LRUCache<number, OpenReference, AbortSignal | undefined>({
        max: MOST_OPEN_REFERENCES,
        ignoreFetchAbort: true,
        fetchMethod: async (index) => {
          const pinned = versions.pinned(await openFirst(parsed, index, sources), keyOf(parsed, index))
          const source = readByChunks(pinned, {
            pages: () => sharedPages(pages, pinned, sources, parsed.url),
            confirm: () => (isConfirmed(index) ? undefined : files.confirm(index)),
          })
          return { pinned, source }
        },
      }),
  )
  /** No promise where it is open already. */
  function reference(index: number): Source | Promise<Source> {
    return opened().get(index)?.source ?? openReference(index).then(({ source }) => source)
  }

  async function openReference(index: number): Promise<OpenReference> {
    const open = await opened().fetch(index)
    if (open === undefined) throw new Error(`opening reference ${index} gave nothing`)
    return open
  }

  /** Files that are being asked, which concurrent requests await together. */
  const asking = new Map<number, Promise<void>>()
  async function ask(index: number): Promise<void> {
    const { pinned } = await openReference(index)
    // What opening has brought along tells nothing of now.
    if (versions.versionOf(keyOf(parsed, index)) !== undefined) pinned.settle?.()
    await pinned.read({ offset: 0, length: 1 })
  }

  /** Files that were read with the metadata are asked together with it. */
  const isConfirmed = (index: number) => {
    const key = keyOf(parsed, index)
    return versions.versionOf(key) !== undefined && (versions.isOfStore(key) || versions.isRecent(key, freshSeconds))
  }

  const files: ReferencedFiles = {
    urlOf: (index) => urlOf(parsed, index),
    known: (index) => versions.versionOf(keyOf(parsed, index)),
    isWeak: (index) => versions.isWeak(keyOf(parsed, index)),
    isFixed: (index) => parsed.conditions.has(index) || versions.isOfStore(keyOf(parsed, index)),
    async confirm(index) {
      if (isConfirmed(index)) return
      const asked = asking.get(index) ?? ask(index).finally(() => asking.delete(index))
      asking.set(index, asked)
      await asked
    },
  }

  const [document] = parsed.documents
  const own = readByChunks(parsed.source, {
    // What was inflated is another file than its origin's.
    pages: () => (parsed.source === document ? sharedPages(pages, parsed.source, sources) : undefined),
    confirm,
  })
  let droppedAt = Number.NEGATIVE_INFINITY
  const isLocal = parsed.url.startsWith('file:')
  const world: DeliveryWorld = {
    dropPages() {
      if (performance.now() - droppedAt < DROP_MILLISECONDS) return
      droppedAt = performance.now()
      own.dropPages?.()
      for (const { source } of opened().values()) source.dropPages?.()
    },
    noteRead: isLocal ? undefined : (chunk) => prefetcher.note(chunk, world),
    files: parsed.parts === undefined ? files : undefined,
    freshSeconds,
    file: parsed.parts === undefined ? parsed.publicUrl : undefined,
    source: (index, _signal, key) => {
      if (key !== undefined) return sources.reference(new URL(key, urlOf(parsed, index)).href, parsed.url)
      return index === 0 ? own : reference(index)
    },
    async object(index, key, options) {
      const url = new URL(key, urlOf(parsed, index)).href
      return await sources.object(url, isBelow(url, parsed.url) ? options : { ...options, referrer: parsed.url })
    },
    part: async (part) => {
      if (parsed.parts === undefined) throw malformed(`a chunk names source ${part} of a store that is no join`)
      return (await parsed.parts.opened(part)).world
    },
    room: (bytes, work, signal) => room.within(bytes, work, signal),
    hold: (bytes) => room.hold(bytes),
    recoded: (key, make, signal) => recoded.get(key, make, signal),
    decoded: (key, make, signal) => decoded.get(key, make, signal),
    workers,
    codings: new Codings(),
  }
  return world
}

/** A file of this machine has no rounds that could be saved. */
function readByChunks(source: Source, input: ChunkReadsInput): Source {
  return source.url.startsWith('file:') ? source : chunkReads(source, input)
}

/** The same for arrays of a join that is being opened: all references count from its sources, and nothing that is made is kept. */
export function joinedWorld(
  part: NonNullable<DeliveryWorld['part']>,
  workers: RecodeWorkers,
  room: Room,
): DeliveryWorld {
  const none = () => Promise.reject(malformed('an array of a join names no source'))
  return {
    freshSeconds: 0,
    source: none,
    object: none,
    part,
    room: (bytes, work, signal) => room.within(bytes, work, signal),
    hold: (bytes) => room.hold(bytes),
    recoded: (_key, make, signal = new AbortController().signal) => make(signal),
    decoded: (_key, make, signal = new AbortController().signal) => make(signal),
    workers,
    codings: new Codings(),
  }
}

/** Opens a reference; with alternatives, the first that is there. Those that are refused may not be named, but don't stop the search. */
async function openFirst(parsed: ParsedSource, index: number, sources: Sources): Promise<Source> {
  const others = parsed.alternatives.get(index) ?? []
  // The only place it can be: opened by its first read, at no request of its own.
  if (others.length === 0) return sources.reference(urlOf(parsed, index), parsed.url, parsed.conditions.get(index))
  let failure: unknown
  for (const url of [urlOf(parsed, index), ...others]) {
    try {
      return await sources.openReference(url, parsed.url)
    } catch (error) {
      if (!isAbsent(error)) throw error
      failure ??= error
    }
  }
  throw failure
}

/** Object stores answer 403 for what does not exist, to those who may not list. */
function isAbsent(error: unknown): boolean {
  return (
    isVirtualZarrError(error, 'source-not-found') ||
    isVirtualZarrError(error, 'source-denied') ||
    isVirtualZarrError(error, 'source-forbidden')
  )
}

/** Names a reference among those of its document, as long as the store is open: numbers are given in the order of use. */
function keyOf(parsed: ParsedSource, index: number): string {
  const condition = parsed.conditions.get(index)
  const url = urlOf(parsed, index)
  if (condition !== undefined) return `${url}\n${condition.etag ?? ''}\n${condition.unmodifiedSince ?? ''}`
  const others = parsed.alternatives.get(index)
  return others === undefined ? url : [url, ...others].join('\n')
}

function urlOf(parsed: ParsedSource, index: number): string {
  const url = parsed.references[index]
  if (url === undefined) throw malformed(`chunk reference ${index} names no source`, { url: parsed.url })
  return url
}

/** Work that somebody waits for. */
interface Making {
  readonly bytes: Promise<Uint8Array>
  readonly abandoned: AbortController
  waiting: number
}

/** Bytes that cost work to make, weighed in bytes: made once for all who ask at a time, and given up when all of them have left. */
export class MadeBytes {
  readonly #kept: LRUCache<string, Uint8Array>
  readonly #making = new Map<string, Making>()

  constructor(maxBytes: number, keptMilliseconds = 0) {
    this.#kept = new LRUCache<string, Uint8Array>({
      maxSize: maxBytes,
      ttl: keptMilliseconds,
      // What is kept for a short time must not stay until something else takes its room.
      ttlAutopurge: keptMilliseconds > 0,
      sizeCalculation: ({ buffer }) => buffer.byteLength + 200,
    })
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  async get(
    key: string,
    make: (signal: AbortSignal) => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const making = this.#making.get(key) ?? this.#begin(key, make)
    making.waiting++
    try {
      return await waitFor(making.bytes, signal)
    } finally {
      making.waiting--
      if (making.waiting === 0) this.#abandon(key, making)
    }
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<Uint8Array>): Making {
    const abandoned = new AbortController()
    const making: Making = { bytes: this.#made(key, make, abandoned.signal), abandoned, waiting: 0 }
    this.#making.set(key, making)
    const end = () => void this.#forget(key, making)
    making.bytes.then(end, end)
    return making
  }

  async #made(
    key: string,
    make: (signal: AbortSignal) => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const bytes = ownBytes(await make(signal))
    this.#kept.set(key, bytes)
    return bytes
  }

  /** Who asks from now on begins anew. */
  #abandon(key: string, making: Making): void {
    if (this.#forget(key, making)) making.abandoned.abort()
  }

  /** Whether it was still under way. */
  #forget(key: string, making: Making): boolean {
    return this.#making.get(key) === making && this.#making.delete(key)
  }
}
