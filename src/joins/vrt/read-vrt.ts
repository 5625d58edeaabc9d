import { malformed, overLimit, unsupported } from '../../errors.ts'
import type { Affine } from '../../formats/georeference/conventions.ts'
import {
  childOf,
  childrenOf,
  isNamed,
  lookUp,
  readLongXml,
  textIn,
  type XmlElement,
} from '../../formats/georeference/gdal-xml.ts'
import type { DataType } from '../../model/data-type.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import type { VrtBand, VrtDocument, VrtSource } from './document.ts'
import { warnOfIgnored } from './ignored-elements.ts'
import { bandNodata } from './nodata.ts'
import { isSource, readSource } from './read-source.ts'
import { finiteIn, type Reading, readingOf } from './reading.ts'

/** Whether a file that begins so is a virtual raster. */
export function isVrt(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  return /^(?:ï»¿)?\s*<[?!V]/.test(text) && /<VRTDataset[\s/>]/.test(text)
}

/** What readers count pixels with. */
const MOST_PIXELS = 2 ** 31 - 1
const MOST_BANDS = 65_536
const MAX_ELEMENTS = 1_000_000

/** Datasets that are computed from others; GDAL compares these names with regard to case, and reads any other as none. */
const COMPUTED_DATASETS = ['VRTWarpedDataset', 'VRTPansharpenedDataset', 'VRTProcessedDataset']

/**
 * Reads a document, names as GDAL compares them: without regard to case, attributes and elements alike. What it asks for that would
 * need resampling, warping or code is 501 by its name; what is not interpreted, `warn` is told.
 */
export async function readVrt(
  text: string,
  warn: (diagnostic: Diagnostic) => void = () => undefined,
): Promise<VrtDocument> {
  const root = await readLongXml(text, MAX_ELEMENTS)
  if (!isNamed(root, 'VRTDataset'))
    throw malformed(`the root element is ${root.name.slice(0, 60)}, expected VRTDataset`)
  const reading: Reading = { element: root, path: root.name, warn }
  const subClass = textIn(root, 'subClass')
  if (subClass !== undefined && COMPUTED_DATASETS.includes(subClass))
    throw notRead(subClass, 'the dataset is computed from others')
  if (childOf(root, 'Group') !== undefined) throw notRead('Group', 'it is multidimensional')
  const [width, height] = [sizeOf(root, 'rasterXSize'), sizeOf(root, 'rasterYSize')]
  const elements = childrenOf(root, 'VRTRasterBand')
  if (elements.length > MOST_BANDS) throw overLimit(`it has ${elements.length} bands`)
  const bands: VrtBand[] = []
  for (const [at, element] of elements.entries()) {
    bands.push(await readBand(readingOf(reading, element, at + 1), `band ${at + 1}`))
  }
  const [first, ...others] = bands
  if (first === undefined) throw malformed('it has no VRTRasterBand')
  await warnOfIgnored(root, warn)
  return {
    width,
    height,
    transform: transformOf(textIn(root, 'GeoTransform')),
    srs: textIn(root, 'SRS'),
    metadata: metadataOf(root),
    bands: [first, ...others],
    mask: await readMask(reading, elements),
  }
}

function notRead(kind: string, why: string): Error {
  return unsupported(`VRT ${kind.slice(0, 60)}`, `${kind.slice(0, 60)} of a VRT is not read: ${why}`)
}

/** The mask of the dataset, or that of its only band. */
async function readMask(reading: Reading, bands: readonly XmlElement[]): Promise<VrtBand | undefined> {
  const maskOf = (element: XmlElement) => childOf(childOf(element, 'MaskBand'), 'VRTRasterBand')
  const own = maskOf(reading.element)
  const ofBands = bands.flatMap((band) => maskOf(band) ?? [])
  if (own !== undefined && ofBands.length > 0) throw malformed('it has a MaskBand, and so has one of its bands')
  if (bands.length > 1 && ofBands.length > 0) throw notRead('MaskBand', 'it is that of one of several bands')
  const mask = own ?? ofBands[0]
  return mask === undefined
    ? undefined
    : await readBand(
        { ...reading, element: mask, path: `${reading.path}/MaskBand[1]/${mask.name}[1]` },
        'the mask band',
      )
}

