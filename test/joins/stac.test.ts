import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readStac } from '../../src/joins/stac/read-stac.ts'
import { parseJson } from '../../src/json/parse.ts'
import { object } from '../corpus/golden.ts'
import { type BuiltField, buildTiff, dataStart, greyFields } from '../formats/tiff/build.ts'
import { JoinWorld, numbers } from './helpers.ts'

/** A grey image of 4 x 4 pixels of a size, that lies at (1000, 2000). */
function grey(value: number, pixel = 10): Uint8Array {
  const changes: BuiltField[] = [
    { tag: 273, type: 4, values: [dataStart()] },
    { tag: 33550, type: 12, values: [pixel, pixel, 0] },
    { tag: 33922, type: 12, values: [0, 0, 0, 1000, 2000, 0] },
  ]
  return buildTiff([{ fields: greyFields(4, 4, changes) }], { data: new Uint8Array(16).fill(value) })
}

const TYPE = 'image/tiff; application=geotiff'

function item(id: string, datetime: string | null, assets: Readonly<Record<string, object | string>>) {
  const described = Object.entries(assets).map(([key, asset]) => [
    key,
    typeof asset === 'string' ? { href: asset, type: TYPE } : asset,
  ])
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    id,
    properties: { datetime },
    links: [],
    assets: Object.fromEntries(described),
  }
}

