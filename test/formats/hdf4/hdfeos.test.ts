import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Float } from '../../../src/json/json.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { arrayAt, fixture, memberAt, parse } from './parse.ts'

/** Origins, steps and ellipsoids are those that GDAL shows of the same file; GDAL takes packed angles for radians, and knows no grid origin. */
const GRIDS: readonly [name: string, xs: readonly number[], ys: readonly number[], mapping: Record<string, unknown>][] =
  [
    [
      'sinusoidal',
      [-972_956.70470862, -694_969.07479187],
      [5_281_764.9684165, 4_725_789.7085835],
      { grid_mapping_name: 'sinusoidal', longitude_of_projection_origin: 0, earth_radius: 6_371_007.181 },
    ],
    [
      'utm',
      [300_010, 300_030],
      [5_000_030, 5_000_010],
      {
        grid_mapping_name: 'transverse_mercator',
        longitude_of_central_meridian: 15,
        scale_factor_at_central_meridian: 0.9996,
        false_easting: 500_000,
        false_northing: 0,
        semi_major_axis: 6_378_137,
      },
    ],
    ['utm_south', [300_010, 300_030], [5_000_030, 5_000_010], { false_northing: 10_000_000 }],
    [
      'polar',
      [-2_900_000, -1_000_000],
      [3_050_000, -2_550_000],
      {
        grid_mapping_name: 'polar_stereographic',
        straight_vertical_longitude_from_pole: -45,
        standard_parallel: 70,
        latitude_of_projection_origin: 90,
        semi_major_axis: 6_378_273,
        semi_minor_axis: 6_356_889.449,
      },
    ],
    [
      'ease',
      [-6_777_632.1, -2_259_210.7],
      [4_518_421.4, -4_518_421.4],
      {
        grid_mapping_name: 'lambert_azimuthal_equal_area',
        latitude_of_projection_origin: 90,
        longitude_of_projection_origin: 0,
        earth_radius: 6_371_228,
      },
    ],
    [
      'albers',
      [-50_000, 50_000],
      [3_150_000, 3_050_000],
      {
        grid_mapping_name: 'albers_conical_equal_area',
        standard_parallel: [29.5, 45.5],
        longitude_of_central_meridian: -96,
        latitude_of_projection_origin: 23,
        semi_minor_axis: 6_356_752.31414,
      },
    ],
    [
      'lambert',
      [-50_000, 50_000],
      [150_000, 50_000],
      { grid_mapping_name: 'lambert_conformal_conic', standard_parallel: [33, 45], latitude_of_projection_origin: 39 },
    ],
    ['geographic', [-10.375, -10.125], [49.75, 49.25], { grid_mapping_name: 'latitude_longitude' }],
    ['from_below', [-9.5, -8.5], [48.5, 49.5], { GeoTransform: '-10 1 0 48 0 1' }],
    ['at_corners', [-10, -9], [50, 49], { GeoTransform: undefined }],
  ]