function sizeOf(root: XmlElement, name: string): number {
  const text = textIn(root, name)
  const size = Number(text)
  if (Number.isSafeInteger(size) && size > 0 && size <= MOST_PIXELS) return size
  throw malformed(`${name} is ${JSON.stringify(text ?? 'absent').slice(0, 60)}, expected a number of pixels`)
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

/** The first attribute of an item is its key, whatever its name. */
function metadataOf(element: XmlElement): ReadonlyMap<string, string> {
  const items = childrenOf(element, 'Metadata')
    .filter((metadata) => (lookUp(metadata, 'domain') ?? '') === '' && lookUp(metadata, 'format') === undefined)
    .flatMap((metadata) => childrenOf(metadata, 'MDI'))
  return new Map(
    items.flatMap(({ attributes, text }) => {
      const [key = ''] = Object.values(attributes)
      return key === '' || text === undefined ? [] : [[key, text] as const]
    }),
  )
}

/** What says of a band how its values are stored, of which one changes what GDAL reads. */
function warnOfBits({ element, path, warn }: Reading): void {
  const structures = childrenOf(element, 'Metadata').filter((metadata) =>
    /^image_structure$/i.test(lookUp(metadata, 'domain') ?? ''),
  )
  const items = structures.flatMap((metadata) => childrenOf(metadata, 'MDI'))
  const bits = items.find(({ attributes }) => /^nbits$/i.test(Object.values(attributes)[0] ?? ''))
  if (bits === undefined) return
  const message = `NBITS of ${path} is ${(bits.text ?? '').slice(0, 20)}: larger values, which GDAL cuts off, are served as they are`
  warn({ code: 'vrt-element-ignored', message })
}

/** GDAL's names of types, in small letters; those that no array of the store has are not among them. */
const TYPES: ReadonlyMap<string, DataType> = new Map([
  ['byte', { kind: 'uint', bits: 8 }],
  ['uint8', { kind: 'uint', bits: 8 }],
  ['int8', { kind: 'int', bits: 8 }],
  ['uint16', { kind: 'uint', bits: 16 }],
  ['int16', { kind: 'int', bits: 16 }],
  ['uint32', { kind: 'uint', bits: 32 }],
  ['int32', { kind: 'int', bits: 32 }],
  ['uint64', { kind: 'uint', bits: 64 }],
  ['int64', { kind: 'int', bits: 64 }],
  ['float16', { kind: 'float', bits: 16 }],
  ['float32', { kind: 'float', bits: 32 }],
  ['float64', { kind: 'float', bits: 64 }],
  ['cfloat32', { kind: 'complex', bits: 64 }],
  ['cfloat64', { kind: 'complex', bits: 128 }],
])

async function readBand(reading: Reading, place: string): Promise<VrtBand> {
  const { element } = reading
  const subClass = textIn(element, 'subClass')
  if (subClass !== undefined && !/^VRTSourcedRasterBand$/i.test(subClass))
    throw notRead(subClass, `${place} is computed, or lies in a file of no format`)
  if (childOf(element, 'PixelFunctionType') !== undefined)
    throw notRead('PixelFunctionType', `${place} is computed by it`)
  const typeName = lookUp(element, 'dataType') ?? 'Byte'
  const dataType = TYPES.get(typeName.toLowerCase())
  if (dataType === undefined) throw notRead(`dataType ${typeName}`, `${place} is of a type that is not served`)
  warnOfBits(reading)
  const numbers = new Map<string, number>()
  const sources: VrtSource[] = []
  for (const child of element.children) {
    if (!isSource(child.name)) continue
    const wait = turn()
    if (wait !== undefined) await wait
    const at = (numbers.get(child.name) ?? 0) + 1
    numbers.set(child.name, at)
    const source = readSource(readingOf(reading, child, at), place)
    if (source !== undefined) sources.push(source)
  }
  return {
    dataType,
    nodata: bandNodata(reading, dataType),
    description: textIn(element, 'Description'),
    units: textIn(element, 'UnitType'),
    scale: finiteIn(reading, 'Scale'),
    offset: finiteIn(reading, 'Offset'),
    colour: textIn(element, 'ColorInterp'),
    metadata: metadataOf(element),
    sources,
  }
}
