import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileUrl } from '../../src/joins/vrt/file-url.ts'
import { isVrt, readVrt } from '../../src/joins/vrt/read-vrt.ts'
import { buildTiff, dataStart, greyFields } from '../formats/tiff/build.ts'
import { JoinWorld, numbers } from './helpers.ts'

function grey(value: number): Uint8Array {
  const fields = greyFields(4, 4, [{ tag: 273, type: 4, values: [dataStart()] }])
  return buildTiff([{ fields }], { data: new Uint8Array(16).fill(value) })
}

function source(name: string, at: number, relative = 1): string {
  const size = 'xSize="4" ySize="4"'
  return `<SimpleSource><SourceFilename relativeToVRT="${relative}">${name}</SourceFilename><SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" ${size}/><DstRect xOff="${at}" yOff="0" ${size}/></SimpleSource>`
}

function vrt(sources: readonly string[]): Buffer {
  return Buffer.from(
    `<VRTDataset rasterXSize="8" rasterYSize="4"><VRTRasterBand dataType="Byte" band="1">${sources.join('')}</VRTRasterBand></VRTDataset>`,
  )
}

describe('virtual rasters of GDAL', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start({ freshSeconds: 0 })
    world.origin.put('a.tif', { bytes: grey(1), etag: '"v1"' })
    world.origin.put('b.tif', { bytes: grey(2), etag: '"v1"' })
    world.origin.put('v.vrt', vrt([source('a.tif', 0), source('b.tif', 4)]))
  })
  after(() => world.close())

  test('a chunk of one file goes out as it is stored; a file is opened when its first chunk is asked for', async () => {
    const store = world.open('v.vrt')
    world.origin.forget()
    const { parsed } = await store.describe()
    assert.equal(parsed.format, 'vrt')
    // What lies beside a file that does not say where it lies is looked for, too.
    const files = () =>
      new Set(world.origin.requests.flatMap(({ path }) => (/\.(?:tif|vrt)$/.test(path) ? [path] : [])))
    assert.deepEqual([...files()].sort(), ['/a.tif', '/v.vrt'])
    world.origin.forget()
    assert.deepEqual(await store.chunk('band_data', [0, 1]), new Uint8Array(16).fill(2))
    assert.deepEqual([...files()], ['/b.tif'])
    assert.equal((await numbers(store, 'band_data')).join(''), '11112222'.repeat(4))
  })

  test('where a document within another has no file its own nodata value is read, not the fill value of the outer', async () => {
    const inner = vrt(['<NoDataValue>7</NoDataValue>', source('a.tif', 0)])
    world.origin.put('inner.vrt', inner)
    world.origin.put('outer.vrt', vrt([source('inner.vrt', 0).replaceAll('xSize="4"', 'xSize="8"')]))
    assert.equal((await numbers(world.open('outer.vrt'), 'band_data')).join(''), '11117777'.repeat(4))
  })

  test('a file that is gone, down or changed costs its own chunks', async () => {
    world.origin.put('w.vrt', vrt([source('a.tif', 0), source('absent.tif', 4)]))
    const store = world.open('w.vrt')
    assert.deepEqual(await store.chunk('band_data', [0, 0]), new Uint8Array(16).fill(1))
    await assert.rejects(store.chunk('band_data', [0, 1]), { code: 'source-not-found' })
    world.origin.put('c.tif', { bytes: grey(3), etag: '"v1"' })
    world.origin.put('x.vrt', vrt([source('a.tif', 0), source('c.tif', 4)]))
    const other = world.open('x.vrt')
    assert.deepEqual(await other.chunk('band_data', [0, 1]), new Uint8Array(16).fill(3))
    world.origin.put('c.tif', { bytes: grey(4), etag: '"v2"' })
    await assert.rejects(other.chunk('band_data', [0, 1]), { code: 'source-changed' })
    assert.deepEqual(await other.chunk('band_data', [0, 0]), new Uint8Array(16).fill(1))
  })

  test('every file is behind the guard, however it is named', async () => {
    for (const name of ['/vsicurl/http://10.0.0.1/x.tif', 'http://169.254.169.254/x.tif', 'file:///etc/passwd']) {
      const path = `guard-${Math.random()}.vrt`
      world.origin.put(path, vrt([source('a.tif', 0), source(name, 4, 0)]))
      const store = world.open(path)
      assert.deepEqual(await store.chunk('band_data', [0, 0]), new Uint8Array(16).fill(1))
      await assert.rejects(store.chunk('band_data', [0, 1]), { code: 'source-forbidden' }, name)
    }
  })

  test('documents in documents have a bound', async () => {
    for (let n = 0; n < 12; n++) world.origin.put(`n${n}.vrt`, vrt([source(`n${n + 1}.vrt`, 0)]))
    await assert.rejects(world.open('n0.vrt').describe(), { code: 'limit-exceeded', message: /8 deep/ })
    world.origin.put('n12.vrt', vrt([source('a.tif', 0)]))
    assert.equal((await numbers(world.open('n6.vrt'), 'band_data')).join(''), '11110000'.repeat(4))
    world.origin.put('p.vrt', vrt([source('q.vrt', 0)]))
    world.origin.put('q.vrt', vrt([source('p.vrt', 0)]))
    await assert.rejects(world.open('p.vrt').describe(), { code: 'malformed-source', message: /a source of itself/ })
  })
})

