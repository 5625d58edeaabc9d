import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Float } from '../../src/json/json.ts'
import type { VirtualArray } from '../../src/model/virtual-store.ts'
import { type RasterContent, rasterValues, readReference, type WrittenRaster } from '../helpers/raster-reference.ts'
import { filesBelow, type TestStore, type TestStores, testStores } from '../helpers/test-stores.ts'
import { temporaryFolder } from './made-files.ts'

const COG = 'image/tiff; application=geotiff; profile=cloud-optimized'

interface Asset {
  readonly key: string
  readonly pixel: number
  readonly dtype: string
  readonly bands?: number
  readonly nodata?: number | string
  /** What the file itself says, where that is not nothing. */
  readonly own?: Partial<WrittenRaster>
  /** The asset as the Item has it, besides `href` and `type`. */
  readonly said: Readonly<Record<string, unknown>>
  readonly isAbsent?: boolean
  readonly type?: string
}

const EXTENT = 480

/** Rows of columns, or bands of them, of small numbers in an order of their own. */
function valuesOf({ pixel, bands = 1, key }: Asset): unknown[] {
  const size = EXTENT / pixel
  const plane = (band: number) =>
    Array.from({ length: size }, (_r, row) =>
      Array.from({ length: size }, (_c, column) => (row * 7 + column * 3 + band + key.length) % 100),
    )
  return bands === 1 ? plane(0) : Array.from({ length: bands }, (_none, band) => plane(band))
}

function transformOf({ pixel }: Asset): number[] {
  return [pixel, 0, 600_000, 0, -pixel, 6_700_020]
}

function placed(asset: Asset): Readonly<Record<string, unknown>> {
  const size = EXTENT / asset.pixel
  return { 'proj:shape': [size, size], 'proj:transform': [...transformOf(asset), 0, 0, 1] }
}

/** Items as catalogs of Sentinel-2, Landsat (USGS), and Landsat (Geoscience Australia) have them, with small files. */
const ITEMS: Readonly<
  Record<string, { readonly properties: object; readonly version: string; readonly assets: readonly Asset[] }>
> = {
  'sentinel-2': {
    version: '1.0.0',
    properties: { datetime: '2019-06-29T21:25:29Z', 'proj:epsg': 32633, 'eo:cloud_cover': 18.5 },
    assets: [
      ...(['B02', 'B03'] as const).map(
        (key): Asset => ({
          key,
          pixel: 10,
          dtype: 'uint16',
          nodata: 0,
          said: {
            roles: ['data'],
            'eo:bands': [{ name: key, common_name: key === 'B02' ? 'blue' : 'green', center_wavelength: 0.49 }],
            'raster:bands': [
              {
                data_type: 'uint16',
                spatial_resolution: 10,
                bits_per_sample: 15,
                nodata: 0,
                scale: 0.0001,
                offset: -0.1,
              },
            ],
          },
        }),
      ),
      {
        key: 'B05',
        pixel: 20,
        dtype: 'uint16',
        nodata: 0,
        said: { roles: ['data'], 'raster:bands': [{ nodata: 0, scale: 0.0001, offset: 0 }] },
      },
      {
        key: 'SCL',
        pixel: 20,
        dtype: 'uint8',
        said: { roles: ['data'], 'raster:bands': [{ data_type: 'uint8', nodata: 0 }] },
      },
      {
        key: 'B01',
        pixel: 60,
        dtype: 'uint16',
        said: { roles: ['data'], 'raster:bands': [{ nodata: 0, scale: 0.0001 }] },
      },
      {
        key: 'visual',
        pixel: 10,
        dtype: 'uint8',
        bands: 3,
        said: {
          roles: ['visual'],
          'eo:bands': [{ name: 'B04' }, { name: 'B03' }, { name: 'B02' }],
          'raster:bands': [{ nodata: 0 }, { nodata: 0 }, { nodata: 0 }],
        },
      },
      { key: 'overview', pixel: 40, dtype: 'uint8', said: { roles: ['overview'] }, isAbsent: true },
      {
        key: 'thumbnail',
        pixel: 40,
        dtype: 'uint8',
        type: 'image/png',
        said: { roles: ['thumbnail'] },
        isAbsent: true,
      },
      { key: 'B10', pixel: 60, dtype: 'uint16', said: { roles: ['data'] }, isAbsent: true },
    ],
  },
  landsat: {
    version: '1.0.0',
    properties: {
      datetime: '2020-01-01T03:00:00.123456Z',
      'proj:epsg': 32650,
      'proj:shape': [16, 16],
      'proj:transform': [30, 0, 600_000, 0, -30, 6_700_020],
    },
    assets: [
      {
        key: 'SR_B2',
        pixel: 30,
        dtype: 'uint16',
        nodata: 0,
        own: { nodata: 0 },
        said: { 'raster:bands': [{ nodata: 0, scale: 2.75e-5, offset: -0.2 }] },
      },
      {
        key: 'ST_B10',
        pixel: 30,
        dtype: 'uint16',
        own: { nodata: 0 },
        said: { 'raster:bands': [{ nodata: 0, scale: 0.00341802, offset: 149, unit: 'kelvin' }] },
      },
      {
        key: 'ST_QA',
        pixel: 30,
        dtype: 'int16',
        nodata: -9999,
        said: { 'raster:bands': [{ nodata: -9999, scale: 0.01, unit: 'kelvin' }] },
      },
      { key: 'QA_PIXEL', pixel: 30, dtype: 'uint16', said: { 'raster:bands': [{ nodata: 1 }] } },
      { key: 'ang', pixel: 30, dtype: 'uint16', type: 'text/plain', said: { roles: ['metadata'] }, isAbsent: true },
    ],
  },
  ga_ls8c_ard: {
    version: '1.1.0',
    properties: { datetime: '2020-05-25T23:35:47Z', 'proj:code': 'EPSG:32656' },
    assets: [
      {
        key: 'nbart_panchromatic',
        pixel: 15,
        dtype: 'int16',
        nodata: -999,
        said: { bands: [{ name: 'nbart_panchromatic', nodata: -999 }] },
      },
      {
        key: 'nbart_red',
        pixel: 30,
        dtype: 'int16',
        nodata: -999,
        own: { nodata: -999 },
        said: { nodata: -999, 'raster:scale': 0.0001, bands: [{ name: 'nbart_red' }] },
      },
      { key: 'oa:fmask', pixel: 30, dtype: 'uint8', nodata: 0, said: { roles: ['data'], nodata: 0 } },
      {
        key: 'oa/relative slope',
        pixel: 30,
        dtype: 'float32',
        nodata: 'nan',
        said: { roles: ['data'], nodata: 'nan' },
      },
    ],
  },
}

