import { floatJson } from '../../../json/json.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../../model/virtual-store.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { GEO_KEY_NAMES } from '../crs/geo-key-names.ts'
import { parseGeoKeys } from '../crs/geo-keys.ts'
import { groupPages } from '../datasets.ts'
import { parseGdalMetadata } from '../gdal-metadata.ts'
import type { Image } from '../image.ts'
import { flatItemAttributes } from '../item-attributes.ts'
import { type ReadArray, withMasks } from '../masks.ts'
import { packingAttributes } from '../packing.ts'
import { toArray } from '../to-array.ts'
import type { TiffFile } from './read-ifds.ts'
import type { Tags } from './read-tags.ts'
import { TAG } from './tags.ts'

/** `layout=ifd`: one array for each directory of the main chain, by number, with the attributes of virtual-tiff. */
export function ifdLayout(file: TiffFile, source: Source, context: ParseContext): VirtualGroup {
  const arrays = new Map<Tags, ReadArray>()
  for (const [i, { tags }] of file.pages.entries()) {
    const path = String(i)
    const metadata = parseGdalMetadata(tags.text(TAG.gdalMetadata), path, context)
    const attributes = (image: Image) =>
      new Map([
        ...tagAttributes(tags),
        ...flatItemAttributes(metadata, image.samples, path, context),
        ...packingAttributes(metadata, image.samples, path, context),
      ])
    arrays.set(tags, toArray({ source, context, tags, metadata, path, attributes }).member)
  }
  for (const dataset of groupPages(file.pages)) {
    for (const [tags, masked] of withMasks(dataset, arrays)) arrays.set(tags, masked)
  }
  const members = new Map([...arrays.values()].map((array, i): [string, Member] => [String(i), array]))
  return { kind: 'group', lengthsDiffer: true, attributes: new Map(), members }
}

const MODEL_TAGS = [
  [TAG.pixelScale, 'model_pixel_scale'],
  [TAG.tiepoint, 'model_tiepoint'],
  [TAG.transformation, 'model_transformation'],
] as const

function tagAttributes(tags: Tags): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>()
  for (const [key, value] of parseGeoKeys(tags)) {
    const name = GEO_KEY_NAMES.get(key)
    if (name !== undefined)
      attributes.set(name, typeof value === 'object' && value.length === 1 ? (value[0] ?? 0) : value)
  }
  for (const [tag, name] of MODEL_TAGS) {
    const numbers = tags.numbers(tag)
    if (numbers !== undefined) attributes.set(name, numbers.map(floatJson))
  }
  const photometric = tags.number(TAG.photometric)
  if (photometric !== undefined) attributes.set('photometric_interpretation', photometric)
  return attributes
}