describe('grids and swaths of HDF-EOS2', async () => {
  const { root } = await parse(fixture('eos.hdf'))

  for (const [name, xs, ys, mapping] of GRIDS) {
    test(`${name}: coordinates are where its points lie, and the mapping says in which system`, async () => {
      closeTo((await valuesOf(arrayAt(root, `${name}/XDim`))).slice(0, 2), xs)
      closeTo((await valuesOf(arrayAt(root, `${name}/YDim`))).slice(0, 2), ys)
      const { attributes } = arrayAt(root, `${name}/spatial_ref`)
      for (const [key, value] of Object.entries(mapping)) assert.deepEqual(bare(attributes.get(key)), value, key)
      assert.match(String(attributes.get('crs_wkt')), /^(?:PROJ|GEOG)CS\[/)
      const field = arrayAt(root, `${name}/field_${name}`)
      assert.deepEqual(field.dimensionNames, ['YDim', 'XDim'])
      assert.equal(field.attributes.get('grid_mapping'), 'spatial_ref')
      const own = arrayAt(root, `field_${name}`)
      assert.deepEqual(own.dimensionNames, [`YDim:${name}`, `XDim:${name}`])
      assert.equal(asStored(own).chunks, asStored(field).chunks, 'the same chunks under a second name')
    })
  }

  test('a field has coordinates where geolocation has its dimensions; a map says how it lies elsewhere', () => {
    assert.equal(arrayAt(root, 'swath/coarse').attributes.get('coordinates'), 'Latitude Longitude')
    assert.equal(arrayAt(root, 'swath/fine').attributes.get('coordinates'), undefined)
    assert.deepEqual(arrayAt(root, 'swath/fine').dimensionNames, ['Fine', 'Across'])
    const swath = memberAt(root, 'swath')
    assert.ok(swath.kind === 'group')
    assert.deepEqual(swath.attributes.get('dimension_maps'), [
      { geolocation: 'Coarse', data: 'Fine', offset: 2, increment: 5 },
    ])
  })
})

/** Where axes begin, and their steps: GCTP's own corners, at the middles or the corners of pixels. */
const ORIGINS: readonly (readonly [name: string, x: readonly number[], y: readonly number[]])[] = [
  ['UL_CENTER', [-10.375, 0.25], [50 - 1 / 6, -1 / 3]],
  ['UR_CENTER', [-9.625, -0.25], [50 - 1 / 6, -1 / 3]],
  ['LL_CENTER', [-10.375, 0.25], [49 + 1 / 6, 1 / 3]],
  ['LR_CENTER', [-9.625, -0.25], [49 + 1 / 6, 1 / 3]],
  ['UL_CORNER', [-10.5, 0.25], [50, -1 / 3]],
  ['UR_CORNER', [-9.5, -0.25], [50, -1 / 3]],
  ['LL_CORNER', [-10.5, 0.25], [49, 1 / 3]],
  ['LR_CORNER', [-9.5, -0.25], [49, 1 / 3]],
  ['GLOBE', [-135, 90], [60, -60]],
  ['PLAIN', [-135, 90], [60, -60]],
  // Of 1383 by 586 cells of 25067.525 m.
  ['EASE', [-13_000_645.5, 8_667_097], [4_896_539.2, -4_896_539.2]],
  ['METRES', [-13_000_645.155, 8_667_096.77], [4_896_523.22, -4_896_523.22]],
]

describe('grids that the HDF-EOS2 library wrote', async () => {
  const { root, diagnostics } = await parse(fixture('grids.hdf'))

  for (const [name, xs, ys] of ORIGINS) {
    test(`${name}: points lie where its corners, origin and registration say`, async () => {
      for (const [axis, [first = 0, step = 0]] of [
        ['XDim', xs],
        ['YDim', ys],
      ] as const) {
        const [own = 0, next = 0] = await valuesOf(arrayAt(root, `${name}/${axis}`))
        for (const [found, expected] of [
          [own, first],
          [next - own, step],
        ] as const) {
          assert.ok(Math.abs(found - expected) <= Math.abs(expected) * 1e-6, `${axis}: ${found} is not ${expected}`)
        }
      }
    })
  }

  test('a projection that has no name is told of, and its grid keeps its coordinates', () => {
    const told = diagnostics.filter(({ code }) => code === 'grid-not-placed')
    assert.deepEqual(
      told.map(({ path }) => path),
      ['ROBIN', 'ISINUS', 'SOM'],
    )
    assert.match(told[2]?.message ?? '', /SOM is in GCTP_SOM, which well-known text can't say/)
    for (const { path } of told) assert.equal(arrayAt(root, `${path}/XDim`).shape[0], 4)
  })

  test('what is packed with a sign, or left to GCTP, is the ellipsoid that GCTP takes', () => {
    const axesOf = (name: string) =>
      ['semi_major_axis', 'semi_minor_axis', 'earth_radius'].map((key) =>
        bare(arrayAt(root, `${name}/spatial_ref`).attributes.get(key)),
      )
    assert.deepEqual(axesOf('PS'), [6_378_273, 6_378_273 * Math.sqrt(1 - 0.006694), undefined])
    assert.deepEqual(axesOf('MERCAT0'), [undefined, undefined, 6_370_997])
    assert.deepEqual(axesOf('LAMAZ12'), [undefined, undefined, 6_370_997])
  })
})

test('geolocation of another resolution is for readers a coordinate of the swath; maps that shrink it have negative steps', async () => {
  const { root } = await parse(fixture('aster.hdf'))
  const aster = memberAt(root, 'VNIR_Swath')
  assert.equal(aster.kind === 'group' && aster.attributes.get('coordinates'), 'Latitude Longitude')
  const amsre = memberAt((await parse(fixture('amsre.hdf'))).root, 'Low_Res_Swath')
  assert.deepEqual(amsre.kind === 'group' && amsre.attributes.get('dimension_maps'), [
    { geolocation: 'DataXTrack_lo', data: 'Fine', offset: 1, increment: 2 },
    { geolocation: 'Fine', data: 'DataTrack_lo', offset: 0, increment: -3 },
  ])
})

async function valuesOf(array: VirtualArray): Promise<number[]> {
  const { chunks } = asStored(array)
  const ref = await chunks.at([0])
  assert.ok(ref.kind === 'inline')
  return [...new Float64Array(new Uint8Array(ref.bytes).buffer)]
}

function closeTo(found: readonly number[], expected: readonly number[]): void {
  for (const [i, value] of expected.entries()) {
    assert.ok(Math.abs((found[i] ?? Number.NaN) - value) <= Math.abs(value) * 1e-12, `${found[i]} is not ${value}`)
  }
}

function bare(value: unknown): unknown {
  if (value instanceof Float) return value.value
  return Array.isArray(value) ? value.map(bare) : value
}