describe('Items as catalogs have them: shapes, places, scales and nodata values, as rasterio reads the files', () => {
  const folder = temporaryFolder('interop-stac-items-')
  let stores: TestStores
  const references = new Map<string, RasterContent>()
  const nameOf = (item: string, key: string) => `${item}_${key.replaceAll(/[/: ]/g, '_')}.tif`

  before(async () => {
    const write: WrittenRaster[] = []
    for (const [name, { properties, version, assets }] of Object.entries(ITEMS)) {
      const epsg = JSON.stringify(properties).match(/\b32\d{3}\b/)?.[0]
      const listed = assets.map((asset) => {
        if (asset.isAbsent !== true)
          write.push({
            name: nameOf(name, asset.key),
            dtype: asset.dtype,
            values: valuesOf(asset),
            transform: transformOf(asset),
            options: { crs: `EPSG:${epsg}` },
            ...asset.own,
          })
        return [
          asset.key,
          { href: `./${nameOf(name, asset.key)}`, type: asset.type ?? COG, ...placed(asset), ...asset.said },
        ]
      })
      const item = {
        type: 'Feature',
        stac_version: version,
        id: name,
        properties,
        links: [],
        assets: Object.fromEntries(listed),
      }
      writeFileSync(`${folder}/${name}.json`, JSON.stringify(item))
    }
    const names = write.map(({ name }) => name)
    const { rasters } = await readReference(folder, names, write)
    for (const [at, raster] of rasters.entries()) {
      if (raster.error !== undefined) throw new Error(raster.error)
      references.set(names[at] ?? '', raster)
    }
    stores = testStores(filesBelow(pathToFileURL(`${folder}/`)))
  })
  after(() => stores?.close())

  for (const [name, { assets }] of Object.entries(ITEMS))
    test(name, async () => {
      const store = stores.open(`${pathToFileURL(folder).href}/${name}.json`)
      const { store: opened } = await store.describe()
      for (const asset of assets) {
        const path = [...opened.nodes.keys()].find(
          (key) => key.split('/').at(-1) === asset.key.replaceAll(/[/:]/g, '_'),
        )
        if (asset.isAbsent === true) {
          const node = path === undefined ? undefined : opened.nodes.get(path)
          assert.ok(node === undefined || node.kind === 'skipped', `${asset.key} does not exist`)
          continue
        }
        if (path === undefined) assert.fail(`${asset.key} is not among ${[...opened.nodes.keys()]}`)
        const reference = references.get(nameOf(name, asset.key))
        if (reference === undefined) assert.fail(`${asset.key} was not written`)
        await compareAsset(store, path, asset, reference)
      }
    })
})

async function compareAsset(store: TestStore, path: string, asset: Asset, reference: RasterContent): Promise<void> {
  const { nodes } = (await store.describe()).store
  const node = nodes.get(path)
  if (node?.kind !== 'array') assert.fail(`${path} is ${node?.kind}`)
  const { array } = node
  assert.deepEqual(array.shape.slice(-2), [reference.height, reference.width], `shape of ${path}`)
  const values = await store.values(path)
  if (values.kind !== 'fixed') assert.fail(`${path} is text`)
  const wanted = reference.bands.flatMap(({ values: own }) => own)
  assert.deepEqual(rasterValues(values.bytes, asset.dtype), wanted, `values of ${path}`)
  const group = nodes.get(path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
  if (group?.kind !== 'group') assert.fail(`${path} has no group`)
  const transform = group.attributes.get('spatial:transform')
  assert.deepEqual(
    Array.isArray(transform) ? transform.map((value) => (value instanceof Float ? value.value : value)) : transform,
    reference.transform,
    `place of ${path}`,
  )
  const [said = {}] = (asset.said['raster:bands'] ?? [asset.said]) as readonly Record<string, unknown>[]
  const scale = said['scale'] ?? said['raster:scale'] ?? asset.said['raster:scale'] ?? 1
  assert.equal(number(array, 'scale_factor') ?? 1, scale, `scale of ${path}`)
  assert.equal(number(array, 'add_offset') ?? 0, said['offset'] ?? 0, `offset of ${path}`)
  const nested = (asset.said['bands'] as readonly Record<string, unknown>[] | undefined)?.[0]?.['nodata']
  const nodata = asset.own?.nodata ?? said['nodata'] ?? asset.said['nodata'] ?? nested
  const { fillValue } = array.sentinels
  const found = fillValue?.kind === 'number' ? fillValue.value : undefined
  assert.deepEqual(found, nodata === 'nan' ? Number.NaN : nodata, `nodata of ${path}`)
}

function number(array: VirtualArray, name: string): number | undefined {
  const value = array.attributes.get(name)
  return value instanceof Float ? value.value : typeof value === 'number' ? value : undefined
}