describe('documents of STAC', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start({ freshSeconds: 0 })
    for (const [name, value, pixel] of [
      ['a.tif', 1, 10],
      ['b.tif', 2, 10],
      ['c.tif', 3, 20],
    ] as const)
      world.origin.put(name, { bytes: grey(value, pixel), etag: '"v1"' })
  })
  after(() => world.close())

  const put = (name: string, json: object) => world.origin.put(name, Buffer.from(JSON.stringify(json)))
  const open = (json: object, options: Readonly<Record<string, string>> = {}) => {
    const name = `stac-${Math.random()}.json`
    put(name, json)
    return world.open(name, options)
  }

  test('an Item is a store of its images: one grid at the root, others by their resolution', async () => {
    const store = open(item('i', '2024-01-01T00:00:00Z', { red: 'a.tif', nir: './b.tif', swir: 'c.tif' }))
    const { parsed, store: opened } = await store.describe()
    assert.equal(parsed.format, 'stac')
    assert.deepEqual(
      [...opened.nodes.keys()].filter((path) => !/spatial_ref|\/?[xy]$/.test(path)),
      ['', '20m', '20m/swir', 'red', 'nir'],
    )
    assert.deepEqual(await numbers(store, '20m/swir'), Array(16).fill(3))
    world.origin.forget()
    assert.deepEqual(await store.chunk('nir', [0, 0]), new Uint8Array(16).fill(2))
    assert.deepEqual([...new Set(world.origin.requests.map(({ path }) => path))], ['/b.tif'])
    const chosen = open(item('i', '2024-01-01T00:00:00Z', { red: 'a.tif', gone: 'gone.tif' }), { assets: 'red' })
    assert.deepEqual(await numbers(chosen, 'red'), Array(16).fill(1))
    await assert.rejects(world.open('a.tif', { assets: 'red' }).describe(), { code: 'invalid-request' })
  })

  test('what the document says of an asset stands where the file says nothing', async () => {
    const asset = { href: 'a.tif', type: TYPE, 'raster:bands': [{ scale: 0.5, offset: 2, nodata: 1, unit: 'K' }] }
    const newer = {
      href: 'a.tif',
      type: TYPE,
      nodata: 1,
      bands: [{ 'raster:scale': 0.5, 'raster:offset': 2, unit: 'K' }],
    }
    for (const described of [asset, newer]) {
      const store = open(item('i', '2024-01-01T00:00:00Z', { t: described }))
      const attributes = object((await store.document('t'))['attributes'])
      const plain = JSON.parse(JSON.stringify(attributes, (_key, value) => value?.value ?? value))
      assert.deepEqual([plain.scale_factor, plain.add_offset, plain._FillValue, plain.units], [0.5, 2, 1, 'K'])
    }
  })

  test('bands of different scales are arrays of their own, of one Item and of several', async () => {
    const xml = '<GDALMetadata><Item name="SCALE" sample="1" role="scale">0.5</Item></GDALMetadata>\0'
    const fields = greyFields(4, 4, [
      { tag: 258, type: 3, values: [8, 8] },
      { tag: 273, type: 4, values: [dataStart()] },
      { tag: 277, type: 3, values: [2] },
      { tag: 279, type: 4, values: [32] },
      { tag: 33550, type: 12, values: [10, 10, 0] },
      { tag: 33922, type: 12, values: [0, 0, 0, 1000, 2000, 0] },
      { tag: 42112, type: 2, values: xml },
    ])
    const data = Uint8Array.from({ length: 32 }, (_, at) => 1 + (at % 2))
    world.origin.put('bands.tif', { bytes: buildTiff([{ fields }], { data }), etag: '"v1"' })
    const asset = { href: 'bands.tif', type: TYPE, 'raster:bands': [{ unit: 'm' }, { unit: 'K' }] }
    const items = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'].map((time, at) => item(`${at}`, time, { a: asset }))
    const [first = {}] = items
    for (const [document, times] of [
      [first, 1],
      [{ type: 'FeatureCollection', features: items }, 2],
    ] as const) {
      const store = open(document)
      const described = ['a_band_1', 'a_band_2'].map(async (path) => {
        const attributes = object((await store.document(path))['attributes'])
        return [attributes['units'], attributes['scale_factor'], ...new Set(await numbers(store, path))]
      })
      assert.deepEqual(
        await Promise.all(described),
        [
          ['m', undefined, 1],
          ['K', 0.5, 2],
        ],
        `${times} Items`,
      )
      assert.equal((await numbers(store, 'a_band_2')).length, 16 * times)
    }
  })

  test('Items lie along time by their moments, in the order of these, over pages and links', async () => {
    const items = [
      item('late', '2024-03-01T00:00:00Z', { red: 'b.tif' }),
      item('early', '2024-01-01T00:00:00.250Z', { red: 'a.tif' }),
    ]
    put('p1.json', {
      type: 'FeatureCollection',
      stac_version: '1.0.0',
      features: items.slice(0, 1),
      links: [{ rel: 'next', href: 'p2.json' }],
    })
    put('p2.json', { type: 'FeatureCollection', features: items.slice(1) })
    const stores = [open({ type: 'FeatureCollection', stac_version: '1.0.0', features: items }), world.open('p1.json')]
    for (const store of stores) {
      assert.deepEqual(await numbers(store, 'red'), [...Array(16).fill(1), ...Array(16).fill(2)])
      const since = Date.UTC(2024, 0, 1) + 250
      assert.deepEqual(await numbers(store, 'time'), [since, Date.UTC(2024, 2, 1)])
      const attributes = object((await store.document('time'))['attributes'])
      assert.equal(attributes['units'], 'milliseconds since 1970-01-01T00:00:00')
      assert.deepEqual(await store.chunk('red', [1, 0, 0]), new Uint8Array(16).fill(2))
    }
  })

  test('a join names the images of a document: chosen, renamed, beside others', async () => {
    const features = [
      item('late', '2024-03-01T00:00:00Z', { red: 'b.tif', nir: 'a.tif' }),
      item('early', '2024-01-01T00:00:00Z', { red: 'a.tif', nir: 'b.tif' }),
    ]
    put('items.json', { type: 'FeatureCollection', stac_version: '1.0.0', features })
    const sources = { stac: 'items.json' }
    const both = [...Array(16).fill(1), ...Array(16).fill(2)]
    const store = world.join({ sources, along: 'time', options: { assets: 'red' }, rename: { red: 'b4' } })
    assert.deepEqual(await numbers(store, 'b4'), both)
    const { store: opened } = await store.describe()
    assert.equal(opened.nodes.has('nir'), false)
    assert.deepEqual(await numbers(store, 'time'), [Date.UTC(2024, 0, 1) / 1000, Date.UTC(2024, 2, 1) / 1000])
    const merge = [{ sources, options: { assets: 'nir' } }]
    const merged = world.join({ sources, options: { assets: 'red' }, merge })
    assert.deepEqual(await numbers(merged, 'red'), both)
    assert.deepEqual(await numbers(merged, 'nir'), [...both.slice(16), ...both.slice(0, 16)])
    const refused: [object, RegExp][] = [
      [{ sources, along: { new: 'run' } }, /lie along time/],
      [{ sources, along: ['run', 'time'] }, /lie along time/],
      [{ sources, options: { group: 'x' } }, /take assets/],
      [{ sources, lengths: 3 }, /not for sources of STAC/],
      [{ sources: { stac: 'a.tif' } }, /no document of STAC/],
    ]
    for (const [document, message] of refused) await assert.rejects(world.join(document).describe(), { message })
  })

  test('an asset that is down or has changed costs its own chunks', async () => {
    world.origin.put('d.tif', { bytes: grey(4), etag: '"v1"' })
    const store = open(item('i', '2024-01-01T00:00:00Z', { red: 'a.tif', blue: 'd.tif' }))
    assert.deepEqual(await store.chunk('blue', [0, 0]), new Uint8Array(16).fill(4))
    world.origin.put('d.tif', { bytes: grey(5), etag: '"v2"' })
    await assert.rejects(store.chunk('blue', [0, 0]), { code: 'source-changed' })
    world.origin.faultOf = ({ path }) => (path === '/d.tif' ? { kind: 'status', status: 503 } : undefined)
    await assert.rejects(store.chunk('blue', [0, 0]))
    assert.deepEqual(await store.chunk('red', [0, 0]), new Uint8Array(16).fill(1))
    world.origin.faultOf = () => undefined
  })

  test('every asset and every page is behind the guard', async () => {
    for (const href of ['http://10.0.0.1/x.tif', 'http://169.254.169.254/x.tif', 'file:///etc/passwd']) {
      const asset = open(item('i', '2024-01-01T00:00:00Z', { red: { href, type: TYPE } }))
      await assert.rejects(asset.describe(), { code: 'source-forbidden' }, href)
      const page = open({
        type: 'FeatureCollection',
        stac_version: '1.0.0',
        features: [],
        links: [{ rel: 'next', href }],
      })
      await assert.rejects(page.describe(), { code: 'source-forbidden' }, href)
    }
  })

  test('what can not be read says so', async () => {
    for (const [json, code, message] of [
      [item('i', '2024-01-01T00:00:00Z', {}), 'malformed-source', /i has no asset of data/],
      [
        item('i', '2024-01-01T00:00:00Z', { t: { href: 'a.jpg', type: 'image/jpeg' } }),
        'malformed-source',
        /no asset of data among t/,
      ],
      [
        { type: 'FeatureCollection', stac_version: '1.0.0', features: [item('i', null, { red: 'a.tif' })] },
        'malformed-source',
        /i has no datetime/,
      ],
      [{ type: 'Catalog', stac_version: '1.0.0' }, 'unsupported-feature', /type of the document is "Catalog"/],
      [
        {
          type: 'FeatureCollection',
          stac_version: '1.0.0',
          features: [],
          links: [{ rel: 'next', href: 'x', method: 'POST' }],
        },
        'unsupported-feature',
        /POST/,
      ],
    ] as const) {
      await assert.rejects(open(json).describe(), { code, message })
    }
  })
})

