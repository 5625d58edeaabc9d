import { utf8Text } from '../../bytes/text.ts'
import { isVirtualZarrError, malformed, overLimit, unsupported, type VirtualZarrError } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { sharedArray } from '../../joins/joined-array.ts'
import { mosaicTree, type ReadRaster } from '../../joins/mosaic/mosaic-tree.ts'
import { spelledOut } from '../../joins/sources/source-list.ts'
import type { StacAsset, StacItem, StacPage } from '../../joins/stac/document.ts'
import { imagesOf, itemTree, type OpenAsset } from '../../joins/stac/item-tree.ts'
import { readStac } from '../../joins/stac/read-stac.ts'
import { timeSteps } from '../../joins/stac/time-steps.ts'
import { type PartTree, partTree, treeOf } from '../../joins/tree.ts'
import { floatJson } from '../../json/json.ts'
import { parseJson } from '../../json/parse.ts'
import { isOwnFault } from '../../model/skipped-array.ts'
import type { AttributeValue, Diagnostic, Member, VirtualGroup } from '../../model/virtual-store.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Source } from '../../source/source.ts'
import type { ParsedSource } from '../open-source.ts'
import type { StoreOptions } from '../store-options.ts'
import { HEADERS_AT_ONCE } from './join-level.ts'
import type { JoinWorld } from './join-world.ts'
import { joinedSource } from './joined-source.ts'
import { PartPool } from './part-pool.ts'
import { partRoot, readPartOptions } from './part-root.ts'
import { referredSources } from './referred-sources.ts'
import { FoundFiles } from './watch.ts'

/** Documents are read whole; a search goes on for some pages. */
const MOST_DOCUMENT_BYTES = 2 ** 26
const MOST_PAGES = 100
const MOST_ITEMS = 5000
const MOST_ASSETS = 20_000

/** Opens a STAC document: an Item as it is, several along `time`. */
export async function openStac(
  source: Source,
  { assets }: Pick<StoreOptions, 'assets'>,
  signal: AbortSignal,
  world: JoinWorld,
): Promise<ParsedSource> {
  const pool = new PartPool(source.url, true, world, signal)
  const opening = new StacOpening({ pool, referrerOf: (url) => pool.placeOf(url).referrer, world, signal })
  const root = await opening.root(source, assets)
  return await joinedSource({
    url: source.url,
    publicUrl: publicUrl(source.url),
    format: 'stac',
    root,
    pool,
    found: new FoundFiles(async () => []),
    documents: opening.documents,
    diagnostics: opening.diagnostics,
  })
}

export interface StacInput {
  /** Where assets are numbered. */
  readonly pool: PartPool
  /** On whose word what the document names is read. */
  readonly referrerOf: (url: string) => string | undefined
  readonly world: JoinWorld
  readonly signal: AbortSignal
}

/** A document of STAC being opened, as a source or in a join. */
export class StacOpening {
  readonly documents: Source[] = []
  readonly diagnostics: Diagnostic[] = []
  readonly #given: StacInput
  #assets = 0

  constructor(given: StacInput) {
    this.#given = given
  }

  /** What the document is: an Item as it is, several along `time`. */
  async root(source: Source, assets: readonly string[] | undefined): Promise<VirtualGroup> {
    const { kind, items } = await this.#items(source)
    return kind === 'item' ? await this.#item(items, assets, source.url) : await this.#stack(items, assets)
  }

