import type { DatasetJson } from './api-schemas.ts'
import { addressOfUrl, type StoreAddress } from './store-address.ts'
import type { OptionTexts } from './store-options.ts'
import type { StoreDescription } from './store-service.ts'

/** A dataset that the operator offers by name. */
export interface Dataset {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly sourceUrl: string
  /** A join that stands in the catalog itself: its document, which `sourceUrl` names. */
  readonly document?: Uint8Array
  readonly options: OptionTexts
  /** Where that is known already; found by opening the source otherwise. */
  readonly format?: string
}

/** Datasets by their ids, as a map. */
export interface Catalog {
  get(id: string): Dataset | undefined
  values(): Iterable<Dataset>
  /** Looks again what there is; a catalog without this doesn't change. */
  refresh?(): Promise<void>
}

/** A dataset as `/datasets` lists it, without its URL; `format` is null while its source can't be opened. */
export type ListedDataset = Omit<DatasetJson, 'url'>

/** A listing waits no longer than this for a dataset to be opened. */
const LISTING_MILLISECONDS = 2000

/** Lists datasets with the format each was found to have. */
export async function listDatasets(
  catalog: Catalog,
  stores: { describe(address: StoreAddress): Promise<StoreDescription> },
  defaults: OptionTexts = new Map(),
): Promise<readonly ListedDataset[]> {
  await catalog.refresh?.()
  return await Promise.all(
    [...catalog.values()].map(async ({ id, title, description, sourceUrl, options, format }) => {
      if (format !== undefined) return { id, title, description, format }
      const opening = stores.describe(addressOfUrl(sourceUrl, new Map([...defaults, ...options])))
      return { id, title, description, format: await within(opening, LISTING_MILLISECONDS) }
    }),
  )
}

async function within(opening: Promise<StoreDescription>, milliseconds: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds)
  })
  // The listing is not the place where a source's trouble is told: its store says it in full.
  const format = opening.then(({ parsed }) => parsed.format).catch(() => null)
  const first = await Promise.race([format, late])
  clearTimeout(timer)
  return first
}
