import type { ByteRange } from '../bytes/byte-range.ts'
import type { Feed } from '../bytes/feed.ts'
import type { DeliveryWorld, RecodeWorkers } from '../delivery/delivery.ts'
import { partRange } from '../delivery/part.ts'
import { invalidRequest, isVirtualZarrError, VirtualZarrError } from '../errors.ts'
import type { ObjectPart, Sources } from '../source/source.ts'
import { parseZarrKey } from '../zarr/keys.ts'
import type { Coding, Document, Representation } from './document.ts'
import { entriesAt, type ListedEntry, type ListingDepth } from './listing.ts'
import type { ParsedSource } from './open-source.ts'
import type { OpenStore, StoreNode } from './open-store.ts'
import {
  type Opened,
  type OpenedStores,
  openedStores,
  type StoreServiceSettings,
  type StoreStatistics,
} from './opened-stores.ts'
import { holds, readChunk } from './read-chunk.ts'
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

/** What a key answers with. Absence is an answer; only what went wrong is thrown. */
export type Answer =
  | {
      readonly kind: 'document'
      readonly content: Representation
      readonly coding: Coding
      /** The part of it that was asked for, which may happen to be all of it. */
      readonly part: ByteRange | undefined
      readonly version: string
    }
  | {
      readonly kind: 'chunk'
      readonly etag: string
      readonly total: number
      readonly offset: number
      readonly length: number
      /** Whether it answers a wish for a part, which may happen to be all of it. */
      readonly isPart: boolean
      readonly body: ChunkBody | undefined
    }
  | { readonly kind: 'unsatisfiable'; readonly total: number }
  | { readonly kind: 'listing'; readonly entries: readonly string[] }
  /** A folder, asked for without its final slash. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'not-modified'; readonly etag: string; readonly vary: boolean }
  | { readonly kind: 'absent' }

/** An opened store, for those who describe it rather than serve it. */
export interface StoreDescription {
  readonly parsed: ParsedSource
  readonly store: OpenStore
  /** The way to the sources of its chunks. */
  readonly world: DeliveryWorld
}

export interface StoreService {
  /** No promise for a document of a store that is open: a warm request only looks up. */
  get(request: StoreRequest): Answer | Promise<Answer>
  /** What lies at a path of a store and below it; undefined where it has no such node. */
  list(address: StoreAddress, path: string, depth: ListingDepth): Promise<readonly ListedEntry[] | undefined>
  describe(address: StoreAddress): Promise<StoreDescription>
  readonly statistics: StoreStatistics
}

/** The facade: where bytes, formats and Zarr meet. */
export function storeService(sources: Sources, workers: RecodeWorkers, settings: StoreServiceSettings): StoreService {
  const opened = openedStores(sources, workers, settings)
  return {
    get(request) {
      const key = parseZarrKey(request.key)
      switch (key.kind) {
        case 'metadata': {
          const warm = opened.warm(request.address)
          return warm === undefined ? coldDocument(opened, request, key.path) : documentAt(warm, request, key.path)
        }
        case 'chunk':
          return chunk(opened, request, key.path, key.coords)
        case 'folder':
          return listing(opened, request, key.path)
        case 'none':
          return folderWithoutSlash(opened, request)
      }
    },
    async list(address, path, depth) {
      const { store } = await opened.current(address)
      return entriesAt(store, path, depth)
    },
    async describe(address) {
      const { entry, store } = await opened.current(address)
      return { parsed: entry.parsed, store, world: opened.world(entry.parsed) }
    },
    get statistics() {
      return opened.statistics
    },
  }
}

async function coldDocument(opened: OpenedStores, request: StoreRequest, path: string): Promise<Answer> {
  return await documentAt(await opened.current(request.address), request, path)
}

function documentAt({ entry, store }: Opened, request: StoreRequest, path: string): Answer | Promise<Answer> {
  const node = nodeAt(store, path)
  if (node === undefined) return { kind: 'absent' }
  const { document } = node
  const { coding = 'identity' } = request
  const { version } = entry.parsed
  if (request.part !== undefined) return documentPart(document, request, request.part, version)
  const answer = (content: Representation): Answer => {
    if (holds(request, content.etag)) return { kind: 'not-modified', etag: content.etag, vary: true }
    return {
      kind: 'document',
      content,
      coding: content === document.identity ? 'identity' : coding,
      part: undefined,
      version,
    }
  }
  const content = document.in(coding)
  return content instanceof Promise ? content.then(answer) : answer(content)
}

/** Parts are of the identity coding, whatever others the client takes: object_store reads documents so. */
function documentPart(document: Document, request: StoreRequest, wanted: ObjectPart, version: string): Answer {
  const { identity } = document
  const { bytes, etag } = identity
  if (holds(request, etag)) return { kind: 'not-modified', etag, vary: true }
  const isPart = request.ifRange === undefined || request.ifRange === etag
  const part = partRange(isPart ? wanted : undefined, bytes.length)
  if (part === undefined) return { kind: 'unsatisfiable', total: bytes.length }
  return { kind: 'document', content: identity, coding: 'identity', part: isPart ? part : undefined, version }
}

async function listing(opened: OpenedStores, request: StoreRequest, path: string): Promise<Answer> {
  const { store } = await opened.current(request.address)
  const node = nodeAt(store, path)
  if (node === undefined) return { kind: 'absent' }
  const folders = node.kind === 'group' ? node.folders.map((name) => `${name}/`) : []
  return { kind: 'listing', entries: ['zarr.json', ...folders] }
}

const V2_PROBE = /(?:^|\/)\.z[a-z]+$/

/** fsspec lists a group by its URL without the final slash; the probes of v2 readers stay cheap. */
async function folderWithoutSlash(opened: OpenedStores, request: StoreRequest): Promise<Answer> {
  if (V2_PROBE.test(request.key)) return { kind: 'absent' }
  const { store } = await opened.current(request.address)
  return absentOrFolder(store, request.key)
}

function absentOrFolder(store: OpenStore, key: string): Answer {
  const node = store.nodes.get(key)
  return { kind: node === undefined || node.kind === 'skipped' ? 'absent' : 'moved' }
}

/** Never "absent": a client that misspells the name of an array would read it as fill (RELIABILITY section 1). */
function noChunk(store: OpenStore, key: string): Answer {
  const answer = absentOrFolder(store, key)
  if (answer.kind === 'moved') return answer
  throw invalidRequest('the key is spelled like that of a chunk, but the store has no array at its path')
}

async function chunk(
  opened: OpenedStores,
  request: StoreRequest,
  path: string,
  coords: readonly number[],
): Promise<Answer> {
  const { address } = request
  const { entry, store } = await opened.pinned(address)
  const node = nodeAt(store, path)
  if (node === undefined || node.kind === 'group') return noChunk(store, request.key)
  const before = node.array.chunks.weight()
  try {
    return await readChunk(node, coords, request, {
      world: opened.world(entry.parsed),
      assertFresh: async (soon) => await opened.assertFresh(entry, soon),
    })
  } catch (error) {
    if (isVirtualZarrError(error, 'source-changed')) entry.changed = true
    throw error
  } finally {
    opened.grow(address, entry, node.array.chunks.weight() - before)
  }
}

/** The node at a path; a skipped array answers with why it is skipped. */
function nodeAt(store: OpenStore, path: string): Exclude<StoreNode, { kind: 'skipped' }> | undefined {
  const node = store.nodes.get(path)
  if (node?.kind === 'skipped') throw new VirtualZarrError(node.skipped.code, node.skipped.reason, { path })
  return node
}
