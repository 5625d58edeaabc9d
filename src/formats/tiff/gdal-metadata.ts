// Tag 42112, "GDAL_METADATA": https://gdal.org/en/stable/drivers/raster/gtiff.html#metadata
import type { ParseContext } from '../format.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'
import { readXml, type XmlAttributes } from './xml.ts'

/** One `Item` of the XML. */
export interface MetadataItem {
  readonly name: string
  readonly text: string
  /** The band it is of, from 0; undefined for the whole image. */
  readonly sample: number | undefined
  /** What it means: `scale`, `offset`, `description`, `unittype`, `colorinterp`. */
  readonly role: string | undefined
  /** Undefined for the default domain. */
  readonly domain: string | undefined
}

export interface GdalMetadata {
  readonly items: readonly MetadataItem[]
}

export const NO_METADATA: GdalMetadata = { items: [] }

const MOST_ITEMS = 20_000
const NODATA = /^(?:.*#)?(?:_FillValue|missing_value)$/s

/** Reads the items of the XML; a text that is no XML, or more than metadata needs, costs the metadata and no more. */
export function parseGdalMetadata(
  xml: string | undefined,
  path: string,
  context: Pick<ParseContext, 'warn'>,
): GdalMetadata {
  if (xml === undefined || xml.trim() === '') return NO_METADATA
  try {
    return { items: itemsOf(xml) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const message = `the XML of tag 42112 is left out: ${error.message.split('\n', 1)[0]?.slice(0, 200)}`
    context.warn({ code: 'metadata-malformed', message, path })
    return NO_METADATA
  }
}

/** FV-TIFF-1: the items of a nodata value are not attributes. */
export function isNodataItem({ name, role, domain = '' }: MetadataItem): boolean {
  return role === undefined && domain === '' && NODATA.test(name)
}

/** Whether a directory has a nodata value of its own: the tag of GDAL, or an item. */
export function saysNodata(tags: Tags): boolean {
  if ((tags.text(TAG.gdalNoData) ?? '').trim() !== '') return true
  const quiet = { warn: () => undefined }
  return parseGdalMetadata(tags.text(TAG.gdalMetadata), '', quiet).items.some(isNodataItem)
}

type OpenItem = Omit<MetadataItem, 'text'>

function itemsOf(xml: string): MetadataItem[] {
  const items: MetadataItem[] = []
  let open: OpenItem | undefined
  let text = ''
  let depth = 0
  readXml(xml, MOST_ITEMS, {
    open(name, attributes) {
      depth++
      if (name !== 'Item' || depth !== 2) return
      open = openItem(attributes)
      text = ''
    },
    text(part) {
      if (open !== undefined && depth === 2) text += part
    },
    close() {
      if (depth === 2 && open !== undefined) items.push({ ...open, text: text.trim() })
      if (depth === 2) open = undefined
      depth--
    },
  })
  return items.filter(({ name }) => name !== '')
}

function openItem(attributes: XmlAttributes): OpenItem {
  const sample = attributes['sample']
  return {
    name: attributes['name'] ?? '',
    sample: sample !== undefined && /^\d{1,6}$/.test(sample) ? Number(sample) : undefined,
    role: attributes['role'],
    domain: attributes['domain'],
  }
}
