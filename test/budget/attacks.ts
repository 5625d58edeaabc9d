import { constants, deflateSync, zstdCompressSync } from 'node:zlib'
import { file as netcdf3 } from '../formats/netcdf3/build.ts'
import { type BuiltField, buildTiff, dataStart, greyFields } from '../formats/tiff/build.ts'
import { randoms } from '../helpers/randoms.ts'
import { type Bomb, text, times } from '../hostile/bomb.ts'
import { copyOf } from '../hostile/bomb-origin.ts'
import { CHUNK_BOMBS } from '../hostile/chunk-bombs.ts'
import { DOCUMENT_BOMBS } from '../hostile/document-bombs.ts'
import { FILE_BOMBS } from '../hostile/file-bombs.ts'
import { HDF5_BOMBS } from '../hostile/hdf5-bombs.ts'
import { SWELLING_BOMBS } from '../hostile/swelling-bombs.ts'
import { type Attack, ask, askIdly, storePath } from './attack.ts'

const COPIES = 8
const RAW_CHUNK_BYTES = 2 ** 26
const STALLED_URLS = 4200
const STAC_ITEMS = 4900
const VRT_SOURCES = 100_000

/** Issue by issue what once ended, filled or blocked a server. */
export const ATTACKS: readonly Attack[] = [
  {
    name: `${COPIES} parallel raw chunks of 64 MiB`,
    files: rawChunks,
    async run(context) {
      const keys = times(COPIES, (index) => storePath(`${context.origin.url}raw/`, ';codecs=raw', `c/${index}`))
      await Promise.all(keys.map((key) => ask(context, key)))
    },
  },
  {
    name: `${COPIES} x ;pyramid=mean of a TIFF of 526 kB`,
    files: () => ({ 'zeros.tif': zerosTiff() }),
    async run(context) {
      const stores = times(COPIES, (copy) => `${copyOf(context.origin.url, copy)}zeros.tif`)
      await Promise.all(
        stores.map(async (store) => {
          await ask(context, storePath(store, ';pyramid=mean', 'zarr.json'))
          await ask(context, storePath(store, ';pyramid=mean', '4/band_data/c/0/0'))
        }),
      )
    },
  },
  {
    name: ';chunks=n:16384 of a join document of 105 bytes',
    files: () => ({
      'new.json': text(
        '{"virtual_zarr":"join/1","sources":{"template":"copy{n}/x.nc","n":"0..99999"},"along":{"new":"n"}}',
      ),
      'x.nc': smallNetcdf3(),
    }),
    async run(context) {
      const store = `${context.origin.url}new.json`
      await ask(context, storePath(store, ';chunks=n:16384', 'zarr.json'))
      await ask(context, storePath(store, ';chunks=n:16384', 'x/c/0/0'))
    },
  },
  {
    name: `a STAC document of ${STAC_ITEMS} Items`,
    maxMilliseconds: 120_000,
    files: () => ({ 'items.json': text(JSON.stringify(itemCollection())), 'tile.tif': smallTiff() }),
    run: async (context) => void (await ask(context, storePath(`${context.origin.url}items.json`, '', 'zarr.json'))),
  },
  ...[6, 30].map(
    (readers): Attack => ({
      name: `${readers} idle readers of raw chunks`,
      files: rawChunks,
      async run(context) {
        const paths = times(readers, (index) => storePath(`${context.origin.url}raw/`, ';codecs=raw', `c/${index}`))
        await Promise.all(paths.map((path) => askIdly(context, path)))
      },
    }),
  ),
  {
    name: `a stalled origin with ${STALLED_URLS} URLs`,
    async run(context) {
      const urls = times(STALLED_URLS, (index) => storePath(`${context.stalledUrl}${index}.nc`, '', 'zarr.json'))
      await Promise.all(urls.map((url) => ask(context, url)))
    },
  },
  ...['progressive JPEG of 190 scans', 'progressive JPEG of 10,000 scans', 'zstd of 2 GB'].map((name) =>
    bombAttack(bombNamed(name)),
  ),
  {
    ...bombAttack(bombNamed('gzip in gzip in gzip')),
    name: 'a hostile chunk, again and again, of two workers',
    settings: { VZ_WORKERS: '2' },
  },
  {
    name: `a VRT of ${VRT_SOURCES} sources`,
    files: () => ({ 'many.vrt': text(vrt()), 'tile.tif': smallTiff() }),
    run: async (context) => void (await ask(context, storePath(`${context.origin.url}many.vrt`, '', 'zarr.json'))),
  },
  {
    name: 'the export of a join of 100,000 files, left after 3 s',
    files: () => ({
      'long.json': text(
        '{"virtual_zarr":"join/1","sources":{"template":"copy{n}/x.nc","n":"0..99999"},"along":{"new":"n"}}',
      ),
      'x.nc': smallNetcdf3(),
    }),
    async run(context) {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(3000)])
      await ask({ ...context, signal }, `/export?url=${encodeURIComponent(`${context.origin.url}long.json`)}`)
    },
  },
]

/** The bombs of `npm run bombs`, each so many times at once. */
export const BOMB_ATTACKS: readonly Attack[] = [
  ...CHUNK_BOMBS,
  ...HDF5_BOMBS,
  ...FILE_BOMBS,
  ...DOCUMENT_BOMBS,
  ...SWELLING_BOMBS,
].map(bombAttack)

