import type { Choices } from '../helpers/choices.ts'
import type { ElementCounts } from './generator.ts'
import type { XmlNode } from './xml-speller.ts'

/** Geotransforms in metres and in degrees. */
export const METRES: readonly number[] = [500_000, 10.5, 0, 5_000_000, 0, -10.5]
export const DEGREES: readonly number[] = [0.125, 0.1, 1e-3, 50, -2e-3, -0.1]

/** Elements that GDAL's documents have in common (VRT and PAM), by random choices, each counted. */
export class GdalElements {
  readonly #choices: Choices
  readonly #counts: ElementCounts

  constructor(choices: Choices, counts: ElementCounts) {
    this.#choices = choices
    this.#counts = counts
  }

  count(element: string): void {
    this.#counts.add(element)
  }

  maybe(probability: number, make: () => XmlNode): XmlNode[] {
    return this.#choices.isTrue(probability) ? [make()] : []
  }

  text(name: string, text: string, element = name): XmlNode {
    this.count(element)
    return { name, text }
  }

  number(name: string, text: string, element = name): XmlNode {
    this.count(element)
    return { name, text, isNumber: true }
  }

  /** An element that says nothing of values. */
  ignored(name: string, element: string): XmlNode {
    this.count(element)
    return { name, isPlain: true, children: [{ name: 'Entry', text: '7', isPlain: true }] }
  }

  srs(): XmlNode {
    this.count('SRS')
    const isMapped = this.#choices.isTrue(0.3)
    if (isMapped) this.count('SRS@dataAxisToSRSAxisMapping')
    const attributes = isMapped ? ([['dataAxisToSRSAxisMapping', '1,2']] as const) : []
    return { name: 'SRS', text: this.#choices.one(['EPSG:32633', 'epsg:4326']), isPlain: true, attributes }
  }

  /** Six numbers, spelled in several ways. */
  geoTransform(choose: () => readonly number[]): XmlNode {
    const blank = this.#choices.one(['', ' ', '\n '])
    const spelled = choose().map((number) => (this.#choices.isTrue(0.3) ? number.toExponential(16) : String(number)))
    return this.text('GeoTransform', spelled.map((number) => `${blank}${number}`).join(','))
  }

  /** An item of a domain, or of the default one. */
  metadata({ domain, key, value }: MetadataItem): XmlNode {
    for (const element of ['Metadata', 'MDI', 'MDI@key']) this.count(element)
    if (domain !== undefined) this.count('Metadata@domain')
    return {
      name: 'Metadata',
      isPlain: true,
      attributes: domain === undefined ? [] : [['domain', domain]],
      children: [{ name: 'MDI', isPlain: true, attributes: [['key', key]], text: value }],
    }
  }
}

interface MetadataItem {
  readonly domain?: string | undefined
  readonly key: string
  readonly value: string
}
