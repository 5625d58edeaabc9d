import { malformed } from '../../errors.ts'
import { type LeadingNumber, leadingInteger, leadingNumber } from '../../formats/georeference/c-numbers.ts'
import { lookUp, type XmlElement } from '../../formats/georeference/gdal-xml.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'

/** An element that is read, and where it stands: `VRTDataset/VRTRasterBand[2]/ComplexSource[1]`. */
export interface Reading {
  readonly element: XmlElement
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

/** A child as it is read; `at` is its number among children of its name, from 1. */
export function readingOf({ path, warn }: Reading, element: XmlElement, at: number): Reading {
  return { element, path: `${path}/${element.name}[${at}]`, warn }
}

/** The number of an attribute or a child; undefined where there is none. What follows it, GDAL doesn't read, and a diagnostic says so. */
export function numberIn(reading: Reading, name: string, read = leadingNumber): number | undefined {
  const text = lookUp(reading.element, name)
  if (text === undefined) return undefined
  const { value } = spelledNumber(reading, name, text, read)
  return value
}

export function integerIn(reading: Reading, name: string): number | undefined {
  return numberIn(reading, name, leadingInteger)
}

/** The same of a finite number; any other is refused. */
export function finiteIn(reading: Reading, name: string): number | undefined {
  const value = numberIn(reading, name)
  if (value === undefined || Number.isFinite(value)) return value
  throw malformed(`${name} of ${reading.path} is ${value}, expected a finite number`)
}

export function spelledNumber(
  { path, warn }: Reading,
  name: string,
  text: string,
  read: (text: string) => LeadingNumber,
): LeadingNumber {
  const number = read(text)
  if (!number.isWhole) {
    const message = `${name} of ${path} is ${JSON.stringify(text.slice(0, 60))}, which GDAL reads as ${number.value}`
    warn({ code: 'vrt-number', message })
  }
  return number
}

/** GDAL's truth values: what is not one of these words is true. */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && !/^(?:no|false|off|0)$/i.test(text)
}
