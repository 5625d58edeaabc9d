import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'
import type { GdalMetadata } from './gdal-metadata.ts'
import type { Image } from './image.ts'
import { itemAttributes } from './item-attributes.ts'
import { packingAttributes } from './packing.ts'
import { PHOTOMETRIC, photometricName, servedPhotometric } from './photometric.ts'
import { rpcAttributes } from './rpc.ts'

type NamedValue = readonly [string, AttributeValue]

/** Text tags, by the names that GDAL gives them. */
const TEXT_TAGS: readonly (readonly [number, string])[] = [
  [TAG.documentName, 'TIFFTAG_DOCUMENTNAME'],
  [TAG.imageDescription, 'TIFFTAG_IMAGEDESCRIPTION'],
  [TAG.make, 'TIFFTAG_MAKE'],
  [TAG.model, 'TIFFTAG_MODEL'],
  [TAG.pageName, 'TIFFTAG_PAGENAME'],
  [TAG.software, 'TIFFTAG_SOFTWARE'],
  [TAG.dateTime, 'TIFFTAG_DATETIME'],
  [TAG.artist, 'TIFFTAG_ARTIST'],
  [TAG.hostComputer, 'TIFFTAG_HOSTCOMPUTER'],
  [TAG.copyright, 'TIFFTAG_COPYRIGHT'],
]

const NUMBER_TAGS: readonly (readonly [number, string])[] = [
  [TAG.xResolution, 'TIFFTAG_XRESOLUTION'],
  [TAG.yResolution, 'TIFFTAG_YRESOLUTION'],
  [TAG.resolutionUnit, 'TIFFTAG_RESOLUTIONUNIT'],
  [TAG.orientation, 'orientation'],
]

/**
 * Attributes of an image in `layout=dataset`: its tags, its colours and GDAL's metadata by role and band; `samples` is 1 for one of
 * several bands that is an array of its own.
 */
export function datasetAttributes(
  tags: Tags,
  image: Image,
  metadata: GdalMetadata,
  path: string,
  context: ParseContext,
  samples = image.samples,
): Map<string, AttributeValue> {
  return new Map([
    ...tagAttributes(tags),
    ...colourAttributes(tags, image),
    ...rpcAttributes(tags),
    ...itemAttributes(metadata, samples, path, context),
    ...packingAttributes(metadata, samples, path, context),
  ])
}

function tagAttributes(tags: Tags): NamedValue[] {
  const named: NamedValue[] = []
  for (const [tag, name] of TEXT_TAGS) {
    const text = tags.text(tag)
    if (text !== undefined && text !== '') named.push([name, text])
  }
  for (const [tag, name] of NUMBER_TAGS) {
    const value = tags.number(tag)
    const isUsual = tag === TAG.orientation && value === 1
    if (value !== undefined && Number.isFinite(value) && !isUsual) named.push([name, value])
  }
  return named
}

function colourAttributes(tags: Tags, image: Image): NamedValue[] {
  const photometric = servedPhotometric(image)
  const named: NamedValue[] = [['photometric', photometricName(photometric)]]
  const extra = tags.numbers(TAG.extraSamples)
  if (extra !== undefined && image.samples > 1) named.push(['extra_samples', [...extra]])
  const map = photometric === PHOTOMETRIC.palette ? tags.numbers(TAG.colorMap) : undefined
  if (map !== undefined && map.length > 0 && map.length % 3 === 0) named.push(['color_map', coloursOf(map)])
  return named
}

/**
 * TIFF 6.0 section 5: all reds, then all greens, then all blues, each from 0 to 65535; here the three of each colour together,
 * in one list, since attributes of NetCDF have one dimension.
 */
function coloursOf(map: readonly number[]): number[] {
  const count = map.length / 3
  return Array.from({ length: map.length }, (_, i) => map[(i % 3) * count + Math.floor(i / 3)] ?? 0)
}
