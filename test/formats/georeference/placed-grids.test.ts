import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformed, overBudget } from '../../../src/errors.ts'
import { withPlacedGrids } from '../../../src/formats/georeference/placed-grids.ts'
import { Float } from '../../../src/json/json.ts'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import { computedCoordinate } from '../../../src/model/computed-array.ts'
import type {
  AttributeValue,
  Member,
  StoredArray,
  VirtualArray,
  VirtualGroup,
} from '../../../src/model/virtual-store.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'

type Attributes = Readonly<Record<string, AttributeValue>>

const NORTH = { units: 'degrees_north' }
const EAST = { units: 'degrees_east' }

function axis(name: string, values: readonly number[], attributes: Attributes): [string, VirtualArray] {
  return [name, computedCoordinate(name, values.length, (i) => values[i] ?? 0, new Map(Object.entries(attributes)))]
}

function steps(first: number, step: number, length: number): number[] {
  return Array.from({ length }, (_, i) => first + i * step)
}

function field(dimensionNames: readonly string[], shape: readonly number[], attributes: Attributes = {}): VirtualArray {
  const scalar = computedCoordinate('', 0, () => 0, new Map(Object.entries(attributes)))
  return { ...scalar, shape, chunkShape: shape, dimensionNames }
}

function group(members: readonly (readonly [string, Member])[], attributes: Attributes = {}): VirtualGroup {
  return { kind: 'group', attributes: new Map(Object.entries(attributes)), members: new Map(members) }
}

async function placed(root: VirtualGroup): Promise<Record<string, unknown>> {
  const { attributes } = await withPlacedGrids(root, countingSource(new Uint8Array(0)), parseContext().context)
  return Object.fromEntries([...attributes].map(([name, value]) => [name, plain(value)]))
}

function plain(value: unknown): unknown {
  if (value instanceof Float) return value.value
  return Array.isArray(value) ? value.map(plain) : value
}

const LATITUDES = axis('lat', steps(60, -0.25, 5), NORTH)
const LONGITUDES = axis('lon', steps(-10, 0.25, 9), EAST)
const SST: [string, VirtualArray] = ['sst', field(['time', 'lat', 'lon'], [2, 5, 9])]

test('CONV-8: a regular grid of latitudes and longitudes says where it lies', async () => {
  assert.deepEqual(await placed(group([LATITUDES, LONGITUDES, SST], { title: 'a' })), {
    title: 'a',
    'spatial:dimensions': ['lat', 'lon'],
    'spatial:shape': [5, 9],
    'spatial:transform': [0.25, 0, -10.125, 0, -0.25, 60.125],
    'spatial:bbox': [-10.125, 58.875, -7.875, 60.125],
    'spatial:registration': 'pixel',
    'proj:code': 'EPSG:4326',
  })
})

test('a grid whose rows begin in the south, or whose pixels are no squares, has no box: OpenLayers would misplace it', async () => {
  const south = await placed(group([axis('lat', steps(-60, 0.25, 5), NORTH), LONGITUDES, SST]))
  assert.deepEqual(south['spatial:transform'], [0.25, 0, -10.125, 0, 0.25, -60.125])
  assert.ok(!('spatial:bbox' in south))
  const oblong = await placed(group([axis('lat', steps(60, -0.5, 5), NORTH), LONGITUDES, SST]))
  assert.ok('spatial:transform' in oblong && !('spatial:bbox' in oblong))
})

