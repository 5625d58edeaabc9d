// Tag 42112, "GDAL_METADATA": https://gdal.org/en/stable/drivers/raster/gtiff.html#metadata
import { SaxesParser } from 'saxes'
import type { ParseContext } from '../format.ts'

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
const MOST_DEPTH = 32
const NODATA = /^(?:.*#)?(?:_FillValue|missing_value)$/s

/** Reads the items of the XML; a text that is no XML, or more than metadata needs, costs the metadata and no more. */
export function parseGdalMetadata(xml: string | undefined, path: string, context: ParseContext): GdalMetadata {
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

type OpenItem = Omit<MetadataItem, 'text'>

function itemsOf(xml: string): MetadataItem[] {
  const parser = new SaxesParser({ xmlns: false as const })
  const items: MetadataItem[] = []
  let open: OpenItem | undefined
  let text = ''
  let depth = 0
  parser.on('error', (error) => {
    throw error
  })
  // Entities are declared there, and a few of them make gigabytes.
  parser.on('doctype', () => {
    throw new Error('it has a document type declaration')
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth++
    if (depth > MOST_DEPTH || items.length > MOST_ITEMS) throw new Error('it has too many or too deep elements')
    if (name !== 'Item' || depth !== 2) return
    open = openItem(attributes)
    text = ''
  })
  const collect = (part: string) => {
    if (open !== undefined && depth === 2) text += part
  }
  parser.on('text', collect)
  parser.on('cdata', collect)
  parser.on('closetag', () => {
    if (depth === 2 && open !== undefined) items.push({ ...open, text: text.trim() })
    if (depth === 2) open = undefined
    depth--
  })
  parser.write(xml).close()
  return items.filter(({ name }) => name !== '')
}

function openItem(attributes: Readonly<Record<string, string>>): OpenItem {
  const sample = attributes['sample']
  return {
    name: attributes['name'] ?? '',
    sample: sample !== undefined && /^\d{1,6}$/.test(sample) ? Number(sample) : undefined,
    role: attributes['role'],
    domain: attributes['domain'],
  }
}
