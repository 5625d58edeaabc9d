import { isVirtualZarrError, VirtualZarrError } from '../../../errors.ts'
import { elementCount } from '../../../model/shape.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../../model/virtual-store.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { type Level, multiscaleAttributes } from '../../georeference/conventions.ts'
import { bandCoordinate } from '../../georeference/coordinates.ts'
import { datasetAttributes } from '../array-attributes.ts'
import { bandName } from '../band-arrays.ts'
import { DirectoryChain } from '../directories/directory-chain.ts'
import type { FileStart, Page } from '../directories/read-ifds.ts'
import type { Tags } from '../directories/read-tags.ts'
import { TAG } from '../directories/tags.ts'
import { parseGdalMetadata } from '../gdal-metadata.ts'
import { parseImage } from '../image.ts'
import {
  bytesOfImage,
  type PlaneWorld,
  planesOfDirectories,
  planesThatFollow,
  type StackedImage,
  tagsOfLevels,
} from '../planes.ts'
import { type ReadImage, toArray } from '../to-array.ts'
import { imageJPlan, isImageJ } from './imagej.ts'
import { isOmeXml, parseOmeXml } from './ome-xml.ts'
import { stackedArray } from './plane-stack.ts'
import { stackCoordinates } from './stack-coordinates.ts'
import { omePlans, type StackPlan } from './stack-plan.ts'

const VARIABLE = 'band_data'

/** What the first directory of a file says of its images. */
export interface Stacks {
  /** The tree, where they are stacks. */
  readonly root: VirtualGroup | undefined
  /** The first image, where all are single planes: its pixels have a size all the same. */
  readonly plane: StackPlan | undefined
}

const NO_STACKS: Stacks = { root: undefined, plane: undefined }

/**
 * The stacks that OME-XML or ImageJ's description tells of, each as one array. Files that contradict themselves, and all others,
 * have none: their images are served one by one.
 */
export async function readStacks(start: FileStart, source: Source, context: ParseContext): Promise<Stacks> {
  const text = start.first.tags.text(TAG.imageDescription) ?? ''
  try {
    const plans = plansOf(text, start.first, source)
    if (plans.every(({ axes }) => axes.length === 0)) return { root: undefined, plane: plans[0] }
    const world: PlaneWorld = { source, context, chain: new DirectoryChain(start) }
    const groups: VirtualGroup[] = []
    // One after the other: each walks further along the same chain.
    for (const [i, plan] of plans.entries()) {
      groups.push(await stackGroup(plan, world, i === 0 ? '' : `image_${i}/`, isImageJ(text)))
    }
    const [root, ...others] = groups
    if (root === undefined) return NO_STACKS
    const further = others.map((group, i) => [`image_${i + 1}`, group] as const)
    return { root: { ...root, members: new Map<string, Member>([...root.members, ...further]) }, plane: undefined }
  } catch (error) {
    if (isVirtualZarrError(error) && error.code !== 'malformed-source') throw error
    const reason = error instanceof Error ? error.message.split('\n', 1)[0]?.slice(0, 200) : String(error)
    context.warn({ code: 'stack-not-read', message: `the images are served one by one: ${reason}` })
    return NO_STACKS
  }
}

/** A dataset of one plane with the sizes of its pixels, where it has no other coordinates. */
export function withPixelSizes(root: VirtualGroup, plan: StackPlan): VirtualGroup {
  const members = new Map(root.members)
  for (const [name, member] of members) {
    if (member.kind === 'group' && /^\d+$/.test(name)) members.set(name, withPixelSizes(member, plan))
  }
  const image = members.get(VARIABLE) ?? members.get(bandName(0))
  if (image?.kind === 'array' && !members.has('x') && !members.has('y')) {
    const [height = 0, width = 0] = image.shape.slice(-2)
    for (const [name, coordinate] of stackCoordinates(plan, { width, height })) members.set(name, coordinate)
  }
  return { ...root, members }
}

