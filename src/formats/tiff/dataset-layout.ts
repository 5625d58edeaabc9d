import { VirtualZarrError } from '../../errors.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { conventionAttributes, type Level } from '../georeference/conventions.ts'
import { datasetAttributes } from './array-attributes.ts'
import { axisCoordinates, bandCoordinate, spatialReference } from './coordinates.ts'
import { type Crs, type CrsReading, crsOf } from './crs.ts'
import { type Dataset, groupPages } from './datasets.ts'
import { type GdalMetadata, NO_METADATA, parseGdalMetadata } from './gdal-metadata.ts'
import { type GeoKeys, isRevised, parseGeoKeys } from './geo-keys.ts'
import { type Placement, parsePlacement, rescaled } from './geotransform.ts'
import type { Image } from './image.ts'
import type { TiffFile } from './read-ifds.ts'
import type { Tags } from './read-tags.ts'
import { TAG } from './tags.ts'
import { type ReadImage, toArray } from './to-array.ts'

const VARIABLE = 'band_data'

interface World {
  readonly source: Source
  readonly context: ParseContext
  /** All images that were read. */
  readonly read: ReadImage[]
  /** The systems of the file by their keys: pages share them. */
  readonly systems: Map<string, CrsReading>
}

/** Most different reference systems of one file that are looked up. */
const MOST_SYSTEMS = 64

/** Where an image lies, by itself or by the image it belongs to. */
interface Georeference {
  readonly placement: Placement
  readonly crs: Crs | undefined
}

/** `layout=dataset`: the first image at the root, its overviews, its mask and further pages in groups (SPEC section 3). */
export function datasetLayout(file: TiffFile, source: Source, context: ParseContext): VirtualGroup {
  const world: World = { source, context, read: [], systems: new Map() }
  const [main, ...pages] = groupPages(file.pages)
  if (main === undefined) throw new VirtualZarrError('malformed-source', 'the file has no image')
  const root = datasetGroup(world, main, '', undefined)
  const members = new Map(root.members)
  for (const [i, page] of pages.entries()) {
    const name = `page_${i + 1}`
    members.set(name, datasetGroup(world, page, `${name}/`, undefined))
  }
  refuse(world)
  return { ...root, members }
}

/** A dataset without its image is none: a nodata value that is refused, or nothing that can be served. */
function refuse({ read }: World): void {
  const [main] = read
  if (main?.member.kind !== 'skipped') return
  if (!main.refusedSentinel && read.some(({ member }) => member.kind === 'array')) return
  const context = main.refusedSentinel ? { option: 'sentinel' } : {}
  throw new VirtualZarrError(main.member.code, main.member.reason, context)
}

function datasetGroup(world: World, dataset: Dataset, path: string, parent: Georeference | undefined): VirtualGroup {
  const { tags, overviews, mask, children } = dataset
  const geo = parent ?? georeferenceOf(world, tags, path)
  const main = readImage(world, tags, path, geo)
  const { image } = main
  if (image === undefined) return { kind: 'group', attributes: new Map(), members: new Map([[VARIABLE, main.member]]) }
  const members = new Map<string, Member>(gridMembers(main, image, geo))
  const levels: Level[] = [levelOf('0', image, geo)]
  const inherited = meaningOf(main.metadata)
  if (overviews.length > 0) members.set('0', levelGroup(members, levelOf('0', image, geo), geo))
  for (const overview of overviews) {
    const name = String(levels.length)
    const read = readImage(world, overview, `${path}${name}/`, geo, inherited)
    if (read.image === undefined) continue
    const placed = { ...geo, placement: scaledPlacement(geo.placement, image, read.image) }
    const level = levelOf(name, read.image, placed)
    levels.push(level)
    members.set(name, levelGroup(new Map(gridMembers(read, read.image, placed)), level, placed))
  }
  if (mask !== undefined) members.set('mask', datasetGroup(world, mask, `${path}mask/`, geo))
  for (const [i, child] of children.entries()) {
    const name = `subifd_${i + 1}`
    members.set(name, datasetGroup(world, child, `${path}${name}/`, undefined))
  }
  return { kind: 'group', attributes: groupAttributes(levels, geo), members }
}

