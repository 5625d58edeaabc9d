import { floatJson } from '../../json/json.ts'
import { writeJson } from '../../json/write.ts'
import { computedCoordinate, evenly } from '../../model/computed-array.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { inlineIndex } from '../../model/plain-indexes.ts'
import { type AttributeValue, NO_SENTINELS, type VirtualArray } from '../../model/virtual-store.ts'
import type { Affine } from './conventions.ts'
import type { Crs } from './crs/reference-system.ts'
import { DEGREE, isSame } from './crs/units.ts'
import { isUpright, type Placement } from './placement.ts'

type NamedArray = readonly [string, VirtualArray]

/** Pixel centres along both axes; none where the image is rotated or lies nowhere. */
export function axisCoordinates(
  transform: Affine | undefined,
  width: number,
  height: number,
  crs: Crs | undefined,
): NamedArray[] {
  if (transform === undefined || !isUpright(transform)) return []
  const [a, , c, , e, f] = transform
  return [
    ['y', computedCoordinate('y', height, evenly({ first: f + e / 2, step: e }), axisAttributes('Y', crs))],
    ['x', computedCoordinate('x', width, evenly({ first: c + a / 2, step: a }), axisAttributes('X', crs))],
  ]
}

/** Without a reference system on a map the numbers are just numbers. */
function axisAttributes(axis: 'X' | 'Y', crs: Crs | undefined): Map<string, AttributeValue> {
  const named = new Map<string, AttributeValue>([['axis', axis]])
  if (crs === undefined || crs.kind === 'other') return named
  if (crs.kind === 'projected') {
    return named.set('standard_name', `projection_${axis.toLowerCase()}_coordinate`).set('units', lengthUnits(crs.unit))
  }
  const isDegree = isSame(crs.unit, DEGREE)
  const degrees = axis === 'X' ? 'degrees_east' : 'degrees_north'
  const units = isDegree ? degrees : `${Number((crs.unit / DEGREE).toPrecision(9))} degree`
  return named.set('standard_name', axis === 'X' ? 'longitude' : 'latitude').set('units', units)
}

const LENGTHS = [
  ['metre', 1],
  ['kilometre', 1000],
  ['foot', 0.3048],
  ['US_survey_foot', 1200 / 3937],
] as const

/** A unit of length as UDUNITS spells it. */
function lengthUnits(metres: number): string {
  const [name] = LENGTHS.find(([, size]) => isSame(size, metres)) ?? []
  return name ?? `${metres} metre`
}

/** Bands by number, from 1 as everywhere in GDAL's world. */
export function bandCoordinate(samples: number): NamedArray[] {
  if (samples === 1) return []
  return [
    [
      'band',
      integers(
        [samples],
        ['band'],
        BigInt64Array.from({ length: samples }, (_, i) => BigInt(i + 1)),
        new Map(),
      ),
    ],
  ]
}

/** CF's grid mapping variable: its value means nothing, its attributes all. */
export function spatialReference(crs: Crs | undefined, placement: Placement): NamedArray[] {
  const { transform, points } = placement
  if (crs === undefined && transform === undefined && points.length === 0) return []
  const attributes = new Map<string, AttributeValue>()
  if (crs !== undefined) {
    attributes.set('crs_wkt', crs.wkt)
    attributes.set('spatial_ref', crs.wkt)
  }
  if (transform !== undefined) {
    const [a, b, c, d, e, f] = transform
    attributes.set('GeoTransform', [c, a, b, f, d, e].join(' '))
  }
  if (points.length > 0) attributes.set('gcps', gcpsOf(placement))
  return [['spatial_ref', integers([], [], new BigInt64Array(1), attributes)]]
}

/** Ground control points as rioxarray writes and reads them: the text of a GeoJSON. */
function gcpsOf({ points, pixelIsPoint }: Placement): string {
  const half = pixelIsPoint ? 0.5 : 0
  return writeJson({
    type: 'FeatureCollection',
    features: points.map(({ column, row, x, y, z }, i) => ({
      type: 'Feature',
      properties: { id: String(i + 1), info: '', row: row + half, col: column + half },
      geometry: { type: 'Point', coordinates: [x, y, z].map(floatJson) },
    })),
  })
}

function integers(
  shape: readonly number[],
  dimensionNames: readonly string[],
  values: BigInt64Array,
  attributes: ReadonlyMap<string, AttributeValue>,
): VirtualArray {
  const view = new DataView(new ArrayBuffer(values.length * 8))
  for (const [i, value] of values.entries()) view.setBigInt64(i * 8, value, true)
  const bytes = new Uint8Array(view.buffer)
  return {
    kind: 'array',
    shape,
    chunkShape: shape,
    dataType: { kind: 'int', bits: 64 },
    fillValue: { kind: 'bigint', value: 0n },
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes,
    dimensionNames,
    encodings: [rawEncoding('little')],
    edges: 'padded',
    chunks: inlineIndex(shape, shape, bytes),
  }
}
