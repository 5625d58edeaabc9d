import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { floatJson } from '../../../src/json/json.ts'
import { type OpeningWorld, openSource } from '../../../src/service/open-source.ts'
import { Openings } from '../../../src/service/openings.ts'
import { parseStoreOptions } from '../../../src/service/store-options.ts'
import { arrayAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { openWorld } from '../../source/world.ts'
import { type BuiltField, buildTiff, greyFields } from './build.ts'

const PLACED: readonly BuiltField[] = [
  { tag: 33550, type: 12, values: [10, 5, 0] },
  { tag: 33922, type: 12, values: [0, 0, 0, 500_000, 4_600_000, 0] },
]
const KEYS: BuiltField = {
  tag: 34735,
  type: 3,
  values: [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32_631],
}
const NODATA: BuiltField = { tag: 42113, type: 2, values: '7\0' }
const ITEMS: BuiltField = {
  tag: 42112,
  type: 2,
  values: '<GDALMetadata><Item name="A">inside</Item><Item name="B">inside</Item></GDALMetadata>\0',
}
/** What every TIFF is asked for with. */
const BESIDE = ['a.tif.aux.xml', 'a.tif.msk', 'a.tif.ovr']
const WORLD = '2\r\n0\r\n0\r\n-2\r\n101\r\n99\r\n'
const LIMITS = { bytes: 2 ** 24, requests: 1_000, milliseconds: 20_000, wholeBytes: 2 ** 24 }
const UTM =
  'PROJCS["made up",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],' +
  'UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",3],UNIT["metre",1],' +
  'AUTHORITY["EPSG","32631"]]'

function grey(...changes: readonly BuiltField[]): Uint8Array {
  return buildTiff([{ fields: greyFields(4, 2, changes) }], { data: new Uint8Array(8) })
}

function twoBands(...changes: readonly BuiltField[]): Uint8Array {
  const bands = [
    { tag: 258, type: 3, values: [8, 8] },
    { tag: 277, type: 3, values: [2] },
    { tag: 279, type: 4, values: [16] },
  ]
  return buildTiff([{ fields: greyFields(4, 2, [...bands, ...changes]) }], { data: new Uint8Array(16) })
}

function pam(...parts: readonly string[]): string {
  return `<PAMDataset>${parts.join('')}</PAMDataset>`
}

function srs(wkt: string): string {
  return `<SRS>${wkt.replaceAll('"', '&quot;')}</SRS>`
}

/** Opens `a.tif` of an origin that has these files. */
async function opened(t: TestContext, files: Readonly<Record<string, Uint8Array | string>>, url = 'a.tif') {
  const { origin, sources } = await openWorld(t)
  for (const [name, content] of Object.entries(files)) origin.put(name, Buffer.from(content))
  const world: OpeningWorld = { sources, limits: LIMITS, openings: new Openings() }
  const open = (options: Readonly<Record<string, string>> = {}) =>
    openSource(origin.url(url), parseStoreOptions(new Map(Object.entries(options))), world)
  const parsed = await open()
  const reference = parsed.root.kind === 'group' ? parsed.root.members.get('spatial_ref') : undefined
  return {
    ...parsed,
    origin,
    open,
    asked: origin.requests.map(({ path }) => path.slice(1)),
    transform: reference?.kind === 'array' ? reference.attributes.get('GeoTransform') : undefined,
    wkt: reference?.kind === 'array' ? reference.attributes.get('crs_wkt') : undefined,
    get data() {
      return arrayAt(parsed.root, 'band_data')
    },
    codes: parsed.diagnostics.map(({ code }) => code),
  }
}

describe('files beside a TIFF: which are asked for', () => {
  test('no world files, where the file says by itself where it lies; the others together with the file', async (t) => {
    const { asked } = await opened(t, { 'a.tif': grey(...PLACED, KEYS), 'a.tfw': WORLD })
    assert.deepEqual(new Set(asked.slice(0, 4)), new Set(['a.tif', ...BESIDE]))
    assert.deepEqual(new Set(asked.slice(4)), new Set(asked.slice(4).filter((path) => path === 'a.tif')))
  })

  test('each name once, where it does not; what is missing leaves no trace', async (t) => {
    const { asked, diagnostics, documents } = await opened(t, { 'a.tif': grey(...PLACED) })
    const beside = asked.filter((path) => path !== 'a.tif')
    assert.deepEqual(beside.sort(), ['a.tfw', ...BESIDE, 'a.tifw', 'a.wld'])
    assert.deepEqual([diagnostics, documents.length], [[], 1])
  })

  test('the case of the extension is that of the world file', async (t) => {
    const { asked, transform } = await opened(t, { 'A.TIFF': grey(), 'A.TFW': WORLD }, 'A.TIFF')
    assert.ok(asked.includes('A.TIFF.aux.xml') && asked.includes('A.TIFFW') && asked.includes('A.WLD'))
    assert.equal(transform, '100 2 0 100 0 -2')
  })

  test('none for a URL with a query, a name that is no TIFF, or layout=ifd; an ImageJ stack takes nothing from them', async (t) => {
    const files = { 'a.tif': grey(), 'a.tif?key=1': grey(), download: grey(), 'a.tfw': WORLD }
    for (const url of ['a.tif?key=1', 'download']) {
      const { asked } = await opened(t, files, url)
      assert.deepEqual(new Set(asked), new Set([url]))
    }
    const { origin, open } = await opened(t, files)
    origin.forget()
    await open({ layout: 'ifd' })
    assert.deepEqual(new Set(origin.requests.map(({ path }) => path)), new Set(['/a.tif']))
    const description = { tag: 270, type: 2, values: 'ImageJ=1.53\nimages=1\nunit=um\n\0' }
    // What a stack is says the file, not its name.
    const stack = await opened(t, { 'a.tif': grey(description), 'a.tfw': WORLD, 'a.tif.aux.xml': 'damaged' })
    assert.deepEqual(new Set(stack.asked), new Set(['a.tif', ...BESIDE]))
    assert.deepEqual(stack.codes, [])
  })
})

describe('files beside a TIFF: what they say', () => {
  test('a world file places the middle of pixels: .tfw before .tifw before .wld', async (t) => {
    const other = WORLD.replace('101', '7')
    const { transform, documents } = await opened(t, { 'a.tif': grey(KEYS), 'a.tfw': WORLD, 'a.wld': other })
    assert.equal(transform, '100 2 0 100 0 -2')
    assert.ok(documents.some(({ url }) => url.endsWith('a.tfw')))
    assert.equal((await opened(t, { 'a.tif': grey(), 'a.tifw': other, 'a.wld': WORLD })).transform, '6 2 0 100 0 -2')
    const rotated = await opened(t, { 'a.tif': grey(), 'a.wld': '2,5\n\n1\n3\n-2\n101\n99' })
    assert.equal(rotated.transform, '98.25 2.5 3 99.5 1 -2')
  })

  test('layout=levels and overviews have them too', async (t) => {
    const overview = { fields: [...greyFields(2, 1), { tag: 254, type: 4, values: [1] }] }
    const file = buildTiff([{ fields: greyFields(4, 2) }, overview], { data: new Uint8Array(8) })
    const document = pam('<PAMRasterBand band="1"><NoDataValue>9</NoDataValue><UnitType>m</UnitType></PAMRasterBand>')
    const { open } = await opened(t, { 'a.tif': file, 'a.tfw': WORLD, 'a.tif.aux.xml': document })
    const { root } = await open({ layout: 'levels' })
    assert.equal(arrayAt(root, '0/spatial_ref').attributes.get('GeoTransform'), '100 2 0 100 0 -2')
    assert.equal(arrayAt(root, '1/spatial_ref').attributes.get('GeoTransform'), '100 4 0 100 0 -4')
    for (const path of ['0/band_data', '1/band_data']) {
      const { sentinels, attributes } = arrayAt(root, path)
      assert.deepEqual([sentinels.fillValue, attributes.get('units')], [{ kind: 'number', value: 9 }, 'm'], path)
    }
  })

  test('the file goes before a world file, and PAM before both', async (t) => {
    const files = { 'a.tif': grey(...PLACED), 'a.tfw': WORLD }
    assert.equal((await opened(t, files)).transform, '500000 10 0 4600000 0 -5')
    const document = pam(srs(UTM), '<GeoTransform> 1.5, 2, 0, 5, 0, -2</GeoTransform>')
    const { transform, wkt, root, data } = await opened(t, { ...files, 'a.tif.aux.xml': document })
    assert.equal(transform, '1.5 2 0 5 0 -2')
    assert.equal(wkt, UTM)
    assert.equal(root.attributes.get('proj:code'), 'EPSG:32631')
    assert.equal(data.attributes.get('grid_mapping'), 'spatial_ref')
  })

  test('nodata, scale, unit, names and metadata by key, before those of the file', async (t) => {
    const band = [
      '<Description>depth</Description><NoDataValue>9</NoDataValue><UnitType>m</UnitType>',
      '<Offset>5</Offset><Metadata><MDI key="STATISTICS_MEAN">3</MDI></Metadata>',
    ].join('')
    const document = pam(
      `<Metadata><MDI key="A">beside</MDI><MDI key="AREA_OR_POINT">Point</MDI></Metadata>`,
      `<Metadata domain="D"><MDI key="E">of a domain</MDI></Metadata><PAMRasterBand band="1">${band}</PAMRasterBand>`,
    )
    const { data } = await opened(t, { 'a.tif': grey(NODATA, ITEMS), 'a.tif.aux.xml': document })
    assert.deepEqual(data.sentinels.fillValue, { kind: 'number', value: 9 })
    const wanted = {
      A: 'beside',
      B: 'inside',
      long_name: 'depth',
      units: 'm',
      STATISTICS_MEAN: '3',
      'D:E': 'of a domain',
    }
    for (const [name, value] of Object.entries(wanted)) assert.equal(data.attributes.get(name), value, name)
    assert.equal(data.attributes.get('AREA_OR_POINT'), 'Point')
    assert.deepEqual(data.attributes.get('add_offset'), floatJson(5))
    assert.deepEqual(data.attributes.get('scale_factor'), floatJson(1))
  })

  test('bands of different nodata values are arrays of their own, never one value for all', async (t) => {
    const document = pam('<PAMRasterBand band="2"><NoDataValue>9</NoDataValue></PAMRasterBand>')
    const { root, codes } = await opened(t, { 'a.tif': twoBands(NODATA), 'a.tif.aux.xml': document })
    const bands = ['band_1', 'band_2'].map((name) => arrayAt(root, name))
    assert.deepEqual(
      bands.map(({ sentinels, fillValue }) => [sentinels.fillValue?.value, fillValue.value]),
      [
        [7, 7],
        [9, 9],
      ],
    )
    assert.deepEqual(codes, [])
  })

  test('bands of one nodata value in two spellings are one array', async (t) => {
    const document = pam('<PAMRasterBand band="2"><NoDataValue>7.0</NoDataValue></PAMRasterBand>')
    const { data, codes } = await opened(t, { 'a.tif': twoBands(NODATA), 'a.tif.aux.xml': document })
    assert.deepEqual([data.sentinels.fillValue?.value, codes], [7, []])
  })

  test('control points with their system', async (t) => {
    const points = [1, 2, 3].map((i) => `<GCP Id="${i}" Pixel="${i}" Line="1" X="${i * 10}" Y="4" Z="0"/>`).join('')
    const document = pam(`<GCPList Projection="EPSG:4326">${points}</GCPList>`)
    const { root, wkt } = await opened(t, { 'a.tif': grey(), 'a.tif.aux.xml': document })
    assert.match(String(wkt), /^GEOGCS\["WGS 84"/)
    assert.match(String(arrayAt(root, 'spatial_ref').attributes.get('gcps')), /"coordinates":\[30\.0,4\.0,0\.0\]/)
  })

  test('another version of a sidecar is another version of the store', async (t) => {
    const { version, origin, open } = await opened(t, { 'a.tif': grey(), 'a.tfw': WORLD })
    origin.put('a.tfw', { bytes: Buffer.from(WORLD.replace('101', '103')), etag: '"v2"' })
    const again = await open()
    assert.notEqual(again.version, version)
  })
})

describe('files beside a TIFF: damaged and hostile ones cost nothing but themselves', () => {
  const xml: Readonly<Record<string, string>> = {
    'cut off': '<PAMDataset><SRS>',
    'with entities': '<!DOCTYPE a [<!ENTITY b "c">]><PAMDataset/>',
    'too deep': `<PAMDataset>${'<a>'.repeat(1_000)}`,
    'too many': pam('<a/>'.repeat(30_000)),
    'too large': pam(' '.repeat(1024 * 1024)),
    'no numbers': pam('<GeoTransform>1,2,nan,4,5,6</GeoTransform>'),
    'a page of the origin': '<!DOCTYPE html><html><body>not found</body></html>',
    'no system': pam('<SRS>PROJCS[</SRS>'),
  }
  for (const [name, content] of Object.entries(xml)) {
    test(`PAM: ${name}`, async (t) => {
      const { codes, transform } = await opened(t, { 'a.tif': grey(), 'a.tif.aux.xml': content, 'a.tfw': WORLD })
      assert.deepEqual(codes, [name === 'no system' ? 'crs-dropped' : 'sidecar-not-read'])
      assert.equal(transform, '100 2 0 100 0 -2')
    })
  }

  test('a page that answers for every name is no document of the source', async (t) => {
    const page = '<html>nothing here</html>'
    const files = { 'a.tif': grey(), 'a.tif.aux.xml': page, 'a.tfw': page, 'a.tifw': page, 'a.wld': page }
    const { documents, codes } = await opened(t, files)
    assert.deepEqual([documents.length, new Set(codes)], [1, new Set(['sidecar-not-read'])])
  })

  for (const content of [
    '',
    '1\n2\n3',
    '0\n0\n0\n-2\n1\n1',
    '2 0 0 -2 101 99',
    '1\n0\n0\nNaN\n1\n1',
    '1e999\n0\n0\n1\n1\n1',
  ]) {
    test(`a world file of ${JSON.stringify(content)} is left out, and the next one read`, async (t) => {
      const { codes, transform } = await opened(t, { 'a.tif': grey(), 'a.tfw': content, 'a.wld': WORLD })
      assert.deepEqual([codes, transform], [['sidecar-not-read'], '100 2 0 100 0 -2'])
    })
  }

  test('a nodata value that the type can not hold is dropped, and told', async (t) => {
    const document = pam('<PAMRasterBand band="1"><NoDataValue>-9999</NoDataValue></PAMRasterBand>')
    const { data, codes } = await opened(t, { 'a.tif': grey(), 'a.tif.aux.xml': document })
    assert.deepEqual([data.sentinels.fillValue, codes], [undefined, ['sentinel-dropped']])
  })

  test('403 is none, and an origin that fails is told', async (t) => {
    const { origin, open } = await opened(t, { 'a.tif': grey() })
    for (const name of ['a.tif.aux.xml', 'a.tifw', 'a.wld']) origin.answer(name, 403)
    origin.answer('a.tfw', 500)
    assert.deepEqual(
      (await open()).diagnostics.map(({ code }) => code),
      ['sidecar-not-read'],
    )
  })
})

describe('files beside a TIFF that says where it lies', () => {
  const nodata = pam('<PAMRasterBand band="1"><NoDataValue>9</NoDataValue><Scale>2</Scale></PAMRasterBand>')
  const placed = [...PLACED, KEYS]
  const small = (width: number, height: number, ...changes: readonly BuiltField[]) =>
    buildTiff([{ fields: greyFields(width, height, changes) }], {
      data: Uint8Array.from({ length: 8 }, (_, i) => i + 1),
    })

  test('PAM says nodata and scale where the file has no nodata value', async (t) => {
    const { data } = await opened(t, { 'a.tif': grey(...placed), 'a.tif.aux.xml': nodata })
    assert.deepEqual(data.sentinels.fillValue, { kind: 'number', value: 9 })
    assert.deepEqual(data.attributes.get('scale_factor'), floatJson(2))
    const own = await opened(t, { 'a.tif': grey(...placed, NODATA), 'a.tif.aux.xml': nodata })
    assert.deepEqual(own.data.sentinels.fillValue, { kind: 'number', value: 7 })
    assert.equal(own.data.attributes.get('scale_factor'), undefined)
  })

  test('a mask and overviews are read from files of their own', async (t) => {
    const reduced = { tag: 254, type: 4, values: [1] }
    const mask = small(4, 2)
    const files = { 'a.tif': grey(...placed, NODATA), 'a.tif.msk': mask, 'a.tif.ovr': small(2, 1, reduced) }
    const { root, references, documents, data } = await opened(t, files)
    assert.deepEqual(data.maskedBy?.kind, 'array')
    const chunkOf = (path: string) => asStored(arrayAt(root, path)).chunks.at([0, 0])
    const sourceOf = async (path: string) => {
      const chunk = await chunkOf(path)
      return chunk.kind === 'range' ? references[chunk.source]?.split('/').at(-1) : chunk.kind
    }
    assert.equal(await sourceOf('band_data'), 'a.tif')
    assert.equal(await sourceOf('mask/band_data'), 'a.tif.msk')
    assert.equal(await sourceOf('1/band_data'), 'a.tif.ovr')
    // An overview has the nodata value and the place of its image.
    assert.deepEqual(arrayAt(root, '1/band_data').sentinels.fillValue, { kind: 'number', value: 7 })
    assert.equal(arrayAt(root, '1/spatial_ref').attributes.get('GeoTransform'), '500000 20 0 4600000 0 -10')
    assert.equal(documents.length, 3)
  })

  test('those of the file itself go before them, and what is damaged or of another size is none', async (t) => {
    const reduced = { fields: greyFields(2, 1, [{ tag: 254, type: 4, values: [1] }]) }
    const mask = { fields: greyFields(4, 2, [{ tag: 254, type: 4, values: [4] }]) }
    const own = buildTiff([{ fields: greyFields(4, 2, placed) }, mask, reduced], { data: new Uint8Array(8) })
    const files = { 'a.tif': own, 'a.tif.msk': 'damaged', 'a.tif.ovr': small(1, 1) }
    const { root, codes } = await opened(t, files)
    assert.deepEqual(arrayAt(root, '1/band_data').shape, [1, 2])
    assert.deepEqual(codes, [])
    const bad = await opened(t, { 'a.tif': grey(...placed), 'a.tif.msk': small(2, 2), 'a.tif.ovr': 'damaged' })
    assert.equal(bad.data.maskedBy, undefined)
    assert.deepEqual(bad.codes, ['sidecar-not-read'])
  })
})