test('names of files as GDAL spells them become URLs', () => {
  const at = (name: string, base = 'https://host/dir/a.vrt', isRelative = false) =>
    fileUrl({ name, isRelative }, new URL(base))
  assert.equal(at('b.tif'), 'https://host/dir/b.tif')
  assert.equal(at('../x y/b#1.tif', undefined, true), 'https://host/x%20y/b%231.tif')
  assert.equal(at('/vsicurl/https://other/b.tif?x=1'), 'https://other/b.tif?x=1')
  assert.equal(at('/vsicurl_streaming/https://other/b.tif'), 'https://other/b.tif')
  assert.equal(at('/vsis3/bucket/key/b.tif'), 's3://bucket/key/b.tif')
  assert.equal(at('/vsigs/bucket/b.tif'), 'gs://bucket/b.tif')
  assert.equal(at('/vsiaz/c/b.tif', 'az://account/c/a.vrt'), 'az://account/c/b.tif')
  assert.equal(at('b.tif', 's3://bucket/dir/a.vrt'), 's3://bucket/dir/b.tif')
  assert.equal(at('/data/b.tif', 'file:///dir/a.vrt'), 'file:///data/b.tif')
  for (const name of ['/vsiaz/c/b.tif', '/vsizip/a.zip/b.tif', 'HDF5:"a.h5"://b', 'C:\\b.tif', '<VRTDataset/>'])
    assert.throws(() => at(name), { code: 'unsupported-feature' }, name)
  for (const name of ['', '/data/b.tif']) assert.throws(() => at(name), { code: 'malformed-source' }, name)
})

test('hostile documents are refused as such', async () => {
  for (const [text, message] of [
    ['<VRTDataset rasterXSize="1e9" rasterYSize="-1"/>', /rasterYSize is "-1"/],
    ['<VRTDataset rasterXSize="9999999999" rasterYSize="1"/>', /rasterXSize/],
    ['<VRTDataset rasterXSize="1" rasterYSize="1"/>', /no VRTRasterBand/],
    ['<VRTDataset rasterXSize="1" rasterYSize="1">', /no XML/],
    [`<VRTDataset>${'<a>'.repeat(100)}`, /nested more than 32/],
    [
      '<VRTDataset rasterXSize="1" rasterYSize="1"><GeoTransform>1,2</GeoTransform><VRTRasterBand/></VRTDataset>',
      /six numbers/,
    ],
  ] as const) {
    assert.ok(isVrt(Buffer.from(text)))
    await assert.rejects(readVrt(text), { message })
  }
})
