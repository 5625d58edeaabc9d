import { malformed, overLimit, unsupported } from '../../errors.ts'
import type { Affine } from '../../formats/georeference/conventions.ts'
import type { DataType } from '../../model/data-type.ts'
import type { VrtBand, VrtDocument } from './document.ts'
import { readSource } from './read-source.ts'
import { childOf, childrenOf, readXml, textIn, type XmlElement } from './xml.ts'

/** Whether a file that begins so is a virtual raster. */
export function isVrt(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  return /^(?:ï»¿)?\s*<[?!V]/.test(text) && /<VRTDataset[\s/>]/.test(text)
}

/** What readers count pixels with. */
const MOST_PIXELS = 2 ** 31 - 1
const MOST_BANDS = 65_536

/** Reads a document; what it asks for that would need resampling, warping or code is 501 by its name. */
export function readVrt(text: string): VrtDocument {
  const root = readXml(text)
  if (root.name !== 'VRTDataset') throw malformed(`the root element is ${root.name.slice(0, 60)}, expected VRTDataset`)
  const subClass = root.attributes['subClass']
  if (subClass !== undefined) throw notRead(subClass, 'the dataset is computed from others')
  if (childOf(root, 'Group') !== undefined) throw notRead('Group', 'it is multidimensional')
  const [width, height] = [sizeOf(root, 'rasterXSize'), sizeOf(root, 'rasterYSize')]
  const elements = childrenOf(root, 'VRTRasterBand')
  if (elements.length > MOST_BANDS) throw overLimit(`it has ${elements.length} bands`)
  const [first, ...others] = elements.map((element, place) => readBand(element, `band ${place + 1}`))
  if (first === undefined) throw malformed('it has no VRTRasterBand')
  const mask = childOf(childOf(root, 'MaskBand'), 'VRTRasterBand')
  return {
    width,
    height,
    transform: transformOf(textIn(root, 'GeoTransform')),
    srs: textIn(root, 'SRS'),
    metadata: metadataOf(root),
    bands: [first, ...others],
    mask: mask === undefined ? undefined : readBand(mask, 'the mask band'),
  }
}

export function notRead(kind: string, why: string): Error {
  return unsupported(`VRT ${kind.slice(0, 60)}`, `${kind.slice(0, 60)} of a VRT is not read: ${why}`)
}

function sizeOf({ attributes }: XmlElement, name: string): number {
  const size = Number(attributes[name])
  if (Number.isSafeInteger(size) && size > 0 && size <= MOST_PIXELS) return size
  throw malformed(
    `${name} is ${JSON.stringify(attributes[name] ?? 'absent').slice(0, 60)}, expected a number of pixels`,
  )
}

/** GDAL's order is x, width, turn, y, turn, height. */
function transformOf(text: string | undefined): Affine | undefined {
  if (text === undefined) return undefined
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [c, a, b, f, d, e] = numbers
  if (numbers.length !== 6 || !numbers.every(Number.isFinite))
    throw malformed('GeoTransform is expected to be six numbers')
  return [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f ?? 0]
}

function metadataOf(element: XmlElement): ReadonlyMap<string, string> {
  const items = childrenOf(element, 'Metadata')
    .filter(({ attributes }) => (attributes['domain'] ?? '') === '' && attributes['format'] === undefined)
    .flatMap((metadata) => childrenOf(metadata, 'MDI'))
  return new Map(
    items.flatMap(({ attributes, text }) => (attributes['key'] ? [[attributes['key'], text] as const] : [])),
  )
}

/** GDAL's names of types; those that no array of the store has are not among them. */
const TYPES: ReadonlyMap<string, DataType> = new Map([
  ['Byte', { kind: 'uint', bits: 8 }],
  ['UInt8', { kind: 'uint', bits: 8 }],
  ['Int8', { kind: 'int', bits: 8 }],
  ['UInt16', { kind: 'uint', bits: 16 }],
  ['Int16', { kind: 'int', bits: 16 }],
  ['UInt32', { kind: 'uint', bits: 32 }],
  ['Int32', { kind: 'int', bits: 32 }],
  ['UInt64', { kind: 'uint', bits: 64 }],
  ['Int64', { kind: 'int', bits: 64 }],
  ['Float16', { kind: 'float', bits: 16 }],
  ['Float32', { kind: 'float', bits: 32 }],
  ['Float64', { kind: 'float', bits: 64 }],
  ['CFloat32', { kind: 'complex', bits: 64 }],
  ['CFloat64', { kind: 'complex', bits: 128 }],
])

const BAND_CLASSES = [undefined, 'VRTSourcedRasterBand']

function readBand(element: XmlElement, place: string): VrtBand {
  const { subClass, dataType: typeName = 'Byte' } = element.attributes
  if (!BAND_CLASSES.includes(subClass))
    throw notRead(subClass ?? '', `${place} is computed, or lies in a file of no format`)
  const dataType = TYPES.get(typeName)
  if (dataType === undefined) throw notRead(`dataType ${typeName}`, `${place} is of a type that is not served`)
  return {
    dataType,
    nodata: textIn(element, 'NoDataValue'),
    description: textIn(element, 'Description'),
    units: textIn(element, 'UnitType'),
    scale: numberIn(element, 'Scale'),
    offset: numberIn(element, 'Offset'),
    colour: textIn(element, 'ColorInterp'),
    metadata: metadataOf(element),
    sources: element.children.filter(({ name }) => /Source$/.test(name)).map((source) => readSource(source, place)),
  }
}

/** The number of a child; undefined where there is none. */
export function numberIn(element: XmlElement, name: string): number | undefined {
  const text = textIn(element, name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isFinite(number)) return number
  throw malformed(`${name} is ${JSON.stringify(text.slice(0, 60))}, expected a number`)
}
