// GDAL's "persistent auxiliary metadata" (`.aux.xml`): https://gdal.org/en/stable/user/pam.html
import type { Affine } from '../georeference/conventions.ts'
import type { ControlPoint } from '../georeference/placement.ts'
import type { MetadataItem } from './gdal-metadata.ts'
import { readXml, type XmlAttributes, type XmlReader } from './xml.ts'

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

const MOST_ITEMS = 20_000
const ROOT = 'PAMDataset'
const BAND = `${ROOT}/PAMRasterBand`

/** Elements of a band that are items with a role, by its name. */
const BAND_ROLES: ReadonlyMap<string, string> = new Map([
  [`${BAND}/Description`, 'description'],
  [`${BAND}/UnitType`, 'unittype'],
  [`${BAND}/Scale`, 'scale'],
  [`${BAND}/Offset`, 'offset'],
])

/** Whether a document begins like such a sidecar. */
export function isPam(head: Uint8Array): boolean {
  return /^(?:ï»¿)?\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*)*<PAMDataset[\s/>]/.test(Buffer.from(head).toString('latin1'))
}

/** Reads a sidecar; throws for what is no XML, or more than metadata needs. */
export function parsePam(xml: string): Pam {
  const reader = new PamReader()
  readXml(xml, MOST_ITEMS, reader)
  return reader.finished()
}

interface OpenElement {
  readonly attributes: XmlAttributes
  readonly parent: string
}

class PamReader implements XmlReader {
  readonly #open: OpenElement[] = []
  #path = ''
  #text = ''
  #wkt: string | undefined
  #transform: Affine | undefined
  #pointsWkt: string | undefined
  readonly #points: ControlPoint[] = []
  readonly #nodata = new Map<number, string>()
  readonly #items: MetadataItem[] = []

  open(name: string, attributes: XmlAttributes): void {
    this.#open.push({ attributes, parent: this.#path })
    this.#path = this.#path === '' ? name : `${this.#path}/${name}`
    this.#text = ''
  }

  text(part: string): void {
    this.#text += part
  }

  close(): void {
    const element = this.#open.pop()
    if (element === undefined) return
    this.#take(this.#path, element.attributes, this.#text.trim(), this.#open)
    this.#path = element.parent
    this.#text = ''
  }

  /** Takes an element that ended, in those that are still open around it. */
  #take(path: string, attributes: XmlAttributes, text: string, around: readonly OpenElement[]): void {
    if (path === `${ROOT}/SRS`) this.#wkt = text === '' ? undefined : text
    else if (path === `${ROOT}/GeoTransform`) this.#transform = transformOf(text)
    else if (path === `${ROOT}/GCPList`) this.#pointsWkt = attributes['Projection']
    else if (path === `${ROOT}/GCPList/GCP`) this.#points.push(pointOf(attributes))
    else if (path === `${ROOT}/Metadata/MDI`) this.#addItem(attributes, text, around, undefined)
    else if (path.startsWith(`${BAND}/`)) this.#takeOfBand(path, attributes, text, around)
  }

  #takeOfBand(path: string, attributes: XmlAttributes, text: string, around: readonly OpenElement[]): void {
    const number = around[1]?.attributes['band'] ?? ''
    if (!/^[1-9]\d{0,5}$/.test(number)) return
    const sample = Number(number) - 1
    const role = BAND_ROLES.get(path)
    if (path === `${BAND}/NoDataValue` && text !== '') this.#nodata.set(sample, text)
    else if (path === `${BAND}/Metadata/MDI`) this.#addItem(attributes, text, around, sample)
    else if (role !== undefined && text !== '') {
      this.#items.push({ name: role.toUpperCase(), text, sample, role, domain: undefined })
    }
  }

  #addItem(attributes: XmlAttributes, text: string, around: readonly OpenElement[], sample: number | undefined): void {
    const name = attributes['key'] ?? ''
    const domain = around.at(-1)?.attributes['domain']
    if (name !== '') this.#items.push({ name, text, sample, role: undefined, domain })
  }

  finished(): Pam {
    return {
      wkt: this.#wkt,
      transform: this.#transform,
      points: this.#points,
      pointsWkt: this.#pointsWkt,
      nodata: this.#nodata,
      items: [...this.#items, ...otherHalves(this.#items)],
    }
  }
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
function transformOf(text: string): Affine {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [c = 0, a = 0, b = 0, f = 0, d = 0, e = 0] = numbers
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) throw new Error('its GeoTransform is not six numbers')
  return [a, b, c, d, e, f]
}

function pointOf(attributes: XmlAttributes): ControlPoint {
  const [column = 0, row = 0, x = 0, y = 0, z = 0] = ['Pixel', 'Line', 'X', 'Y', 'Z'].map((name) => {
    const number = Number(attributes[name] ?? 0)
    if (!Number.isFinite(number)) throw new Error(`a control point has a ${name} that is no number`)
    return number
  })
  return { column, row, x, y, z }
}