  /** The Items of a document and of those that it goes on in. */
  async #items(source: Source): Promise<Pick<StacPage, 'kind' | 'items'>> {
    const first = await this.#read(source)
    const items = [...first.items]
    const seen = new Set([source.url])
    let { next } = first
    for (let pages = 1; next !== undefined; pages++) {
      if (seen.has(next)) throw malformed(`the pages of the search go round in circles: ${publicUrl(next)} comes twice`)
      if (pages >= MOST_PAGES) throw overLimit(`a search of more than ${MOST_PAGES} pages`)
      seen.add(next)
      const page = await this.#read(await this.#open(next))
      items.push(...page.items)
      if (items.length > MOST_ITEMS) throw overLimit(`more than ${MOST_ITEMS} Items are found`)
      next = page.next
    }
    if (first.itemLinks.length > MOST_ITEMS) throw overLimit(`a Collection of more than ${MOST_ITEMS} Items`)
    if (first.next === undefined) {
      const pages = await inParallel(
        first.itemLinks,
        HEADERS_AT_ONCE,
        async (url) => await this.#read(await this.#open(url)),
      )
      items.push(...pages.flatMap((page) => page.items))
    }
    if (items.length > MOST_ITEMS) throw overLimit(`more than ${MOST_ITEMS} Items are found`)
    if (items.length === 0) throw malformed('the document names no Items')
    return { kind: first.kind, items }
  }

  async #open(url: string): Promise<Source> {
    const { referrerOf, world, signal } = this.#given
    const referrer = referrerOf(url)
    const { sources } = world
    return await (referrer === undefined ? sources : referredSources(sources, referrer)).open(url, { signal })
  }

  async #read(source: Source): Promise<StacPage> {
    if (source.size > MOST_DOCUMENT_BYTES) throw overLimit(`a STAC document of ${source.size} bytes`)
    const bytes = await source.read({ offset: 0, length: source.size }, { signal: this.#given.signal })
    source.settle?.()
    this.documents.push(source)
    const text = utf8Text(bytes)
    if (text === undefined) throw malformed('a STAC document is UTF-8')
    return readStac(parseJson(text), source.url)
  }

  /** The store of one Item: its images on their grids, and other files in groups of their own. */
  async #item(items: readonly StacItem[], wanted: readonly string[] | undefined, url: string): Promise<VirtualGroup> {
    const [item] = items
    if (item === undefined) throw malformed('the document is no Item')
    const chosen = this.#chosen(item, wanted)
    const all = await inParallel(chosen, HEADERS_AT_ONCE, (asset) => this.#assetOrFault(asset, wanted !== undefined))
    const opened = all.flatMap((asset) => ('fault' in asset ? [] : [asset]))
    const faults = all.flatMap((asset) => ('fault' in asset ? [asset] : []))
    const [first] = faults
    if (opened.length === 0 && first !== undefined) throw first.fault
    const images = opened.filter(({ isImage }) => isImage)
    const others = opened.filter(({ isImage }) => !isImage)
    const base: VirtualGroup =
      images.length > 0
        ? groupOf(itemTree(item, images, url, (diagnostic) => this.#warn(diagnostic)))
        : { kind: 'group', attributes: new Map(), members: new Map() }
    const members = new Map<string, Member>(base.members)
    for (const { asset, tree, part } of others) members.set(asset.key.replaceAll('/', '_'), sharedGroup(tree, part))
    for (const { asset, fault } of faults) {
      const path = asset.key.replaceAll('/', '_')
      if (members.has(path)) continue
      const reason = `the file of the asset ${asset.key} is not read: ${fault.message}`
      members.set(path, { kind: 'skipped', code: isOwnFault(fault) ? fault.code : 'malformed-source', reason })
      this.#warn({ code: 'stac-asset-left-out', message: reason, path })
    }
    return { ...base, members, attributes: new Map([...base.attributes, ...said(item)]) }
  }

  /** The images of Items along `time`: those of one moment are one mosaic. */
  async #stack(items: readonly StacItem[], wanted: readonly string[] | undefined): Promise<VirtualGroup> {
    const dated = items.map((item) => {
      if (item.time === undefined) throw malformed(`${item.id} has no datetime`)
      return item.time
    })
    const chosen = items.flatMap((item, place) => this.#chosen(item, wanted).map((asset) => ({ place, asset })))
    const opened = await inParallel(chosen, HEADERS_AT_ONCE, async ({ place, asset }) => ({
      place,
      ...(await this.#asset(asset)),
    }))
    const strange = opened.filter(({ isImage }) => !isImage)
    if (strange.length > 0) {
      const names = [...new Set(strange.map(({ asset }) => asset.key))].slice(0, 10).join(', ')
      this.#warn({
        code: 'stac-asset-left-out',
        message: `of several Items only images are joined: ${names} are left out`,
      })
    }
    const images = Map.groupBy(
      opened.filter(({ isImage }) => isImage),
      ({ place }) => place,
    )
    const read = items.flatMap((item, place): ReadRaster[] => {
      const assets = images.get(place)
      if (assets === undefined) return []
      const tree = itemTree(item, assets, item.id, (diagnostic) => this.#warn(diagnostic))
      return [{ part: { tree, part: undefined }, place }]
    })
    const [first, ...others] = read
    if (first === undefined) throw malformed('no Item has an asset that is an image')
    const steps = timeSteps(dated)
    const parts = new Map(read.map(({ part, place }) => [place, part]))
    const mosaic = mosaicTree({
      read: [first, ...others],
      count: items.length,
      open: async (place) => parts.get(place),
      rename: new Map(),
      steps: { name: 'time', length: steps.length, places: steps.places },
      dimensions: undefined,
      warn: (diagnostic) => this.#warn(diagnostic),
    })
    const arrays = new Map(mosaic.tree.arrays)
    for (const group of ['', ...mosaic.tree.groups.keys()])
      arrays.set(group === '' ? 'time' : `${group}/time`, steps.coordinate)
    return groupOf({ ...mosaic.tree, arrays })
  }

  #warn(diagnostic: Diagnostic): void {
    const isKnown = this.diagnostics.some(
      ({ code, message }) => code === diagnostic.code && message === diagnostic.message,
    )
    if (!isKnown && this.diagnostics.length < 1000) this.diagnostics.push(diagnostic)
  }

  #chosen({ assets, id }: StacItem, wanted: readonly string[] | undefined): readonly StacAsset[] {
    const chosen = wanted === undefined ? assets.filter(isData) : assets.filter(({ key }) => wanted.includes(key))
    this.#assets += chosen.length
    if (this.#assets > MOST_ASSETS)
      throw overLimit(`more than ${MOST_ASSETS} assets would be read; the option assets chooses among them`)
    if (chosen.length > 0) return chosen
    const names = assets
      .map(({ key }) => key)
      .slice(0, 30)
      .join(', ')
    throw malformed(`${id} has no asset of data among ${names || 'none'}; the option assets names those that are read`)
  }

  /** An asset that isn't there, or can't be read, costs the others nothing where nobody asked for it by its key. */
  async #assetOrFault(
    asset: StacAsset,
    isWanted: boolean,
  ): Promise<
    (OpenAsset & { readonly isImage: boolean }) | { readonly asset: StacAsset; readonly fault: VirtualZarrError }
  > {
    try {
      return await this.#asset(asset)
    } catch (error) {
      const isAbsent = isVirtualZarrError(error) && error.code === 'source-not-found'
      if (isWanted || !(isAbsent || isOwnFault(error))) throw error
      return { asset, fault: error }
    }
  }

  async #asset(asset: StacAsset): Promise<OpenAsset & { readonly isImage: boolean }> {
    const { pool, referrerOf } = this.#given
    const part = pool.add(spelledOut([asset.href]), readPartOptions(new Map()), referrerOf)
    const { parsed } = await pool.opened(part)
    if (parsed.parts !== undefined)
      throw unsupported('STAC: assets that are joins', `${parsed.publicUrl} is made of other files itself`)
    const root = partRoot(parsed.root, {}, () => undefined)
    const tree = partTree(root, parsed.publicUrl, { variables: undefined, drop: [], rename: new Map() })
    return { asset, tree, part, isImage: parsed.format === 'tiff' && imagesOf(tree).length > 0 }
  }
}

