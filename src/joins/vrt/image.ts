import { unsupported } from '../../errors.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import { planeOf } from '../window.ts'

/** A file as sources of a VRT see it: an image of one or several bands. */
export interface VrtImage {
  /** To be shown in errors. */
  readonly url: string
  /** The source that references of its arrays count from; undefined where they say that themselves. */
  readonly part: number | undefined
  readonly width: number
  readonly height: number
  readonly bands: number
  /** A band by its number from 0, as rows of columns. */
  band(at: number): VirtualArray
}

/** The image of several arrays of rows and columns, one for each band. */
export function imageOfBands(
  first: VirtualArray,
  bands: readonly VirtualArray[],
  url: string,
  part: number | undefined,
): VrtImage {
  return { ...imageOf(first, url, part), bands: bands.length, band: (at) => bands[at] ?? first }
}

/** The image of an array of rows and columns, or of bands of them. */
export function imageOf(array: VirtualArray, url: string, part: number | undefined): VrtImage {
  const [height = 0, width = 0] = array.shape.slice(-2)
  const isSingle = array.shape.length === 2
  if (!isSingle && array.shape.length !== 3)
    throw unsupported('VRT: sources of other ranks', `${url} is no image: it has ${array.shape.length} dimensions`)
  const bands = isSingle ? 1 : (array.shape[0] ?? 0)
  return { url, part, width, height, bands, band: (at) => (isSingle ? array : planeOf(array, at)) }
}
