import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Float } from '../../../src/json/json.ts'
import type { VirtualArray, VirtualNode } from '../../../src/model/virtual-store.ts'
import { arrayAt, memberAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { type BuiltField, buildTiff, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'

const data = new Uint8Array(64)
const type = (value: number): BuiltField => ({ tag: 254, type: 4, values: [value] })
const file = (...ifds: BuiltField[][]) =>
  buildTiff(
    ifds.map((fields) => ({ fields })),
    { data },
  )

const PLACED: readonly BuiltField[] = [
  { tag: 33550, type: 12, values: [10, 5, 0] },
  { tag: 33922, type: 12, values: [0, 0, 0, 500_000, 4_600_000, 0] },
  { tag: 34735, type: 3, values: [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32_631] },
]

async function floatsOf(array: VirtualArray): Promise<number[]> {
  const ref = await asStored(array).chunks.at([0])
  assert.equal(ref.kind, 'inline')
  if (ref.kind !== 'inline') return []
  return [...new Float64Array(ref.bytes.slice().buffer)]
}

describe('which directories belong together', () => {
  test('overviews are levels, the full resolution the first of them', async () => {
    const { root } = await parseTiff(
      file(greyFields(8, 6), [...greyFields(4, 3), type(1)], [...greyFields(2, 2), type(1)]),
    )
    assert.deepEqual([...root.members.keys()], ['band_data', '0', '1', '2'])
    assert.equal(arrayAt(root, '0/band_data'), arrayAt(root, 'band_data'))
    assert.deepEqual(arrayAt(root, '2/band_data').shape, [2, 2])
    assert.equal(root.attributes.has('multiscales'), true)
    const full = root.members.get('0')
    assert.ok(full?.kind === 'group' && !full.attributes.has('zarr_conventions'), 'the level is plain')
  })

  test('layout=levels: a root without arrays, one group a level, and what the conventions say of them', async () => {
    const { root } = await parseTiff(
      file(
        greyFields(8, 6, PLACED),
        [...greyFields(8, 6), type(4)],
        [...greyFields(4, 3), type(1)],
        [...greyFields(4, 3), type(5)],
        greyFields(3, 3),
      ),
      { layout: 'levels' },
    )
    assert.deepEqual([...root.members.keys()], ['0', '1', 'mask', 'page_1'])
    assert.deepEqual(arrayAt(root, 'mask/1/band_data').shape, [3, 4])
    assert.deepEqual(arrayAt(root, 'page_1/0/band_data').shape, [3, 3])
    assert.deepEqual(await floatsOf(arrayAt(root, '1/x')), [500_010, 500_030, 500_050, 500_070])
    const text = JSON.stringify(Object.fromEntries(root.attributes))
    assert.match(text, /"asset":"1","derived_from":"0"/)
    for (const uuid of ['d35379db', 'f17cb550', '689b58e2']) assert.ok(text.includes(uuid), uuid)
    assert.equal(root.attributes.has('coordinates'), false)
    const level = memberAt(root, '0')
    assert.equal(level?.kind, 'group')
    assert.equal(level?.kind === 'group' && level.attributes.get('proj:code'), 'EPSG:32631')
  })

  test('layout=levels has one level of an image without overviews, and none of one that is not served', async () => {
    const { root } = await parseTiff(file(greyFields(8, 6)), { layout: 'levels' })
    assert.deepEqual([...root.members.keys()], ['0'])
    assert.match(JSON.stringify(root.attributes.get('multiscales')), /"layout":\[\{"asset":"0"/)
    const mixed: readonly BuiltField[] = [
      { tag: 258, type: 3, values: [8, 16] },
      { tag: 277, type: 3, values: [2] },
    ]
    const odd = greyFields(8, 6, mixed)
    const { root: skipped, diagnostics } = await parseTiff(file(odd, greyFields(8, 6)), { layout: 'levels' })
    assert.equal(memberAt(skipped, '0/band_data')?.kind, 'skipped')
    assert.ok(arrayAt(skipped, 'page_1/0/band_data'))
    assert.equal(skipped.attributes.has('multiscales'), false)
    assert.deepEqual(diagnostics, [])
  })

  test('no attribute of layout=dataset is of a kind that NetCDF has not, but for those of a pyramid', async () => {
    const palette = [
      { tag: 262, type: 3, values: [3] },
      { tag: 320, type: 3, values: Array.from({ length: 768 }, (_, i) => i) },
    ]
    const points = { tag: 33922, type: 12, values: [0, 0, 0, 10, 20, 0, 3, 0, 0, 13, 20, 0, 0, 2, 0, 10, 18, 0] }
    const { root } = await parseTiff(
      file(
        greyFields(8, 6, [...PLACED, ...palette]),
        [...greyFields(4, 3, palette), type(1)],
        greyFields(3, 2, [points]),
      ),
    )
    assert.deepEqual(arrayAt(root, 'band_data').attributes.get('color_map')?.toString().split(',').slice(0, 6), [
      ...['0', '256', '512', '1', '257', '513'],
    ])
    const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number' || value instanceof Float
    const look = (node: VirtualNode, path: string) => {
      // But for what viewers find the overviews by, at the root of a pyramid (decision 13).
      const objects = node.attributes.has('multiscales') ? ['zarr_conventions', 'multiscales'] : []
      for (const [name, value] of node.attributes)
        assert.ok(
          objects.includes(name) || isPlain(value) || (Array.isArray(value) && value.every(isPlain)),
          `${path}: ${name}`,
        )
      if (node.kind === 'group')
        for (const [name, member] of node.members) if (member.kind !== 'skipped') look(member, `${path}/${name}`)
    }
    look(root, '')
  })

  test('masks have their own overviews, and pages their own groups', async () => {
    const { root } = await parseTiff(
      file(
        greyFields(8, 6),
        [...greyFields(8, 6), type(4)],
        [...greyFields(4, 3), type(1)],
        [...greyFields(4, 3), type(5)],
        [...greyFields(8, 6), type(2)],
      ),
    )
    assert.deepEqual([...root.members.keys()], ['band_data', '0', '1', 'mask', 'page_1'])
    assert.deepEqual(arrayAt(root, 'mask/1/band_data').shape, [3, 4])
  })

  test('a reduced image with other samples is a page', async () => {
    const other = greyFields(4, 3, [{ tag: 258, type: 3, values: [16] }])
    const { root } = await parseTiff(file(greyFields(8, 6), [...other, type(1)], [...greyFields(4, 3), type(1)]))
    assert.deepEqual([...root.members.keys()], ['band_data', '0', '1', 'page_1'])
  })
})

describe('where an image lies', () => {
  test('coordinates are pixel centres, and the corner is in GeoTransform', async () => {
    const { root } = await parseTiff(file(greyFields(3, 2, PLACED)))
    assert.deepEqual(await floatsOf(arrayAt(root, 'x')), [500_005, 500_015, 500_025])
    assert.deepEqual(await floatsOf(arrayAt(root, 'y')), [4_599_997.5, 4_599_992.5])
    const reference = arrayAt(root, 'spatial_ref')
    assert.equal(reference.attributes.get('GeoTransform'), '500000 10 0 4600000 0 -5')
    assert.match(String(reference.attributes.get('crs_wkt')), /^PROJCS\["WGS 84 \/ UTM zone 31N"/)
    assert.equal(root.attributes.get('proj:code'), 'EPSG:32631')
    assert.equal(root.attributes.get('coordinates'), 'spatial_ref')
    assert.equal(arrayAt(root, 'band_data').attributes.get('grid_mapping'), 'spatial_ref')
  })

  test('PixelIsPoint: the tie point is the centre of its pixel', async () => {
    const keys = { tag: 34735, type: 3, values: [1, 1, 0, 1, 1025, 0, 1, 2] }
    const { root } = await parseTiff(file(greyFields(3, 2, [...PLACED.slice(0, 2), keys])))
    assert.deepEqual(await floatsOf(arrayAt(root, 'x')), [500_000, 500_010, 500_020])
    assert.equal(arrayAt(root, 'band_data').attributes.get('AREA_OR_POINT'), 'Point')
  })

  test('a rotated image has a transformation and no coordinates', async () => {
    const matrix = { tag: 34264, type: 12, values: [1, 2, 0, 30, 4, 5, 0, 60, 0, 0, 0, 0, 0, 0, 0, 1] }
    const { root } = await parseTiff(file(greyFields(3, 2, [matrix])))
    assert.equal(root.members.has('x'), false)
    assert.equal(arrayAt(root, 'spatial_ref').attributes.get('GeoTransform'), '30 1 2 60 4 5')
  })

  test('tie points without a scale are ground control points', async () => {
    const points = { tag: 33922, type: 12, values: [0, 0, 0, 10, 20, 0, 3, 0, 0, 13, 20, 0, 0, 2, 0, 10, 18, 0] }
    const { root } = await parseTiff(file(greyFields(3, 2, [points])))
    const gcps = arrayAt(root, 'spatial_ref').attributes.get('gcps')
    assert.match(typeof gcps === 'string' ? gcps : '', /"coordinates":\[13\.0,20\.0,0\.0\]/)
    assert.equal(root.members.has('x'), false)
  })

  test('overviews cover the same area', async () => {
    const { root } = await parseTiff(file(greyFields(4, 4, PLACED), [...greyFields(2, 2), type(1)]))
    assert.deepEqual(await floatsOf(arrayAt(root, '1/x')), [500_010, 500_030])
    assert.equal(arrayAt(root, '1/spatial_ref').attributes.get('GeoTransform'), '500000 20 0 4600000 0 -10')
  })

  test('a billion rows have coordinates, none of which is held', async () => {
    const fields = greyFields(1, 2 ** 30, [...PLACED, { tag: 279, type: 4, values: [2 ** 30] }])
    const { root } = await parseTiff(file(fields))
    const y = arrayAt(root, 'y')
    assert.ok(asStored(y).chunks.weight() < 1024)
    const last = await asStored(y).chunks.at([(asStored(y).chunks.gridShape[0] ?? 0) - 1])
    assert.equal(last.kind === 'inline' && last.bytes.length, 65_536 * 8)
  })
})

describe('nodata values', () => {
  const nodata = (text: string): BuiltField => ({ tag: 42113, type: 2, values: `${text}\0` })

  test('FV-TIFF-9: the value is storage fill and sentinel', async () => {
    const { root } = await parseTiff(file(greyFields(3, 2, [nodata('7')])))
    const { fillValue, sentinels, attributes } = arrayAt(root, 'band_data')
    assert.deepEqual([fillValue, sentinels.fillValue], [{ kind: 'number', value: 7 }, fillValue])
    assert.equal(attributes.get('gdal_no_data'), '7')
  })

  test('FV-TIFF-6: a value that does not fit the first image refuses the dataset, and names the option', async () => {
    const bytes = file(greyFields(3, 2, [nodata('-1')]), greyFields(3, 2))
    await assert.rejects(parseTiff(bytes), { code: 'malformed-source', message: /;sentinel=warn/ })
    const { root } = await parseTiff(bytes, { sentinel: 'warn' })
    assert.equal(arrayAt(root, 'band_data').sentinels.fillValue, undefined)
  })

  test('FV-TIFF-14: one that does not fit another page costs that page', async () => {
    const { root } = await parseTiff(file(greyFields(3, 2), greyFields(3, 2, [nodata('-1')])))
    assert.equal(memberAt(root, 'page_1/band_data')?.kind, 'skipped')
    assert.ok(arrayAt(root, 'band_data'))
  })
})

describe('axes are of the kind of the system', () => {
  const placed = async (keys: readonly number[], doubles: readonly number[] = []) => {
    const fields: BuiltField[] = [
      { tag: 33550, type: 12, values: [10, 5, 0] },
      { tag: 33922, type: 12, values: [0, 0, 0, 1, 2, 0] },
      { tag: 34735, type: 3, values: [1, 1, 0, keys.length / 4, ...keys] },
    ]
    if (doubles.length > 0) fields.push({ tag: 34736, type: 12, values: doubles })
    const { root, diagnostics } = await parseTiff(file(greyFields(8, 6, fields)))
    const x = arrayAt(root, 'x').attributes
    return { root, diagnostics, x: [x.get('standard_name'), x.get('units')] }
  }

  test('projected: metres, or what the unit is', async () => {
    assert.deepEqual((await placed([1024, 0, 1, 1, 3072, 0, 1, 32_631])).x, ['projection_x_coordinate', 'metre'])
    assert.deepEqual((await placed([1024, 0, 1, 1, 3072, 0, 1, 2263])).x, ['projection_x_coordinate', 'US_survey_foot'])
    const own = [1024, 0, 1, 1, 2048, 0, 1, 4326, 3075, 0, 1, 1, 3076, 0, 1, 32_767, 3077, 34_736, 1, 0]
    assert.deepEqual((await placed(own, [0.25])).x, ['projection_x_coordinate', '0.25 metre'])
  })

  test('geographic: degrees, or parts of them', async () => {
    assert.deepEqual((await placed([1024, 0, 1, 2, 2048, 0, 1, 4326])).x, ['longitude', 'degrees_east'])
    assert.deepEqual((await placed([1024, 0, 1, 2, 2048, 0, 1, 4807])).x, ['longitude', '0.9 degree'])
  })

  test('geocentric: no map', async () => {
    const { root, x } = await placed([1024, 0, 1, 3, 2048, 0, 1, 4978])
    assert.deepEqual(x, [undefined, undefined])
    assert.match(String(arrayAt(root, 'spatial_ref').attributes.get('crs_wkt')), /^GEOCCS/)
  })

  test('keys that are not understood are no system, and a diagnostic names them', async () => {
    const { root, diagnostics, x } = await placed([1024, 0, 1, 32_767, 2048, 0, 1, 4326])
    assert.deepEqual(x, [undefined, undefined])
    assert.equal(arrayAt(root, 'spatial_ref').attributes.has('crs_wkt'), false)
    assert.equal(root.attributes.has('proj:code'), false)
    assert.deepEqual(
      diagnostics.map(({ code, path }) => [code, path]),
      [['crs-dropped', 'spatial_ref']],
    )
    assert.match(diagnostics[0]?.message ?? '', /GTModelTypeGeoKey 32767: keys 2048/)
  })

  test('a deprecated code is served as its successor, with a diagnostic', async () => {
    const { root, diagnostics } = await placed([1024, 0, 1, 1, 3072, 0, 1, 3349])
    assert.equal(root.attributes.get('proj:code'), 'EPSG:3832')
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['crs-changed'],
    )
  })

  test('a file of many pages looks up each system once, and not more than 64', async () => {
    const pages = Array.from({ length: 300 }, (_, i) => [
      ...greyFields(8, 6, [
        { tag: 34735, type: 3, values: [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32_601 + (i % 100)] },
      ]),
      type(2),
    ])
    const { diagnostics } = await parseTiff(file(...pages))
    const late = diagnostics.filter(({ message }) => /more than 64 different/.test(message))
    assert.equal(late.length, 3 * 36)
  })
})