const IMAGE_TYPE = /^image\/(?:tiff|vnd\.stac\.geotiff|x-tiff|geotiff)\b/i
const OTHER_TYPE = /^application\/(?:x-?netcdf|netcdf|x-hdf5?|vnd\+?\.?zarr|x-grib2?|wmo-GRIB2|vnd\.zarr)\b/i
const NAMED = /\.(?:tiff?|nc4?|h5|hdf5?|zarr|grib2?|grb2?)\/?$/i
const ASIDE = new Set(['thumbnail', 'overview', 'metadata'])

/** What is read where nobody chooses: files of data, and no previews of them. */
function isData({ mediaType, roles, href, key }: StacAsset): boolean {
  if (roles.some((role) => ASIDE.has(role)) || ASIDE.has(key)) return false
  if (mediaType !== undefined) return IMAGE_TYPE.test(mediaType) || OTHER_TYPE.test(mediaType)
  return URL.canParse(href) && NAMED.test(new URL(href).pathname)
}

function groupOf(tree: PartTree): VirtualGroup {
  return treeOf(tree.arrays, tree)
}

/** Plain properties of an Item. */
function said({ id, properties }: StacItem): [string, AttributeValue][] {
  const plain = [...properties].map(([name, value]): [string, AttributeValue] => [
    name,
    typeof value === 'number' && !Number.isInteger(value) ? floatJson(value) : value,
  ])
  return [['stac_id', id], ...plain]
}

/** A file that is no image, as it is. */
function sharedGroup(tree: PartTree, part: number): VirtualGroup {
  const arrays = new Map(
    [...tree.arrays].map(([path, array]) => [path, array.kind === 'array' ? sharedArray(array, part) : array]),
  )
  return treeOf(arrays, tree)
}
