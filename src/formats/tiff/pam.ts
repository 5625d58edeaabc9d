// GDAL's "persistent auxiliary metadata" (`.aux.xml`): https://gdal.org/en/stable/user/pam.html
import { leadingInteger, leadingNumber } from '../georeference/c-numbers.ts'
import type { Affine } from '../georeference/conventions.ts'
import { childOf, childrenOf, isNamed, lookUp, readXml, type XmlElement } from '../georeference/gdal-xml.ts'
import type { ControlPoint } from '../georeference/placement.ts'
import type { MetadataItem } from './gdal-metadata.ts'

/** What a sidecar says of an image; it goes before what the file itself says. */
export interface Pam {
  readonly wkt: string | undefined
  readonly transform: Affine | undefined
  readonly points: readonly ControlPoint[]
  /** The system of the points. */
  readonly pointsWkt: string | undefined
  /** Text of the nodata value by band, from 0. */
  readonly nodata: ReadonlyMap<number, string>
  /** Metadata, and what bands are called and mean, as items of tag 42112 say it. */
  readonly items: readonly MetadataItem[]
}

const MAX_ELEMENTS = 20_000
const ROOT = 'PAMDataset'

/** Whether a document begins like such a sidecar. */
export function isPam(head: Uint8Array): boolean {
  return /^(?:ï»¿)?\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*)*<PAMDataset[\s/>]/i.test(Buffer.from(head).toString('latin1'))
}

/** Reads a sidecar as GDAL does, whatever the case of its names; throws for what is no XML, or more than metadata needs. */
export function parsePam(xml: string): Pam {
  const root = readXml(xml, MAX_ELEMENTS)
  if (!isNamed(root, ROOT)) throw new Error(`its root is ${root.name.slice(0, 60)}, expected ${ROOT}`)
  const bands = childrenOf(root, 'PAMRasterBand').flatMap((element) => {
    const band = leadingInteger(lookUp(element, 'band') ?? '0').value
    return band >= 1 && band <= MAX_BAND ? [{ element, sample: band - 1 }] : []
  })
  const points = childOf(root, 'GCPList')
  const items = [
    ...metadataOf(root, undefined),
    ...bands.flatMap(({ element, sample }) => [...metadataOf(element, sample), ...rolesOf(element, sample)]),
  ]
  return {
    wkt: textIn(root, 'SRS'),
    transform: transformOf(textIn(root, 'GeoTransform')),
    points: childrenOf(points, 'GCP').map(pointOf),
    pointsWkt: textIn(points, 'Projection'),
    nodata: new Map(
      bands.flatMap(({ element, sample }) => {
        const text = nodataOf(element)
        return text === undefined ? [] : [[sample, text] as const]
      }),
    ),
    items: [...items, ...otherHalves(items)],
  }
}

const MAX_BAND = 999_999

/** Not blank. */
function textIn(element: XmlElement | undefined, name: string): string | undefined {
  const text = lookUp(element, name)?.trim()
  return text === '' ? undefined : text
}

/** The bytes of a double, where they are given, say more than its text; what follows a number is not read. */
function nodataOf(element: XmlElement): string | undefined {
  const text = textIn(element, 'NoDataValue')
  if (text === undefined) return undefined
  const bytes = lookUp(childOf(element, 'NoDataValue'), 'le_hex_equiv') ?? ''
  if (/^[0-9a-f]{16}$/i.test(bytes)) return String(Buffer.from(bytes, 'hex').readDoubleLE())
  return leadingNumber(text).isWhole ? text : (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(text)?.[0] ?? text)
}

/** The first attribute of an item is its key, whatever its name; later items of a key go before earlier ones. */
function metadataOf(element: XmlElement, sample: number | undefined): MetadataItem[] {
  const items = new Map<string, MetadataItem>()
  for (const metadata of childrenOf(element, 'Metadata')) {
    const domain = lookUp(metadata, 'domain')
    for (const { attributes, text } of childrenOf(metadata, 'MDI')) {
      const [name = ''] = Object.values(attributes)
      if (name !== '' && text !== undefined)
        items.set(`${domain ?? ''} ${name}`, { name, text: text.trim(), sample, role: undefined, domain })
    }
  }
  return [...items.values()]
}

const NUMBERS = new Set(['Scale', 'Offset'])

/** Elements of a band that are items with a role. */
function rolesOf(element: XmlElement, sample: number): MetadataItem[] {
  return ['Description', 'UnitType', 'Scale', 'Offset'].flatMap((name) => {
    const spelled = textIn(element, name)
    if (spelled === undefined) return []
    const text = NUMBERS.has(name) && !leadingNumber(spelled).isWhole ? String(leadingNumber(spelled).value) : spelled
    return [{ name: name.toUpperCase(), text, sample, role: name.toLowerCase(), domain: undefined }]
  })
}

/** A band that has one of scale and offset here has the other's neutral value, whatever the file says. */
function otherHalves(items: readonly MetadataItem[]): MetadataItem[] {
  const has = new Set(items.map(({ role, sample }) => `${role} ${sample}`))
  return items.flatMap((item) => {
    const other = item.role === 'scale' ? 'offset' : item.role === 'offset' ? 'scale' : undefined
    if (other === undefined || has.has(`${other} ${item.sample}`)) return []
    return [{ ...item, name: other.toUpperCase(), role: other, text: other === 'scale' ? '1' : '0' }]
  })
}

/** GDAL's order: x of the corner, its steps along a row and a column, then y. */
function transformOf(text: string | undefined): Affine | undefined {
  if (text === undefined) return undefined
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [c = 0, a = 0, b = 0, f = 0, d = 0, e = 0] = numbers
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) throw new Error('its GeoTransform is not six numbers')
  return [a, b, c, d, e, f]
}

function pointOf(element: XmlElement): ControlPoint {
  const [column = 0, row = 0, x = 0, y = 0, z = 0] = ['Pixel', 'Line', 'X', 'Y', 'Z'].map((name) => {
    const number = Number(lookUp(element, name) ?? 0)
    if (!Number.isFinite(number)) throw new Error(`a control point has a ${name} that is no number`)
    return number
  })
  return { column, row, x, y, z }
}
