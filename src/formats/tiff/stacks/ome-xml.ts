// OME-XML 2016-06 in the first ImageDescription of a file: https://docs.openmicroscopy.org/ome-model/latest/ome-tiff/specification.html
import { readXml, type XmlAttributes, type XmlReader } from '../xml.ts'

/** One image of up to five dimensions. */
export interface OmeImage {
  readonly name: string | undefined
  /** `XYZCT`: the first letter varies fastest from plane to plane. */
  readonly order: string
  readonly sizes: Readonly<Record<OmeAxis, number>>
  /** Distance of neighbours along an axis, and its unit. */
  readonly steps: OmeSteps
  readonly channels: readonly OmeChannel[]
  readonly planes: readonly OmePlanes[]
}

export type OmeAxis = 'X' | 'Y' | 'Z' | 'C' | 'T'

/** Steps of the axes that have one. */
type OmeSteps = Readonly<Partial<Record<OmeAxis, OmeStep | undefined>>>

export interface OmeStep {
  readonly step: number
  readonly unit: string
}

interface OmeChannel {
  readonly name: string
  readonly samples: number
}

/** A `TiffData`: which directories hold planes, from which one on. */
export interface OmePlanes {
  readonly directory: number | undefined
  readonly count: number | undefined
  readonly first: Readonly<Record<'Z' | 'C' | 'T', number>>
  /** The file that has them, where it is said. */
  readonly file: { readonly uuid: string; readonly name: string | undefined } | undefined
}

export interface OmeDocument {
  readonly uuid: string | undefined
  readonly images: readonly OmeImage[]
}

const MOST_ELEMENTS = 500_000
const ORDER = /^XY(?:ZCT|ZTC|CTZ|CZT|TCZ|TZC)$/

type OpenImage = { -readonly [Key in keyof OmeImage]: OmeImage[Key] } & { channels: OmeChannel[]; planes: OmePlanes[] }

/** Whether a description is OME-XML. */
export function isOmeXml(text: string): boolean {
  const head = text.slice(0, 4096)
  return /^\s*</.test(head) && /<(?:\w{1,20}:)?OME[\s>]/.test(head)
}

/** Reads the images; throws for what is no OME-XML, or not enough of it. */
export function parseOmeXml(xml: string): OmeDocument {
  const reader = new OmeReader()
  readXml(xml, MOST_ELEMENTS, reader)
  return reader.document
}

class OmeReader implements XmlReader {
  readonly #images: OpenImage[] = []
  #uuid: string | undefined
  /** Of the image that is next described. */
  #name: string | undefined
  /** A `UUID` that is open: the file that has the planes before it. */
  #file: { uuid: string; readonly name: string | undefined } | undefined

  get document(): OmeDocument {
    return { uuid: this.#uuid, images: this.#images }
  }

  open(name: string, attributes: XmlAttributes): void {
    const image = this.#images.at(-1)
    switch (localName(name)) {
      case 'OME':
        this.#uuid = attributes['UUID']
        break
      case 'Image':
        this.#name = attributes['Name']
        break
      case 'Pixels':
        this.#images.push(imageOf(attributes, this.#name))
        break
      case 'Channel':
        image?.channels.push({ name: attributes['Name'] ?? '', samples: count(attributes, 'SamplesPerPixel', 1) })
        break
      case 'TiffData':
        image?.planes.push(planesOf(attributes))
        break
      case 'UUID':
        this.#file = { uuid: '', name: attributes['FileName'] }
        break
      case 'BinaryOnly':
        throw new Error('its images are described in another file (BinaryOnly)')
    }
  }

  text(part: string): void {
    if (this.#file !== undefined) this.#file.uuid += part
  }

  close(element: string): void {
    const planes = this.#images.at(-1)?.planes
    const last = planes?.at(-1)
    if (localName(element) === 'UUID' && this.#file !== undefined && planes !== undefined && last !== undefined) {
      const { uuid, name } = this.#file
      planes[planes.length - 1] = { ...last, file: { uuid: uuid.trim(), name } }
    }
    this.#file = undefined
  }
}

function localName(name: string): string {
  return name.replace(/^\w+:/, '')
}

function imageOf(attributes: XmlAttributes, name: string | undefined): OpenImage {
  const order = attributes['DimensionOrder'] ?? ''
  if (!ORDER.test(order)) throw new Error(`DimensionOrder is ${JSON.stringify(order.slice(0, 20))}`)
  const size = (axis: OmeAxis) => count(attributes, `Size${axis}`)
  const step = (axis: OmeAxis, value: string, unit: string) => ({ [axis]: stepOf(attributes, value, unit) })
  return {
    name,
    order,
    sizes: { X: size('X'), Y: size('Y'), Z: size('Z'), C: size('C'), T: size('T') },
    steps: {
      ...step('X', 'PhysicalSizeX', 'µm'),
      ...step('Y', 'PhysicalSizeY', 'µm'),
      ...step('Z', 'PhysicalSizeZ', 'µm'),
      ...step('T', 'TimeIncrement', 's'),
    },
    channels: [],
    planes: [],
  }
}

function stepOf(attributes: XmlAttributes, name: string, usualUnit: string): OmeStep | undefined {
  const step = Number(attributes[name])
  if (!Number.isFinite(step) || step === 0) return undefined
  return { step, unit: attributes[`${name}Unit`] ?? usualUnit }
}

function planesOf(attributes: XmlAttributes): OmePlanes {
  const optional = (name: string) => (attributes[name] === undefined ? undefined : count(attributes, name, 0, 0))
  const first = (axis: string) => count(attributes, `First${axis}`, 0, 0)
  return {
    directory: optional('IFD'),
    // Before 2009 it was called NumPlanes.
    count: optional('PlaneCount') ?? optional('NumPlanes'),
    first: { Z: first('Z'), C: first('C'), T: first('T') },
    file: undefined,
  }
}

function count(attributes: XmlAttributes, name: string, fallback?: number, least = 1): number {
  const text = attributes[name]
  const value = text === undefined ? fallback : /^\d{1,10}$/.test(text.trim()) ? Number(text) : undefined
  if (value !== undefined && value >= least && value < 2 ** 30) return value
  throw new Error(`${name} is ${text === undefined ? 'missing' : JSON.stringify(text.slice(0, 20))}`)
}
