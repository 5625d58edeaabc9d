// HDF Specification and Developer's Guide, section 9.3: raster image groups and dimension records; and the vgroups of the GR interface.
import { nameOf } from '../structures/attribute-value.ts'
import { cursorOf } from '../structures/hdf4-file.ts'
import { type NumberType, numberTypeOf, parseNumberType } from '../structures/number-type.ts'
import { TAG } from '../structures/tags.ts'
import { type Link, parseLinks } from '../structures/vgroup.ts'
import type { Hdf4World } from '../world.ts'

/** An image as its group describes it. */
export interface Image {
  readonly name: string
  /** What it is known by to vgroups. */
  readonly key: string
  readonly members: readonly Link[]
}

/** What a dimension record says. */
export interface ImageDimensions {
  readonly width: number
  readonly height: number
  readonly type: NumberType
  readonly components: number
  /** Of the components: by pixels, by rows, or one after the other. */
  readonly interlace: 'pixel' | 'line' | 'component'
  /** The tag of the compression of images that are no special elements; 0 or 1: none. */
  readonly compression: number
}

const IMAGE_CLASS = 'RI0.0'
const BYTE = 21
const INTERLACES = ['pixel', 'line', 'component'] as const

/** All images: those of the GR interface, then those that only older ones know. */
export function imagesOf({ catalog, file }: Hdf4World): Image[] {
  const images: Image[] = []
  const seen = new Set<string>()
  for (const vgroup of catalog.vgroups.values()) {
    if (vgroup.className !== IMAGE_CLASS) continue
    const data = dataLink(vgroup.members)
    if (data !== undefined) seen.add(`${data.tag}/${data.ref}`)
    const { members, ref } = vgroup
    images.push({ name: nameOf(vgroup.name) || `image_${ref}`, key: `${TAG.vgroup}/${ref}`, members })
  }
  const groups = file.directory.all(TAG.imageGroup).sort((one, other) => one.offset - other.offset)
  for (const { ref } of groups) {
    const members = parseLinks(catalog.bytesOf(TAG.imageGroup, ref))
    const data = dataLink(members)
    if (data === undefined || seen.has(`${data.tag}/${data.ref}`)) continue
    images.push({ name: `Raster Image #${images.length}`, key: `${TAG.imageGroup}/${ref}`, members })
  }
  return images
}

/** Where the pixels are. */
export function dataLink(members: readonly Link[]): Link | undefined {
  return members.find(({ tag }) => tag === TAG.rasterImage || tag === TAG.compressedImage)
}

/** Undefined where there is no dimension record. */
export function dimensionsOf(members: readonly Link[], { catalog, file }: Hdf4World): ImageDimensions | undefined {
  const link = members.find(({ tag }) => tag === TAG.imageDimension)
  const bytes = link === undefined ? undefined : catalog.bytesOf(link.tag, link.ref)
  if (bytes === undefined) return undefined
  const cursor = cursorOf(file, bytes, { offset: 0 })
  const width = cursor.u32()
  const height = cursor.u32()
  cursor.skip(2)
  const typeBytes = catalog.bytesOf(TAG.numberType, cursor.u16())
  const components = cursor.u16()
  const interlace = INTERLACES[cursor.u16()]
  if (interlace === undefined) throw cursor.fail('the components of an image lie in an order that is not defined')
  const compression = cursor.u16()
  // Without a number type pixels are bytes.
  const type = typeBytes === undefined ? numberTypeOf(BYTE) : parseNumberType(typeBytes)
  return { width, height, type, components, interlace, compression }
}
