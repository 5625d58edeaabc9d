import type { AttributeValue, Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { flatAttributes, type Level } from '../georeference/conventions.ts'
import { axisCoordinates, bandCoordinate, spatialReference } from '../georeference/coordinates.ts'
import { type Placement, rescaled } from '../georeference/placement.ts'
import { datasetAttributes } from './array-attributes.ts'
import { type BandArrayBudget, bandName, bandsDiffer, meaningsOfBands } from './band-arrays.ts'
import type { CrsReading } from './crs/crs.ts'
import type { Dataset } from './datasets.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'
import { type GdalMetadata, NO_METADATA, parseGdalMetadata } from './gdal-metadata.ts'
import { type Georeference, georeferenceBeside, georeferenceOf } from './georeference.ts'
import type { Image } from './image.ts'
import type { ReadArray } from './masks.ts'
import type { Pam } from './pam.ts'
import type { Sidecars, TiffLocation } from './sidecars.ts'
import { type BandInput, type ReadImage, toArray } from './to-array.ts'

const VARIABLE = 'band_data'

/** What reading needs, and what it finds. */
export interface DatasetReading {
  readonly source: Source
  readonly context: ParseContext
  /** All images that were read. */
  readonly read: ReadImage[]
  /** The systems of the file by their keys: pages share them. */
  readonly systems: Map<string, CrsReading>
  /** What lies beside the file, of its first image. */
  readonly beside: Sidecars
  /** Where the blocks of directories are that lie beside the file. */
  readonly locations: ReadonlyMap<Tags, TiffLocation>
  readonly bandArrays: BandArrayBudget
}

/** An image with its coordinates: a dataset that xarray opens. */
export interface Grid {
  readonly level: Level
  readonly tags: Tags
  readonly array: ReadArray
  /** The bands one by one, which are served in place of `array`. */
  readonly bands?: readonly VirtualArray[] | undefined
  readonly coordinates: ReadonlyMap<string, Member>
  readonly geo: Georeference
}

/** The image, then its overviews as far as they can be read. */
export function readGrids(
  reading: DatasetReading,
  { tags, overviews }: Dataset,
  path: string,
  geo: Georeference,
): readonly [Grid, ...Grid[]] {
  const isLevels = reading.context.options.layout === 'levels'
  const pam = path === '' ? reading.beside.pam : undefined
  const main = readImage(reading, tags, isLevels ? `${path}0/` : path, geo, {
    items: NO_METADATA.items,
    pam,
    levels: overviews.length + 1,
  })
  const { image } = main
  if (image === undefined) {
    const level = { name: '0', width: 0, height: 0, transform: undefined }
    return [{ level, tags, array: main.member, coordinates: new Map(), geo: NOWHERE }]
  }
  const grids: [Grid, ...Grid[]] = [gridOf('0', main, image, geo)]
  const inherited = {
    ...meaningOf(main.metadata),
    pam: pam && { ...pam, items: [] },
    nodata: tags.text(TAG.gdalNoData),
    areBandsApart: main.bands !== undefined,
  }
  for (const overview of overviews) {
    const name = String(grids.length)
    const read = readImage(reading, overview, `${path}${name}/`, geo, inherited)
    if (read.image === undefined) continue
    const placement = scaledPlacement(geo.placement, image, read.image)
    grids.push(gridOf(name, read, read.image, { ...geo, placement }))
  }
  return grids
}

/** Where an image lies; `name` is that of its reference system, for diagnostics. */
export function placeOf(
  { beside, systems, context }: DatasetReading,
  tags: Tags,
  path: string,
  name: string,
): Georeference {
  const own = georeferenceOf(tags, systems, name, context)
  return path === '' ? georeferenceBeside(own, beside, name, context) : own
}

/** Metadata from outside of a directory. */
interface Inherited extends GdalMetadata {
  readonly pam: Pam | undefined
  /** The text of an image's own nodata value, for overviews in another file. */
  readonly nodata?: string | undefined
  /** Whether the image of an overview has an array for each band. */
  readonly areBandsApart?: boolean
  /** How many images have the bands of this one: it and its overviews. */
  readonly levels?: number
}

interface ReadDirectory extends ReadImage {
  readonly tags: Tags
  readonly metadata: GdalMetadata
}

/** `inherited` is the metadata of an overview's image: GDAL writes only there what values mean. */
function readImage(
  reading: DatasetReading,
  tags: Tags,
  path: string,
  { placement, crs }: Georeference,
  { items, pam, nodata: inherited, areBandsApart, levels = 1 }: Inherited,
): ReadDirectory {
  const { context, read, locations } = reading
  const { source, reference } = locations.get(tags) ?? { source: reading.source, reference: 0 }
  const own = parseGdalMetadata(tags.text(TAG.gdalMetadata), `${path}${VARIABLE}`, context)
  // Of two items of a name the last one counts. GDAL writes an item RESAMPLING in overviews, and their meaning in the image alone.
  const metadata = { items: [...items, ...own.items, ...(pam?.items ?? [])] }
  const isKindKnown = pam?.items.some(({ name }) => name === 'AREA_OR_POINT') === true
  const attributesIn = (own: GdalMetadata, name: string, warned: ParseContext, samples?: number) => (image: Image) => {
    const named = datasetAttributes(tags, image, own, `${path}${name}`, warned, samples)
    if (isReferenced(tags, placement) || crs !== undefined) named.set('grid_mapping', 'spatial_ref')
    if (tags.ifd.fields.has(TAG.geoKeys) && !isKindKnown) {
      named.set('AREA_OR_POINT', placement.pixelIsPoint ? 'Point' : 'Area')
    }
    return named
  }
  const isWithoutNodata = reference !== 0 && inherited !== undefined && !tags.ifd.fields.has(TAG.gdalNoData)
  const nodata: ReadonlyMap<number, string> | undefined = isWithoutNodata ? everyBand(inherited, tags) : pam?.nodata
  const bandsOf = (image: Image): readonly BandInput[] | undefined => {
    const { samples } = image
    const said = { metadata, nodata }
    if (!(areBandsApart ?? bandsDiffer(said, samples, tags.text(TAG.gdalNoData)))) return undefined
    const meaningOf = meaningsOfBands(said)
    const attributesOf = (band: number, warned: ParseContext) =>
      attributesIn(meaningOf(band).metadata, bandName(band), warned, 1)
    // An image with overviews is at the root, and in the group `0` again.
    const arrays = areBandsApart === undefined ? samples * (levels + Number(levels > 1)) : 0
    const quiet = { ...context, warn: () => undefined }
    if (!reading.bandArrays.take(arrays, attributesOf(0, quiet)(image))) return undefined
    return Array.from({ length: samples }, (_, band) => ({
      ...meaningOf(band),
      path: `${path}${bandName(band)}`,
      attributes: attributesOf(band, context),
    }))
  }
  const attributes = attributesIn(metadata, VARIABLE, context)
  const image = toArray({
    source,
    reference,
    context,
    tags,
    metadata,
    nodata,
    path: `${path}${VARIABLE}`,
    bandsOf,
    attributes,
  })
  read.push(image)
  return { ...image, tags, metadata }
}

/** The text of a nodata value, for all bands. */
function everyBand(text: string, tags: Tags): ReadonlyMap<number, string> {
  return new Map(Array.from({ length: tags.number(TAG.samplesPerPixel) ?? 1 }, (_, band) => [band, text]))
}

/** What values mean: the items with a role (scales, offsets, units and names of bands), and units without one. */
function meaningOf({ items }: GdalMetadata): GdalMetadata {
  return { items: items.filter(({ role, name, domain }) => role !== undefined || (name === 'units' && !domain)) }
}

function isReferenced(tags: Tags, { transform, points }: Placement): boolean {
  return tags.ifd.fields.has(TAG.geoKeys) || transform !== undefined || points.length > 0
}

function gridOf(name: string, { tags, member, bands }: ReadDirectory, image: Image, geo: Georeference): Grid {
  const { width, height, samples } = image
  const { placement, crs } = geo
  const coordinates = new Map<string, Member>([
    ...bandCoordinate(bands === undefined ? samples : 1),
    ...axisCoordinates(placement.transform, width, height, crs),
    ...spatialReference(crs, placement),
  ])
  return {
    level: { name, width, height, transform: placement.transform },
    tags,
    array: member,
    bands,
    coordinates,
    geo,
  }
}

/** What there is instead of an image that can't be served. */
const NOWHERE: Georeference = {
  placement: { transform: undefined, points: [], pixelIsPoint: false },
  crs: undefined,
}

export const NAMED = { dimensions: ['y', 'x'] } as const

export function groupOf({ level, array, bands, coordinates, geo: { crs, placement } }: Grid): VirtualGroup {
  const attributes = new Map<string, AttributeValue>(flatAttributes({ levels: [level], ...NAMED, code: crs?.code }))
  const isReferenced = crs !== undefined || placement.transform !== undefined || placement.points.length > 0
  if (isReferenced) attributes.set('coordinates', 'spatial_ref')
  const images = bands?.map((band, at): [string, Member] => [bandName(at), band]) ?? [[VARIABLE, array] as const]
  return { kind: 'group', attributes, members: new Map<string, Member>([...images, ...coordinates]) }
}

/** An overview covers its image. */
function scaledPlacement(placement: Placement, full: Image, overview: Image): Placement {
  if (placement.transform === undefined) return { ...placement, points: [] }
  const transform = rescaled(placement.transform, full.width / overview.width, full.height / overview.height)
  return { ...placement, transform }
}
