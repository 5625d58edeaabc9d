import type { RecodeWorkers } from '../delivery/delivery.ts'
import type { Format } from '../formats/format.ts'
import { formats as builtFormats } from '../formats/registry.ts'
import { addressOfUrl, type StoreAddress } from '../service/store-address.ts'
import { type StoreService, storeService } from '../service/store-service.ts'
import type { StoreServiceSettings } from '../service/store-settings.ts'
import type { Source, Sources } from '../source/source.ts'
import { type GivenSource, givenSource, withGivenSource } from './given-source.ts'
import { type VirtualDataset, virtualDataset } from './virtual-dataset.ts'
import { type VirtualStore, zarrStore } from './zarr-store.ts'

/** What is opened: a URL, bytes that are at hand, a file that a person picked, or a source of the caller's own. */
export type VirtualInput = string | URL | GivenSource

/** How it is opened. */
export interface OpenVirtualOptions {
  /** Options of a store, as in its URL: `{ variables: 'sst', missing: 'mask' }` (docs/options.md). */
  readonly options?: Readonly<Record<string, string>> | undefined
  /** All formats that may be found, asked in this order; without it those that are built in. */
  readonly formats?: readonly Format[] | undefined
  /** The way to other bytes than the platform's own: what a document names is opened by it, too. */
  readonly sources?: Sources | undefined
  readonly settings?: LibrarySettings | undefined
}

/** How much is kept of one opened source, and what its opening may take. */
export type LibrarySettings = Partial<Pick<StoreServiceSettings, 'cacheBytes' | 'freshSeconds'>> & {
  readonly parse?: Partial<StoreServiceSettings['parse']> | undefined
}

/** What the library needs of the platform that it runs on. */
export interface LibraryWorld {
  /** The URL of what a caller wrote: a URL, or in Node a path. */
  urlOf(text: string): string
  /** The way to a URL and to what lies beside it; whoever names it may read it. */
  sourcesFor(url: string | undefined): Sources
  /** The same for all that is opened. */
  workers(): RecodeWorkers
}

export interface Library {
  /** Opens a source and reads its metadata. */
  openVirtual(input: VirtualInput, options?: OpenVirtualOptions): Promise<VirtualDataset>
  /** The same as a store for Zarr clients, opened when it is first read. */
  virtualStore(input: VirtualInput, options?: OpenVirtualOptions): VirtualStore
}

/** Bounds of one parse: a hostile file is refused long before it hurts. */
const PARSE_LIMITS = { bytes: 256 * 2 ** 20, requests: 20_000, milliseconds: 60_000, wholeBytes: 64 * 2 ** 20 }
const CACHE_BYTES = 128 * 2 ** 20

/** The library over a platform: Node, or a browser. */
export function library(world: LibraryWorld): Library {
  return {
    openVirtual: async (input, options = {}) => await virtualDataset(begin(input, options, world)),
    virtualStore: (input, options = {}) => zarrStore(begin(input, options, world)),
  }
}

/** A source that is about to be read, and what reads it. */
export interface Beginning {
  readonly stores: StoreService
  readonly address: StoreAddress
  close(): Promise<void>
}

function begin(input: VirtualInput, options: OpenVirtualOptions, world: LibraryWorld): Beginning {
  const url = typeof input === 'string' || input instanceof URL ? world.urlOf(String(input)) : undefined
  const given = url === undefined ? givenSource(input as GivenSource) : undefined
  const address = addressOfUrl(url ?? (given as Source).url, new Map(Object.entries(options.options ?? {})))
  const way = options.sources ?? world.sourcesFor(url)
  const sources = given === undefined ? way : withGivenSource(way, given)
  const { cacheBytes = CACHE_BYTES, freshSeconds = 60, parse = {} } = options.settings ?? {}
  const { formats = builtFormats } = options
  const stores = storeService(sources, world.workers(), {
    cacheBytes,
    freshSeconds,
    parse: { ...PARSE_LIMITS, ...parse },
    formats,
  })
  return {
    stores,
    address,
    async close() {
      if (options.sources === undefined) await sources.close()
    },
  }
}
