import { flatAttributes } from '../../formats/georeference/conventions.ts'
import { axisCoordinates, bandCoordinate, spatialReference } from '../../formats/georeference/coordinates.ts'
import { crsOfWkt } from '../../formats/georeference/crs/reference-system.ts'
import { floatJson } from '../../json/json.ts'
import type { AttributeValue, Diagnostic, Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { bandsArray, type OpenImage, ofBands } from './bands-array.ts'
import type { VrtBand, VrtDocument } from './document.ts'
import { imageOf, type VrtImage } from './image.ts'

const VARIABLE = 'band_data'

/** A VRT as a store has it: as one GeoTIFF, or, where its bands differ in type or meaning, an array for each. */
export async function vrtTree(
  document: VrtDocument,
  open: OpenImage,
  warn: (diagnostic: Diagnostic) => void,
): Promise<VirtualGroup> {
  const placing = placingOf(document, warn)
  const mask = document.mask === undefined ? undefined : await bandsArray(document, [document.mask], new Map(), open)
  const members = new Map<string, Member>()
  for (const { name, bands } of variablesOf(document)) {
    const attributes = new Map([...attributesOf(document, bands), ...placing.named])
    const array = await bandsArray(document, bands, attributes, open)
    members.set(name, mask === undefined ? array : { ...array, maskedBy: mask })
  }
  const bandCount = members.size === 1 ? document.bands.length : 1
  const coordinates = [...bandCoordinate(bandCount), ...placing.coordinates]
  for (const [name, array] of coordinates) members.set(name, array)
  if (mask !== undefined) {
    const own = new Map<string, Member>([
      [VARIABLE, { ...mask, attributes: new Map(placing.named) }],
      ...placing.coordinates,
    ])
    members.set('mask', { kind: 'group', attributes: placing.attributes, members: own })
  }
  return { kind: 'group', attributes: placing.attributes, members }
}

/** What sources of another VRT see of one. */
export async function vrtImage(document: VrtDocument, url: string, open: OpenImage): Promise<VrtImage> {
  const { width, height, bands } = document
  const mask =
    document.mask === undefined ? undefined : await bandsArray(document, [document.mask], new Map(), open, true)
  const arrays: VirtualArray[] = []
  for (const band of bands) {
    const array = await bandsArray(document, [band], new Map(), open, true)
    arrays.push(mask === undefined ? array : { ...array, maskedBy: mask })
  }
  const [first] = arrays
  if (first === undefined) throw new RangeError('a VRT without bands')
  return { ...imageOf(first, url, undefined), width, height, bands: arrays.length, band: (at) => arrays[at] ?? first }
}

interface Variable {
  readonly name: string
  readonly bands: readonly [VrtBand, ...VrtBand[]]
}

function variablesOf({ bands }: VrtDocument): readonly Variable[] {
  const meanings = new Set(bands.map(meaningOf))
  if (meanings.size === 1) return [{ name: VARIABLE, bands }]
  return bands.map((band, at) => ({ name: `band_${at + 1}`, bands: [band] }))
}

function meaningOf(band: VrtBand): string {
  const { dataType, scale = 1, offset = 0, nodata } = band
  const [fill, sentinel] = [nodata?.fillValue, nodata?.sentinel].map((value) =>
    value !== undefined && 'value' in value ? String(value.value) : 'none',
  )
  return [dataType.kind, 'bits' in dataType ? dataType.bits : 0, scale, offset, fill, sentinel].join(' ')
}

function attributesOf(document: VrtDocument, bands: readonly [VrtBand, ...VrtBand[]]): Map<string, AttributeValue> {
  const [{ scale = 1, offset = 0 }] = bands
  const attributes = new Map<string, AttributeValue>(document.metadata)
  for (const key of new Set(bands.flatMap(({ metadata }) => [...metadata.keys()]))) {
    const value = ofBands(
      bands.map(({ metadata }) => metadata.get(key)),
      '',
    )
    if (value !== undefined) attributes.set(key, value)
  }
  const named: [string, AttributeValue | undefined][] = [
    [
      'long_name',
      ofBands(
        bands.map(({ description }) => description),
        '',
      ),
    ],
    ['units', singly(bands.map(({ units }) => units))],
    [
      'COLOR_INTERPRETATION',
      ofBands(
        bands.map(({ colour }) => colour),
        'Undefined',
      ),
    ],
    ['scale_factor', scale === 1 ? undefined : floatJson(scale)],
    ['add_offset', offset === 0 ? undefined : floatJson(offset)],
  ]
  for (const [name, value] of named) if (value !== undefined) attributes.set(name, value)
  return attributes
}

/** CF has one unit for an array; a list breaks readers. */
function singly(units: readonly (string | undefined)[]): string | undefined {
  return units.every((unit) => unit === units[0]) ? units[0] : undefined
}

function placingOf({ srs, transform, width, height }: VrtDocument, warn: (diagnostic: Diagnostic) => void) {
  const crs = srs === undefined ? undefined : crsOfWkt(srs)
  if (srs !== undefined && crs === undefined) {
    const message = `SRS is no well-known text of a reference system: ${JSON.stringify(srs.slice(0, 60))}`
    warn({ code: 'crs-dropped', message })
  }
  const placement = { transform, points: [], pixelIsPoint: false }
  const coordinates = [...axisCoordinates(transform, width, height, crs), ...spatialReference(crs, placement)]
  const isReferenced = crs !== undefined || transform !== undefined
  const levels = [{ name: '0', width, height, transform }]
  const attributes = new Map(flatAttributes({ levels, dimensions: ['y', 'x'], code: crs?.code }))
  if (isReferenced) attributes.set('coordinates', 'spatial_ref')
  const named: [string, AttributeValue][] = isReferenced ? [['grid_mapping', 'spatial_ref']] : []
  return { coordinates, attributes, named }
}
