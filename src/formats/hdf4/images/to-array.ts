import { hdf4ImageBlocks } from '../../../codecs/hdf4/image-blocks.ts'
import { hdf4ImageRuns } from '../../../codecs/hdf4/image-runs.ts'
import { malformed, unsupported } from '../../../errors.ts'
import { zeroOf } from '../../../model/data-type.ts'
import { type Encoding, rawEncoding, type StoredCodec } from '../../../model/encoding.ts'
import { skippedArray } from '../../../model/skipped-array.ts'
import { type AttributeValue, type Member, NO_SENTINELS, type VirtualArray } from '../../../model/virtual-store.ts'
import { wholeIndex } from '../storage/pieces-index.ts'
import { type Placed, placeValues } from '../storage/place-values.ts'
import { attributeValue, nameOf } from '../structures/attribute-value.ts'
import { readStored, type Stored } from '../structures/stored.ts'
import { TAG } from '../structures/tags.ts'
import { type Hdf4World, holdPieces } from '../world.ts'
import { dataLink, dimensionsOf, type Image, type ImageDimensions } from './describe.ts'

/** An image as an array; one that can't be served costs the others nothing. */
export async function imageMember(image: Image, world: Hdf4World): Promise<Member> {
  try {
    return await imageArray(image, world)
  } catch (error) {
    return skippedArray(error)
  }
}

async function imageArray(image: Image, world: Hdf4World): Promise<VirtualArray> {
  const { file, context } = world
  const { name, members } = image
  const dimensions = dimensionsOf(members, world)
  const data = dataLink(members)
  if (dimensions === undefined || data === undefined) throw malformed(`the image "${name}" has no dimension record`)
  const element = file.directory.find(data.tag, data.ref)
  const stored = element === undefined ? undefined : await readStored(file, element, { signal: context.signal })
  holdPieces(world, stored)
  const { shape, dimensionNames } = frameOf(dimensions, name)
  const { type } = dimensions
  const placed =
    data.tag === TAG.compressedImage && stored !== undefined
      ? pictureOf(dimensions, shape, stored, world)
      : await placeValues({ shape, type, stored: ofPixels(stored, dimensions), unwritten: undefined }, world)
  return {
    kind: 'array',
    ...placed,
    dataType: type.dataType,
    fillValue: zeroOf(type.dataType),
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes: imageAttributes(image, world),
    dimensionNames,
  }
}

/** Components are an axis of their own, where the file has them. */
function frameOf({ width, height, components, interlace }: ImageDimensions, name: string) {
  const [y, x, component] = [`y:${name}`, `x:${name}`, `component:${name}`]
  if (components === 1) return { shape: [height, width], dimensionNames: [y, x] }
  switch (interlace) {
    case 'pixel':
      return { shape: [height, width, components], dimensionNames: [y, x, component] }
    case 'line':
      return { shape: [height, components, width], dimensionNames: [y, component, x] }
    case 'component':
      return { shape: [components, height, width], dimensionNames: [component, y, x] }
  }
}

/**
 * Chunks of images count whole pixels. The library cuts them out of rows as long as the image is high: what follows each other in the
 * image lies in boxes of it only where that is square.
 */
function ofPixels(stored: Stored | undefined, dimensions: ImageDimensions): Stored | undefined {
  const { components, type, width, height } = dimensions
  if (stored?.kind !== 'chunked') return stored
  if (width !== height) {
    throw unsupported('HDF4 image in chunks', `an image of ${width} by ${height} in chunks, which are no boxes of it`)
  }
  if (components === 1) return stored
  if (stored.itemSize !== components * type.size) throw malformed(`chunks of pixels of ${stored.itemSize} bytes`)
  return {
    ...stored,
    shape: [...stored.shape, components],
    chunkShape: [...stored.chunkShape, components],
    itemSize: type.size,
    fill: stored.fill.subarray(0, type.size),
  }
}

const COMPRESSION = { runs: 11, blocks: 12, colourJpeg: 15, greyJpeg: 16 } as const

/** An image that is compressed in a way of the older interfaces: one chunk. */
function pictureOf(dimensions: ImageDimensions, shape: readonly number[], stored: Stored, world: Hdf4World): Placed {
  if (stored.kind !== 'pieces') throw malformed(`a compressed image is ${stored.kind}, expected plain or linked`)
  if (shape.includes(0)) throw malformed('a compressed image of no pixels')
  const encoding: Encoding = [...rawEncoding('big'), pictureCodec(dimensions)]
  const chunks = wholeIndex({ file: world.file, pieces: stored.pieces, rank: shape.length })
  return { shape, chunkShape: shape, encodings: [encoding], edges: 'padded', chunks }
}

function pictureCodec({ compression, width, height, components, type }: ImageDimensions): StoredCodec {
  const length = width * height * components * type.size
  if (type.size !== 1) throw unsupported('HDF4 image', `a compressed image of pixels of ${type.size} bytes`)
  switch (compression) {
    case COMPRESSION.runs:
      return hdf4ImageRuns.stored({ length })
    case COMPRESSION.blocks:
      if (components === 1) return hdf4ImageBlocks.stored({ width, height })
      break
    case COMPRESSION.colourJpeg:
    case COMPRESSION.greyJpeg:
      return { name: 'imagecodecs_jpeg', configuration: {} }
  }
  throw unsupported('HDF4 image compression', `images in compression ${compression} are not served`)
}

const ATTRIBUTE_CLASS = 'RIATTR0.0C'

/** The name of an attribute of an image is that of its field. */
function imageAttributes({ members }: Image, { catalog, contents }: Hdf4World): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>()
  for (const { tag, ref } of members) {
    const vdata = tag === TAG.vdataHeader ? catalog.vdatas.get(ref) : undefined
    const content = contents.get(ref)
    const name = vdata?.fields[0]?.name
    if (vdata?.className !== ATTRIBUTE_CLASS || content === undefined || name === undefined) continue
    attributes.set(nameOf(name), attributeValue(vdata, content))
  }
  return attributes
}