function plansOf(text: string, first: Page, source: Source): StackPlan[] {
  if (isOmeXml(text)) {
    return omePlans(parseOmeXml(text), fileNameOf(source))
  }
  return isImageJ(text) ? [imageJPlan(text, first.tags, parseImage(first.tags))] : []
}

function fileNameOf({ url }: Source): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** One image: its levels in groups, as those of a dataset. */
async function stackGroup(plan: StackPlan, world: PlaneWorld, path: string, mayFollow: boolean): Promise<VirtualGroup> {
  const page = await firstPage(plan, world)
  const isLevels = world.context.options.layout === 'levels'
  const read = tagsOfLevels(page).map((tags, level) =>
    readLevel(tags, `${path}${level === 0 && !isLevels ? '' : `${level}/`}`, world),
  )
  const arrays = read.map(({ member }) => (member.kind === 'array' ? member : undefined))
  const image: StackedImage = { plan, page, levels: arrays }
  const planesOf = await planesOfImage(image, world, mayFollow)
  const stacking = { lengths: plan.axes.map(({ length }) => length), names: plan.axes.map(({ name }) => name) }
  const levels: Level[] = []
  const groups: VirtualGroup[] = []
  for (const [level, { image: size, member }] of read.entries()) {
    if (size === undefined) continue
    const array = member.kind === 'array' ? stackedArray(member, { ...stacking, planeAt: planesOf(level) }) : member
    const members: (readonly [string, Member])[] = [
      [VARIABLE, array],
      ...bandCoordinate(size.samples),
      ...stackCoordinates(plan, size),
    ]
    levels.push({ name: String(levels.length), width: size.width, height: size.height, transform: undefined })
    groups.push({ kind: 'group', attributes: new Map(), members: new Map(members) })
  }
  const [main] = groups
  if (main === undefined) throw new VirtualZarrError('malformed-source', 'the stack has no image')
  const named = groups.map((group, i) => [String(i), group] as const)
  const attributes: [string, AttributeValue][] = plan.name === undefined ? [] : [['name', plan.name]]
  if (isLevels) {
    const pyramid = multiscaleAttributes({ levels, dimensions: ['y', 'x'], code: undefined })
    return { kind: 'group', attributes: new Map([...attributes, ...pyramid]), members: new Map(named) }
  }
  const members = new Map<string, Member>([...main.members, ...(groups.length > 1 ? named : [])])
  return { kind: 'group', attributes: new Map(attributes), members }
}

/** The first plane that is anywhere; it must be as large as the description says. */
async function firstPage(plan: StackPlan, { chain, context }: PlaneWorld): Promise<Page> {
  const count = elementCount(plan.axes.map(({ length }) => length))
  for (let position = 0; position < count; position++) {
    const directory = plan.directoryOf(position)
    if (directory === undefined) continue
    const page = await chain.page(directory, { signal: context.signal })
    const { width, height, samples } = parseImage(page.tags)
    if (width === plan.width && height === plan.height && samples === plan.samples) return page
    const [is, said] = [
      [width, height, samples],
      [plan.width, plan.height, plan.samples],
    ].map((sizes) => sizes.join(' x '))
    throw new Error(`directory ${directory} has an image of ${is}, and the description says ${said}`)
  }
  throw new Error('it has no planes')
}

function readLevel(tags: Tags, path: string, { source, context }: PlaneWorld): ReadImage {
  const named = `${path}${VARIABLE}`
  const metadata = parseGdalMetadata(tags.text(TAG.gdalMetadata), named, context)
  const attributes: Parameters<typeof toArray>[0]['attributes'] = (image) =>
    datasetAttributes(tags, image, metadata, named, context)
  return toArray({ source, context, tags, metadata, path: named, attributes })
}

async function planesOfImage(image: StackedImage, world: PlaneWorld, mayFollow: boolean) {
  const { page, plan } = image
  const count = elementCount(plan.axes.map(({ length }) => length))
  const bytes = mayFollow && count > 1 ? await bytesOfImage(parseImage(page.tags), page, count, world) : undefined
  return bytes === undefined ? planesOfDirectories(image, world) : () => planesThatFollow(image, bytes, world.source)
}
