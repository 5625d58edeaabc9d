import type { DeliveryWorld, RecodeWorkers } from '../delivery/delivery.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import type { Sources } from '../source/source.ts'
import { answerChunk } from './answer-chunk.ts'
import { answerDocument, isLastingOf, nodeAt } from './answer-document.ts'
import type { Progress } from './join/progress.ts'
import { entriesAt, type ListedEntry, type ListingDepth } from './listing.ts'
import type { ParsedSource } from './open-source.ts'
import type { OpenStore } from './open-store.ts'
import { OpenedSources } from './opened-sources.ts'
import type { StoreAddress } from './store-address.ts'
import type { Answer, StoreRequest } from './store-request.ts'
import type { StoreServiceSettings, StoreStatistics } from './store-settings.ts'

/** An opened store, for those who describe it rather than serve it. */
export interface StoreDescription {
  readonly parsed: ParsedSource
  readonly store: OpenStore
  /** The way to the sources of its chunks. */
  readonly world: DeliveryWorld
  /** What was noticed since it was opened. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface StoreService {
  /** No promise for a document of a store that is open: a warm request only looks up. */
  get(request: StoreRequest): Answer | Promise<Answer>
  /** What lies at a path of a store and below it; undefined where it has no such node. */
  list(address: StoreAddress, path: string, depth: ListingDepth): Promise<readonly ListedEntry[] | undefined>
  describe(address: StoreAddress): Promise<StoreDescription>
  /** How far the opening of a join is; undefined where none is under way. */
  progressOf(address: StoreAddress): Progress | undefined
  readonly statistics: StoreStatistics
  /** Writes what is still to be kept. */
  close(): Promise<void>
}

/** The facade: where bytes, formats and Zarr meet. */
export function storeService(sources: Sources, workers: RecodeWorkers, settings: StoreServiceSettings): StoreService {
  const opened = new OpenedSources(sources, workers, settings)
  return {
    get(request) {
      const key = parseZarrKey(request.key)
      switch (key.kind) {
        case 'metadata':
          return answerDocument(opened, request, key.path)
        case 'chunk':
          return answerChunk(opened, request, key.path, key.coords)
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
      const { source, store } = await opened.current(address)
      return { parsed: source.parsed, store, world: source.world, diagnostics: source.diagnostics }
    },
    progressOf: ({ sourceKey }) => opened.progress.of(sourceKey),
    get statistics() {
      return opened.statistics
    },
    close: () => opened.close(),
  }
}

/** What a key below a store's URL asks for. Paths have no leading or trailing slash; the root is ''. */
export type ZarrKey =
  | { readonly kind: 'metadata'; readonly path: string }
  | { readonly kind: 'chunk'; readonly path: string; readonly coords: readonly number[] }
  /** A folder, which answers with its listing. */
  | { readonly kind: 'folder'; readonly path: string }
  /** No key of a Zarr v3 store: v2 probes, misspelled chunk keys. It is absent, whatever the tree. */
  | { readonly kind: 'none' }

/** Chunk keys are canonical: `c`, then plain decimal indices. `00`, `+1` or full-width digits name no chunk. */
const CHUNK = /^(?:(.*)\/)?c((?:\/(?:0|[1-9][0-9]{0,15}))*)$/

/** Reads a key; it decides by spelling alone, not by what the store holds. */
export function parseZarrKey(key: string): ZarrKey {
  if (key === '' || key.endsWith('/')) return { kind: 'folder', path: key.slice(0, -1) }
  if (key === 'zarr.json') return { kind: 'metadata', path: '' }
  if (key.endsWith('/zarr.json')) return { kind: 'metadata', path: key.slice(0, -'/zarr.json'.length) }
  const match = CHUNK.exec(key)
  if (match === null) return { kind: 'none' }
  const indices = match[2] ?? ''
  const coords = indices === '' ? [] : indices.slice(1).split('/').map(Number)
  return { kind: 'chunk', path: match[1] ?? '', coords }
}

async function listing(opened: OpenedSources, request: StoreRequest, path: string): Promise<Answer> {
  const { store, source } = await opened.current(request.address)
  const node = nodeAt(store, path)
  if (node === undefined) return { kind: 'absent' }
  const folders = node.kind === 'group' ? node.folders.map((name) => `${name}/`) : []
  return { kind: 'listing', entries: ['zarr.json', ...folders], isLasting: isLastingOf(source.parsed) }
}

const V2_PROBE = /(?:^|\/)\.z[a-z]+$/

/** fsspec lists a group by its URL without the final slash; the probes of v2 readers stay cheap. */
async function folderWithoutSlash(opened: OpenedSources, request: StoreRequest): Promise<Answer> {
  if (V2_PROBE.test(request.key)) return { kind: 'absent' }
  const { store } = await opened.current(request.address)
  return { kind: isFolder(store, request.key) ? 'moved' : 'absent' }
}

function isFolder(store: OpenStore, key: string): boolean {
  const node = store.nodes.get(key)
  return node !== undefined && node.kind !== 'skipped'
}