test('places, alternates and bands are read as documents of several versions have them', () => {
  const read = (asset: object, links: readonly object[] = []) => {
    const json = { type: 'Feature', stac_version: '1.1.0', id: 'i', properties: {}, links, assets: { a: asset } }
    return readStac(parseJson(JSON.stringify(json)), 'https://host/dir/item.json').items[0]?.assets[0]
  }
  assert.equal(read({ href: './b.tif' })?.href, 'https://host/dir/b.tif')
  assert.equal(
    read({ href: 'b.tif' }, [{ rel: 'self', href: 'https://other/x/y.json' }])?.href,
    'https://other/x/b.tif',
  )
  assert.equal(read({ href: 's3://bucket/b.tif' })?.href, 's3://bucket/b.tif')
  assert.equal(
    read({ href: 'ftp://h/b.tif', alternate: { https: { href: 'https://h/b.tif' } } })?.href,
    'https://h/b.tif',
  )
  assert.equal(read({ href: 'ftp://h/b.tif' }), undefined)
  const bands = read({ href: 'b.tif', nodata: 'nan', bands: [{ name: 'x' }, { name: 'y', nodata: 5 }] })?.bands
  assert.deepEqual(
    bands?.map(({ name, nodata }) => [name, nodata]),
    [
      ['x', 'nan'],
      ['y', '5'],
    ],
  )
})

test('data values of the common metadata in the properties are those of all assets that say nothing themselves (STAC 1.1)', () => {
  const assets = {
    own: { href: 'a.tif', nodata: 5, unit: 'm' },
    band: { href: 'b.tif', bands: [{ nodata: 6 }, {}] },
    none: { href: 'c.tif' },
  }
  const json = { type: 'Feature', stac_version: '1.1.0', id: 'i', properties: { nodata: 7, unit: 'K' }, assets }
  const { assets: read } = readStac(parseJson(JSON.stringify(json)), 'https://host/item.json').items[0] ?? {}
  assert.deepEqual(
    read?.map(({ key, bands }) => [key, ...bands.map(({ nodata, unit }) => `${nodata} ${unit}`)]),
    [
      ['own', '5 m'],
      ['band', '6 K', '7 K'],
      ['none', '7 K'],
    ],
  )
})
