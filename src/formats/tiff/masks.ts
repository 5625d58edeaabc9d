import type { SkippedArray, VirtualArray } from '../../model/virtual-store.ts'
import type { Dataset } from './datasets.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'

/** What became of a directory. */
export type ReadArray = VirtualArray | SkippedArray

/** The arrays of an image and its overviews, each with the mask that is its own: overviews and masks belong together by size, as in GDAL. */
export function withMasks(
  { tags: image, overviews, mask }: Dataset,
  arrays: ReadonlyMap<Tags, ReadArray>,
): ReadonlyMap<Tags, ReadArray> {
  const masked = new Map<Tags, ReadArray>()
  if (mask === undefined) return masked
  for (const tags of [image, ...overviews]) {
    const array = arrays.get(tags)
    const own = tags === image ? mask.tags : mask.overviews.find((other) => isSameSize(other, tags))
    const maskedBy = own === undefined ? NO_MASK : (arrays.get(own) ?? NOT_HERE)
    if (array?.kind === 'array') masked.set(tags, { ...array, maskedBy })
  }
  return masked
}

function isSameSize(one: Tags, other: Tags): boolean {
  return [TAG.imageWidth, TAG.imageLength].every((tag) => one.number(tag) === other.number(tag))
}

const NO_MASK = absent('the image has a mask, this overview none of its own')
const NOT_HERE = absent('it is in a SubIFD, which this layout leaves out')

function absent(reason: string): SkippedArray {
  return { kind: 'skipped', code: 'unsupported-feature', reason }
}