function bombNamed(name: string): Bomb {
  const bomb = CHUNK_BOMBS.find((each) => each.name.includes(name))
  if (bomb === undefined) throw new Error(`no bomb is named ${name}`)
  return bomb
}

function bombAttack({ name, source, keys = ['zarr.json'], options = '', files }: Bomb): Attack {
  return {
    name: `${COPIES} x ${name}`,
    files,
    async run(context) {
      const sources = times(COPIES, (copy) => copyOf(context.origin.url, copy) + source)
      for (const key of keys) {
        const paths = sources.map((each) =>
          key.startsWith('/') ? `${key}?url=${encodeURIComponent(each)}` : storePath(each, options, key),
        )
        await Promise.all(paths.map((path) => ask(context, path)))
      }
    },
  }
}

/** 32 chunks of 64 MiB that hardly compress. */
function rawChunks(): Readonly<Record<string, Uint8Array>> {
  const numbers = randoms(1)
  const noise = Uint32Array.from({ length: 2 ** 16 }, () => numbers.next().value)
  const values = Buffer.alloc(RAW_CHUNK_BYTES)
  // Each block once, shifted by its number: matches lie farther back than zstd looks.
  for (let at = 0; at < RAW_CHUNK_BYTES; at += noise.byteLength)
    values.set(new Uint8Array(noise.map((value) => value ^ at).buffer), at)
  const stored = zstdCompressSync(values, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  const document = {
    zarr_format: 3,
    node_type: 'array',
    shape: [32 * RAW_CHUNK_BYTES],
    data_type: 'uint8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [RAW_CHUNK_BYTES] } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: [{ name: 'bytes' }, { name: 'zstd', configuration: { level: 0, checksum: false } }],
    attributes: {},
  }
  const chunks = times(32, (index) => [`raw/c/${index}`, stored] as const)
  return { 'raw/zarr.json': text(JSON.stringify(document)), ...Object.fromEntries(chunks) }
}

/** 16384 x 16384 points of 16 bits, all zero. */
function zerosTiff(): Uint8Array {
  const [side, tile] = [16_384, 512]
  const stored = deflateSync(Buffer.alloc(tile * tile * 2), { level: 9 })
  const count = (side / tile) ** 2
  const changes: BuiltField[] = [
    { tag: 258, type: 3, values: [16] },
    { tag: 259, type: 3, values: [8] },
    { tag: 322, type: 3, values: [tile] },
    { tag: 323, type: 3, values: [tile] },
    { tag: 324, type: 4, values: times(count, (index) => dataStart() + index * stored.length) },
    { tag: 325, type: 4, values: times(count, () => stored.length) },
  ]
  const fields = greyFields(side, side, changes).filter(({ tag }) => ![273, 278, 279].includes(tag))
  return buildTiff([{ fields }], { data: Buffer.concat(times(count, () => stored)) })
}

/** A grey image of 64 x 64 pixels that says where it lies. */
function smallTiff(): Uint8Array {
  const changes: BuiltField[] = [
    { tag: 273, type: 4, values: [dataStart()] },
    { tag: 33550, type: 12, values: [10, 10, 0] },
    { tag: 33922, type: 12, values: [0, 0, 0, 1000, 2000, 0] },
  ]
  return buildTiff([{ fields: greyFields(64, 64, changes) }], { data: new Uint8Array(64 * 64) })
}

/** An array of 16 KiB. */
function smallNetcdf3(): Uint8Array {
  const description = {
    dims: [{ name: 'y', length: 2 ** 12 }],
    variables: [{ name: 'x', dims: [0], type: 4, begin: 1024 }],
  }
  return netcdf3(description, [], 1024 + 2 ** 14)
}

function itemCollection(): object {
  const type = 'image/tiff; application=geotiff'
  const features = times(STAC_ITEMS, (index) => ({
    type: 'Feature',
    stac_version: '1.0.0',
    id: `item${index}`,
    properties: { datetime: new Date(Date.UTC(2000, 0, 1 + index)).toISOString() },
    links: [],
    assets: Object.fromEntries(times(4, (asset) => [`a${asset}`, { href: `copy${index * 4 + asset}/tile.tif`, type }])),
  }))
  return { type: 'FeatureCollection', features }
}

function vrt(): string {
  const side = Math.ceil(Math.sqrt(VRT_SOURCES))
  const sources = times(VRT_SOURCES, (index) => {
    const [x, y] = [(index % side) * 64, Math.floor(index / side) * 64]
    return `<SimpleSource><SourceFilename relativeToVRT="1">copy${index}/tile.tif</SourceFilename><SourceBand>1</SourceBand>
<SrcRect xOff="0" yOff="0" xSize="64" ySize="64"/><DstRect xOff="${x}" yOff="${y}" xSize="64" ySize="64"/></SimpleSource>`
  })
  return `<VRTDataset rasterXSize="${side * 64}" rasterYSize="${side * 64}"><GeoTransform>1000, 10, 0, 2000, 0, -10</GeoTransform>
<VRTRasterBand dataType="Byte" band="1">${sources.join('\n')}</VRTRasterBand></VRTDataset>`
}
