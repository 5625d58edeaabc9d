import { VirtualZarrError } from '../../errors.ts'
import { after, RecentParts } from '../../model/recent-parts.ts'
import { recipe } from '../../model/recipe.ts'
import type { Member, VirtualArray } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { blockTable } from './blocks.ts'
import { COMPRESSION } from './compression.ts'
import { groupPages } from './datasets.ts'
import { DirectoryChain } from './directories/directory-chain.ts'
import { type Page, readStart } from './directories/read-ifds.ts'
import type { Tags } from './directories/read-tags.ts'
import { NO_METADATA } from './gdal-metadata.ts'
import type { Image } from './image.ts'
import { storesYcbcrUnits } from './photometric.ts'
import { movedArray, type PlaneAt, requireAlike } from './stacks/plane-stack.ts'
import type { StackPlan } from './stacks/stack-plan.ts'
import { toArray } from './to-array.ts'

/** An image of a stack in all its sizes, and the others that are like it. */
export interface StackedImage {
  readonly plan: StackPlan
  readonly page: Page
  /** The plane of `page`, by level; undefined for a level that can't be served. */
  readonly levels: readonly (VirtualArray | undefined)[]
}

/** What finds planes needs of the world. */
export interface PlaneWorld {
  readonly source: Source
  readonly context: ParseContext
  readonly chain: DirectoryChain
}

/** Memory that a plane which was read holds: its description, and a page of its tables. */
const PLANE_BYTES = 65_536
const MOST_BYTES = 16 * 2 ** 20
/** Strips that are looked at to see whether they follow each other. */
const MOST_STRIPS = 65_536

/** The image of a directory and its overviews, largest first. */
export function tagsOfLevels(page: Page): readonly Tags[] {
  const [dataset] = groupPages([page])
  return dataset === undefined ? [page.tags] : [dataset.tags, ...dataset.overviews]
}

/** Planes in directories of their own, which are looked for when a chunk of them is asked for. */
export function planesOfDirectories({ plan, levels }: StackedImage, world: PlaneWorld): (level: number) => PlaneAt {
  const { source, context, chain } = world
  const input = { directoryOf: plan.directoryOf, levels, source, context }
  const planes = directoryPlanes.mark(planesInChain(input, chain), input)
  return (level) => planesOfLevel({ planes, level })
}

/** A plane by its position, in one of its sizes. */
type LevelledPlanes = (level: number, ...where: Parameters<PlaneAt>) => ReturnType<PlaneAt>

interface DirectoryPlanes extends Pick<StackPlan, 'directoryOf'>, Pick<StackedImage, 'levels'> {
  readonly source: Source
  readonly context: ParseContext
}

/** Made again, it reads the beginning of the file anew when it is first asked. */
export const directoryPlanes = recipe('tiff.directory-planes', (input: DirectoryPlanes) =>
  planesInChain(input, laterChain(input)),
)

interface PlanesOfLevel {
  readonly planes: LevelledPlanes
  readonly level: number
}

export const planesOfLevel = recipe(
  'tiff.planes-of-level',
  ({ planes, level }: PlanesOfLevel): PlaneAt =>
    (position, signal) =>
      planes(level, position, signal),
)

function laterChain({ source, context }: DirectoryPlanes): Pick<DirectoryChain, 'page'> {
  let reading: Promise<DirectoryChain> | undefined
  const read = async () => new DirectoryChain(await readStart(source, { ...context, warn: () => undefined }))
  return {
    async page(number, options) {
      reading ??= read().catch((error: unknown) => {
        reading = undefined
        throw error
      })
      return await (await reading).page(number, options)
    },
  }
}

function planesInChain(input: DirectoryPlanes, chain: Pick<DirectoryChain, 'page'>): LevelledPlanes {
  const { directoryOf, levels, source, context } = input
  const quiet = { ...context, warn: () => undefined }
  const planes = new RecentParts<number, readonly VirtualArray[]>(MOST_BYTES, (all) => all.length * PLANE_BYTES)
  const read = async (directory: number, signal: AbortSignal | undefined): Promise<readonly VirtualArray[]> => {
    const tags = tagsOfLevels(await chain.page(directory, { signal }))
    return levels.flatMap((first, level) => {
      const own = tags[level]
      if (first === undefined || own === undefined) return []
      const plane = servedArray(toArray({ ...plainInput(source, own), context: quiet }).member, directory)
      requireAlike(first, plane, directory)
      return [plane]
    })
  }
  return (level, position, signal) => {
    const directory = directoryOf(position)
    if (directory === undefined) return undefined
    const found = planes.load(directory, () => read(directory, signal), signal)
    return after(found, (all) => all[level] ?? missingLevel(directory, level))
  }
}

/** ImageJ describes large stacks once: their images lie one after the other behind the first. */
export function planesThatFollow({ plan, levels }: StackedImage, bytes: number, source: Source): PlaneAt {
  return followingPlanes({ directoryOf: plan.directoryOf, first: levels[0], bytes, source })
}

interface FollowingPlanes extends Pick<StackPlan, 'directoryOf'> {
  readonly first: VirtualArray | undefined
  readonly bytes: number
  readonly source: Source
}

export const followingPlanes = recipe(
  'tiff.following-planes',
  ({ directoryOf, first, bytes, source }: FollowingPlanes): PlaneAt =>
    (position) => {
      const place = directoryOf(position)
      return first === undefined || place === undefined ? undefined : movedArray(first, place * bytes, source.size)
    },
)

/** Bytes of one image where its strips follow each other, and so many images may; undefined else. */
export async function bytesOfImage(
  image: Image,
  { tags }: Page,
  count: number,
  { source, context }: PlaneWorld,
): Promise<number | undefined> {
  const { blocks, width, height, samples, bits, compression } = image
  const bytes = (width * height * samples * bits) / 8
  const strips = blocks.down * (image.planar ? samples : 1)
  const isPlain = compression === COMPRESSION.none && !storesYcbcrUnits(image) && !blocks.tiled && bits % 8 === 0
  if (!isPlain || blocks.counts === undefined || strips > MOST_STRIPS) return undefined
  if (blocks.offsets.count < strips || blocks.counts.count < strips) return undefined
  const tables = [blocks.offsets, blocks.counts].map((field) => blockTable(source, field, tags.endian, strips))
  const [offsets, counts] = await Promise.all(tables.map((table) => table.run(0, strips, context)))
  if (offsets === undefined || counts === undefined) return undefined
  const start = offsets[0] ?? 0
  let end = start
  for (let strip = 0; strip < strips; strip++) {
    if (offsets[strip] !== end) return undefined
    end += counts[strip] ?? 0
  }
  const { next } = tags.ifd
  // Other writers give each image its directory and its place.
  const isFollowed = next !== 0 && next < start + bytes * count && next > start
  return end - start === bytes && start + bytes * count <= source.size && !isFollowed ? bytes : undefined
}

/** An image by its tags alone. */
function plainInput(source: Source, tags: Tags) {
  return { source, tags, metadata: NO_METADATA, path: '', attributes: () => new Map() }
}

function servedArray(member: Exclude<Member, { readonly kind: 'group' }>, directory: number): VirtualArray {
  if (member.kind === 'array') return member
  throw new VirtualZarrError(member.code, `directory ${directory}: ${member.reason}`)
}

function missingLevel(directory: number, level: number): never {
  throw new VirtualZarrError('malformed-source', `directory ${directory} has no overview ${level}, as the first has`)
}
