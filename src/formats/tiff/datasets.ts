// NewSubfileType (TIFF 6.0 section 8) and how GDAL uses it: which directories belong together.
import { isVirtualZarrError } from '../../errors.ts'
import type { Page } from './directories/read-ifds.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'
import { type Image, parseImage } from './image.ts'
import { PHOTOMETRIC } from './photometric.ts'

/** An image with what belongs to it. */
export interface Dataset {
  readonly tags: Tags
  /** The same image in fewer pixels, largest first. */
  readonly overviews: readonly Tags[]
  readonly mask: Dataset | undefined
  /** Images that a directory points to and that are no overviews of it. */
  readonly children: readonly Dataset[]
}

interface OpenDataset {
  readonly tags: Tags
  readonly image: Image | undefined
  readonly overviews: Tags[]
  readonly children: Dataset[]
  mask: OpenDataset | undefined
}

const REDUCED = 1
const MASK = 4
/** Value of the older SubfileType for an image of reduced size. */
const OLD_REDUCED = 2

/** The images of a file in the order of their pages: the first one is the dataset's own. */
export function groupPages(pages: readonly Page[]): readonly Dataset[] {
  const datasets: OpenDataset[] = []
  let current: OpenDataset | undefined
  for (const page of pages) {
    if (current !== undefined && joins(current, page)) continue
    const isReduced = (subfileType(page.tags) & REDUCED) !== 0
    const opened = openDataset(page)
    datasets.push(opened)
    // A thumbnail between an image and its overviews does not end the image.
    if (current === undefined || !isReduced) current = opened
  }
  return datasets.map(closed)
}

/** An image with what files beside it hold of it: the mask, where it has the image's size, and overviews. */
export function withOthers(dataset: Dataset, mask: readonly Page[], overviews: readonly Page[]): Dataset {
  const [found] = groupPages(mask)
  const open: OpenDataset = { ...openDataset({ tags: dataset.tags, subPages: [] }), overviews: [...dataset.overviews] }
  for (const { tags } of overviews) {
    const isMask = (subfileType(tags) & MASK) !== 0 || tags.number(TAG.photometric) === PHOTOMETRIC.mask
    if (!isMask) joinsOverviews(open, tags)
  }
  const sizes = [TAG.imageWidth, TAG.imageLength]
  const isOwn = found !== undefined && sizes.every((tag) => found.tags.number(tag) === dataset.tags.number(tag))
  return { ...closed(open), children: dataset.children, mask: isOwn ? found : dataset.mask }
}

function openDataset({ tags, subPages }: Page): OpenDataset {
  const dataset: OpenDataset = { tags, image: imageOf(tags), overviews: [], children: [], mask: undefined }
  for (const page of subPages) {
    if (!joins(dataset, page)) dataset.children.push(closed(openDataset(page)))
  }
  return dataset
}

/** Adds a directory to an image where it is its mask or its overview, or its mask's. */
function joins(dataset: OpenDataset, page: Page): boolean {
  const type = subfileType(page.tags)
  const isMask = (type & MASK) !== 0 || page.tags.number(TAG.photometric) === PHOTOMETRIC.mask
  const isReduced = (type & REDUCED) !== 0
  if (isMask && isReduced && dataset.mask !== undefined) return joinsOverviews(dataset.mask, page.tags, true)
  if (isMask && !isReduced && dataset.mask === undefined) {
    dataset.mask = openDataset(page)
    return true
  }
  return !isMask && isReduced && joinsOverviews(dataset, page.tags)
}

/** As in GDAL, an overview has the samples of its image; those of masks may have 1 bit or 8. */
function joinsOverviews({ image, overviews }: OpenDataset, tags: Tags, isMask = false): boolean {
  const overview = imageOf(tags)
  if (image === undefined || overview === undefined) return false
  const { samples, bits, kind, width, height } = image
  const isAlike = overview.samples === samples && (isMask || overview.bits === bits) && overview.kind === kind
  const isSmaller =
    overview.width <= width && overview.height <= height && overview.width * overview.height < width * height
  if (isAlike && isSmaller) overviews.push(tags)
  return isAlike && isSmaller
}

function closed({ tags, overviews, children, mask }: OpenDataset): Dataset {
  const area = (overview: Tags) => (overview.number(TAG.imageWidth) ?? 0) * (overview.number(TAG.imageLength) ?? 0)
  return {
    tags,
    overviews: overviews.sort((one, other) => area(other) - area(one)),
    children,
    mask: mask === undefined ? undefined : closed(mask),
  }
}

function subfileType(tags: Tags): number {
  return tags.number(TAG.newSubfileType) ?? (tags.number(TAG.subfileType) === OLD_REDUCED ? REDUCED : 0)
}

/** Undefined for a directory that describes no image that could be served. */
function imageOf(tags: Tags): Image | undefined {
  try {
    return parseImage(tags)
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
    return undefined
  }
}