function georeferenceOf({ context, systems }: World, tags: Tags, path: string): Georeference {
  const keys = parseGeoKeys(tags)
  const spelled = JSON.stringify([isRevised(tags), ...keys])
  const { crs, remarks } = systems.get(spelled) ?? systemOf(keys, isRevised(tags), systems.size)
  systems.set(spelled, { crs, remarks })
  const code = crs === undefined ? 'crs-dropped' : 'crs-changed'
  if (remarks.length > 0) context.warn({ code, message: remarks.join('; '), path: `${path}spatial_ref` })
  return { placement: parsePlacement(tags, keys), crs }
}

function systemOf(keys: GeoKeys, heights: boolean, before: number): CrsReading {
  if (before < MOST_SYSTEMS) return crsOf(keys, heights)
  return { crs: undefined, remarks: [`the file has more than ${MOST_SYSTEMS} different reference systems`] }
}

/** `inherited` is the metadata of an overview's image: GDAL writes only there what values mean. */
function readImage(
  world: World,
  tags: Tags,
  path: string,
  { placement }: Georeference,
  inherited: GdalMetadata = NO_METADATA,
): ReadImage & { readonly metadata: GdalMetadata } {
  const { source, context, read } = world
  const own = parseGdalMetadata(tags.text(TAG.gdalMetadata), `${path}${VARIABLE}`, context)
  const metadata = own.items.length > 0 ? own : inherited
  const attributes = (image: Image) => {
    const named = datasetAttributes(tags, image, metadata, `${path}${VARIABLE}`, context)
    if (isReferenced(tags, placement)) named.set('grid_mapping', 'spatial_ref')
    if (tags.ifd.fields.has(TAG.geoKeys)) named.set('AREA_OR_POINT', placement.pixelIsPoint ? 'Point' : 'Area')
    return named
  }
  const image = toArray({ source, context, tags, metadata, path: `${path}${VARIABLE}`, attributes })
  read.push(image)
  return { ...image, metadata }
}

/** What values mean: the items with a role (scales, offsets, units and names of bands), and units without one. */
function meaningOf({ items }: GdalMetadata): GdalMetadata {
  return { items: items.filter(({ role, name, domain }) => role !== undefined || (name === 'units' && !domain)) }
}

function isReferenced(tags: Tags, { transform, points }: Placement): boolean {
  return tags.ifd.fields.has(TAG.geoKeys) || transform !== undefined || points.length > 0
}

/** The image and its coordinates. */
function gridMembers(read: ReadImage, image: Image, { placement, crs }: Georeference): (readonly [string, Member])[] {
  const { width, height, samples } = image
  return [
    [VARIABLE, read.member],
    ...bandCoordinate(samples),
    ...axisCoordinates(placement.transform, width, height, crs),
    ...spatialReference(crs, placement),
  ]
}

function levelOf(name: string, { width, height }: Image, { placement }: Georeference): Level {
  return { name, width, height, transform: placement.transform }
}

function levelGroup(members: ReadonlyMap<string, Member>, level: Level, geo: Georeference): VirtualGroup {
  return { kind: 'group', attributes: groupAttributes([level], geo), members: new Map(members) }
}

function groupAttributes(levels: readonly Level[], { crs, placement }: Georeference): Map<string, AttributeValue> {
  const attributes = new Map(conventionAttributes({ levels, dimensions: ['y', 'x'], code: crs?.code }))
  const isReferenced = crs !== undefined || placement.transform !== undefined || placement.points.length > 0
  if (isReferenced) attributes.set('coordinates', 'spatial_ref')
  return attributes
}

/** An overview covers its image. */
function scaledPlacement(placement: Placement, full: Image, overview: Image): Placement {
  if (placement.transform === undefined) return { ...placement, points: [] }
  const transform = rescaled(placement.transform, full.width / overview.width, full.height / overview.height)
  return { ...placement, transform }
}