const WKT = 'PROJCS["x",GEOGCS["y",AUTHORITY["EPSG","4258"]],AUTHORITY["EPSG","3035"]]'
const MAPPINGS: readonly (readonly [string, Attributes, string | undefined])[] = [
  ['WKT 1 with a code', { crs_wkt: WKT }, 'EPSG:3035'],
  ['WKT 2 with a code', { crs_wkt: 'PROJCRS["x",BASEGEOGCRS["y",ID["EPSG",4258]],ID["EPSG",3035]]' }, 'EPSG:3035'],
  ['WKT without a code of its own', { crs_wkt: 'PROJCS["x",GEOGCS["y",AUTHORITY["EPSG","4258"]]]' }, undefined],
  ['a code', { epsg_code: 'EPSG:3035' }, 'EPSG:3035'],
  ['nothing but parameters', { grid_mapping_name: 'polar_stereographic' }, undefined],
  ['WKT before a code', { spatial_ref: WKT, epsg_code: 'EPSG:3857' }, 'EPSG:3035'],
]
for (const [what, attributes, code] of MAPPINGS) {
  test(`a projected grid whose mapping has ${what} has ${code ?? 'no code'}`, async () => {
    const root = group([
      axis('y', steps(4000, -1, 3), { standard_name: 'projection_y_coordinate', units: 'km' }),
      axis('x', steps(2000, 1, 4), { standard_name: 'projection_x_coordinate', units: 'km' }),
      ['crs', field([], [], attributes)],
      ['z', field(['y', 'x'], [3, 4], { grid_mapping: 'crs: x y' })],
    ])
    const found = await placed(root)
    assert.deepEqual(found['spatial:transform'], [1000, 0, 1_999_500, 0, -1000, 4_000_500])
    assert.equal(found['proj:code'], code)
  })
}

const ELLIPSOIDS: readonly (readonly [string, Attributes, string | undefined])[] = [
  ['of WGS 84', { semi_major_axis: new Float(6_378_137), inverse_flattening: 298.257223563 }, 'EPSG:4326'],
  ['not given', {}, 'EPSG:4326'],
  ['a sphere', { earth_radius: new Float(6_371_229) }, undefined],
  ['of Bessel', { semi_major_axis: 6_377_397.155, inverse_flattening: 299.1528128 }, undefined],
]
for (const [what, ellipsoid, code] of ELLIPSOIDS) {
  test(`latitudes and longitudes on an ellipsoid that is ${what} have ${code ?? 'no code'}`, async () => {
    const crs = field([], [], { grid_mapping_name: 'latitude_longitude', ...ellipsoid })
    const sst = field(['lat', 'lon'], [5, 9], { grid_mapping: 'crs' })
    assert.equal((await placed(group([LATITUDES, LONGITUDES, ['crs', crs], ['sst', sst]])))['proj:code'], code)
  })
}

test('a mapping that is named and not there is no WGS 84', async () => {
  const found = await placed(
    group([LATITUDES, LONGITUDES, ['sst', field(['lat', 'lon'], [5, 9], { grid_mapping: 'crs' })]]),
  )
  assert.ok('spatial:transform' in found && !('proj:code' in found))
})

const GAUSSIAN = [88.5722, 85.7225, 82.8619, 79.9992, 77.1346, 74.2691, 71.4025, 68.5355]
const NOT_PLACED: readonly (readonly [string, readonly (readonly [string, Member])[]])[] = [
  ['Gaussian latitudes', [axis('lat', GAUSSIAN, NORTH), LONGITUDES, ['sst', field(['lat', 'lon'], [8, 9])]]],
  ['an axis of one value', [axis('lat', [5], NORTH), LONGITUDES, ['sst', field(['lat', 'lon'], [1, 9])]]],
  [
    'an axis of one value again and again',
    [axis('lat', [5, 5, 5], NORTH), LONGITUDES, ['sst', field(['lat', 'lon'], [3, 9])]],
  ],
  ['an axis with a gap', [axis('lat', [1, 2, 3, 5, 6], NORTH), LONGITUDES, SST]],
  ['an axis with a value that is none', [axis('lat', [1, 2, Number.NaN, 4, 5], NORTH), LONGITUDES, SST]],
  [
    'a turned pole',
    [axis('lat', steps(1, 1, 5), { units: 'degrees_north', standard_name: 'grid_latitude' }), LONGITUDES, SST],
  ],
  [
    'angles of a satellite',
    [
      axis('y', steps(1, 1, 3), { standard_name: 'projection_y_coordinate', units: 'rad' }),
      axis('x', steps(1, 1, 4), { standard_name: 'projection_x_coordinate', units: 'rad' }),
      ['z', field(['y', 'x'], [3, 4])],
    ],
  ],
  ['axes that no array lies on', [LATITUDES, LONGITUDES, ['sst', field(['time', 'cell'], [2, 7])]]],
  [
    'a coordinate that is no dimension',
    [LATITUDES, ['lon', field(['cell'], [9], EAST)], ['sst', field(['lat', 'cell'], [5, 9])]],
  ],
]
for (const [what, members] of NOT_PLACED) {
  test(`a group with ${what} says nothing of a place`, async () => {
    assert.deepEqual(await placed(group(members, { title: 'a' })), { title: 'a' })
  })
}

test('values rounded to 32 bits are in equal steps all the same, packed ones are unpacked', async () => {
  const rounded = axis('lat', steps(60, -1 / 1200, 2400).map(Math.fround), NORTH)
  const latitudes = { ...asStored(rounded[1]), dataType: { kind: 'float', bits: 32 } } as const
  const bytes = new Float32Array(steps(60, -1 / 1200, 2400))
  const chunks = inlineChunks(new Uint8Array(bytes.buffer))
  const packed = axis('lon', steps(-2400, 1, 2400), { ...EAST, scale_factor: 1 / 1200, add_offset: new Float(4) })
  const sst: [string, Member] = ['sst', field(['lat', 'lon'], [2400, 2400])]
  const found = await placed(group([['lat', { ...latitudes, chunks, chunkShape: [2400] }], packed, sst]))
  const [a, , c, , e, f] = found['spatial:transform'] as number[]
  const close = (value: number | undefined, wanted: number) => Math.abs((value ?? 0) - wanted) < 1e-5
  assert.ok(close(a, 1 / 1200) && close(c, 2 - 1 / 2400) && close(e, -1 / 1200) && close(f, 60 + 1 / 2400))
})

test('what a file says itself stays', async () => {
  const found = await placed(group([LATITUDES, LONGITUDES, SST], { 'proj:code': 'EPSG:4258' }))
  assert.equal(found['proj:code'], 'EPSG:4258')
})

test('groups have their own grids, at most eight of a file are looked at', async () => {
  const grids = Array.from({ length: 10 }, (_, i): [string, Member] => [`g${i}`, group([LATITUDES, LONGITUDES, SST])])
  const source = countingSource(new Uint8Array(0))
  const root = await withPlacedGrids(group(grids), source, parseContext().context)
  const said = [...root.members.values()].filter((member) => member.kind === 'group' && member.attributes.size > 0)
  assert.equal(said.length, 8)
})

test('an axis that is damaged, elsewhere or too long costs the placing and no more', async () => {
  const refs: readonly (ChunkRef | Error)[] = [
    { kind: 'missing' },
    { kind: 'range', source: 1, offset: 0, length: 40, encoding: 0 },
    { kind: 'range', source: 0, offset: 0, length: 2 ** 21, encoding: 0 },
    { kind: 'range', source: 0, offset: 50, length: 40, encoding: 0 },
    malformed('the file is cut off'),
    overBudget('what may be read of the metadata is spent'),
  ]
  for (const ref of refs) {
    const [, latitudes] = LATITUDES
    const at = () => (ref instanceof Error ? Promise.reject(ref) : ref)
    const stored = asStored(latitudes)
    const broken: VirtualArray = { ...stored, chunks: { ...stored.chunks, at } }
    assert.deepEqual(await placed(group([['lat', broken], LONGITUDES, SST])), {})
  }
  const long = computedCoordinate('lat', 70_000, (i) => i, new Map(Object.entries(NORTH)))
  assert.deepEqual(await placed(group([['lat', long], LONGITUDES, ['sst', field(['lat', 'lon'], [70_000, 9])]])), {})
})

test('a failure of the origin is a failure of opening', async () => {
  const [, latitudes] = LATITUDES
  const at = () => Promise.reject(new Error('the origin is gone'))
  const stored = asStored(latitudes)
  const root = group([['lat', { ...stored, chunks: { ...stored.chunks, at } }], LONGITUDES, SST])
  await assert.rejects(placed(root), /the origin is gone/)
})

function inlineChunks(bytes: Uint8Array): StoredArray['chunks'] {
  return { gridShape: [1], at: () => ({ kind: 'inline', bytes, encoding: 0 }), weight: () => 0 }
}
