import { readdirSync, readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { SAMPLES, type Sample } from '../faults/samples.ts'
import { type BuiltField, buildTiff, dataStart, greyFields } from '../formats/tiff/build.ts'
import { v2Array, v3Array, v3Group } from '../helpers/zarr-store.ts'

/** A file in two versions, either of which may lie at its path. */
export type Versions = readonly [Uint8Array, Uint8Array]

/** A source whose files are replaced between requests. */
export interface IdentitySample {
  readonly name: string
  /** The file, or the folder with a final slash, that is the source. */
  readonly source: string
  readonly files: Readonly<Record<string, Versions>>
  /** Paths that are replaced: at most three, whose versions together decide about values; or any number, each of which decides alone. */
  readonly replaced: readonly string[]
  /** The one replaced file that decides about a chunk, where there are many. */
  decidedBy?(key: string): string
  /** Whether each file has one version while the store is open; objects of Zarr folders have that of each moment. */
  readonly isPinned: boolean
  /** `;version=` opens the version that it names, whatever is open without it. */
  readonly opensVersions?: boolean
  /** Options besides those that every sample is asked with; `undefined`: all of those. */
  readonly options?: readonly string[] | undefined
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const always = (bytes: Uint8Array): Versions => [bytes, bytes]

/** The samples of the fault tests: every format, in two versions. */
function ofFaults(sample: Sample): IdentitySample {
  const [zero, one] = [sample.files(0), sample.files(1)]
  const paths = [...new Set([...Object.keys(zero), ...Object.keys(one)])]
  const files: Record<string, Versions> = {}
  for (const path of paths) {
    const [before, after] = [zero[path] ?? one[path], one[path] ?? zero[path]]
    if (before !== undefined && after !== undefined) files[path] = [before, after]
  }
  const replaced = paths.filter((path) => {
    const versions = files[path]
    return versions !== undefined && Buffer.compare(...versions) !== 0
  })
  return { name: sample.name, source: sample.source, files, replaced, isPinned: !/^zarr(-gzip)?$/.test(sample.name) }
}

const CHUNK_BYTES = 600
const STRIDE = 1000

/** A file of so many chunks, whose values tell the version. */
function dataFile(seed: number, version: 0 | 1, chunks: number): Buffer {
  const file = Buffer.alloc(STRIDE * (chunks + 1), version)
  for (let at = 0; at < chunks; at++) {
    const values = Buffer.alloc(CHUNK_BYTES, (seed * 7 + at * 3 + version * 101) % 251)
    file.set(deflateSync(values, { level: 0 }), STRIDE * (at + 1))
  }
  return file
}

const STORED_BYTES = deflateSync(Buffer.alloc(CHUNK_BYTES), { level: 0 }).length

/** Kerchunk references to so many files, each a row of chunks. */
function references(paths: readonly string[], chunks: number): Buffer {
  const zarray = v2Array({
    shape: [paths.length, chunks * CHUNK_BYTES],
    chunks: [1, CHUNK_BYTES],
    dtype: '|u1',
    compressor: { id: 'zlib', level: 1 },
  })
  const refs: Record<string, unknown> = {
    '.zgroup': '{"zarr_format":2}',
    'a/.zarray': JSON.stringify(zarray),
    'a/.zattrs': '{"_ARRAY_DIMENSIONS":["y","x"]}',
  }
  for (const [row, path] of paths.entries())
    for (let at = 0; at < chunks; at++) refs[`a/${row}.${at}`] = [path, STRIDE * (at + 1), STORED_BYTES]
  return json({ version: 1, refs })
}

function dataFiles(paths: readonly string[], chunks: number): Record<string, Versions> {
  return Object.fromEntries(
    paths.map((path, seed) => [path, [dataFile(seed, 0, chunks), dataFile(seed, 1, chunks)] as const]),
  )
}

function kerchunk(): IdentitySample {
  const paths = ['0.bin', '1.bin']
  const files = { 'refs.json': always(references(paths, 4)), ...dataFiles(paths, 4) }
  return { name: 'kerchunk-files', source: 'refs.json', files, replaced: paths, isPinned: true }
}

/** More files than a store keeps open. */
function manyFiles(): IdentitySample {
  const paths = Array.from({ length: 1105 }, (_none, at) => `${at}.bin`)
  return {
    name: 'kerchunk-1105-files',
    source: 'refs.json',
    files: { 'refs.json': always(references(paths, 2)), ...dataFiles(paths, 2) },
    replaced: paths,
    decidedBy: (key) => `${/c\/(\d+)\//.exec(key)?.[1]}.bin`,
    isPinned: true,
    options: ['', ';codecs=raw'],
  }
}

const LAZY = new URL('../fixtures/kerchunk/lazy/', import.meta.url)
const fixture = (path: string) => new Uint8Array(readFileSync(new URL(path, LAZY)))

/** The set of the fixtures: its data, and a part of its index, are replaced. */
function parquet(): IdentitySample {
  const parts = readdirSync(new URL('a/', LAZY)).map((name) => `a/${name}`)
  const files: Record<string, Versions> = { '.zmetadata': always(fixture('.zmetadata')) }
  for (const path of parts) files[path] = always(fixture(path))
  files['a/refs.0.parq'] = [fixture('a/refs.0.parq'), fixture('a/refs.1.parq')]
  files['data.bin'] = [fixture('data.bin'), Buffer.from(Int16Array.of(90, 91, 92, 93, 94).buffer)]
  const replaced = ['data.bin', 'a/refs.0.parq']
  return { name: 'kerchunk-parquet', source: '.zmetadata', files, replaced, isPinned: true }
}

function joinOfReferences(): IdentitySample {
  const names = ['one', 'two']
  const files: Record<string, Versions> = {
    'join.json': always(
      json({ virtual_zarr: 'join/1', sources: names.map((name) => `${name}/refs.json`), along: 'y' }),
    ),
  }
  for (const [seed, name] of names.entries()) {
    files[`${name}/refs.json`] = always(references(['data.bin'], 3))
    files[`${name}/data.bin`] = [dataFile(seed, 0, 3), dataFile(seed, 1, 3)]
  }
  const replaced = names.map((name) => `${name}/data.bin`)
  return { name: 'join-of-kerchunk', source: 'join.json', files, replaced, isPinned: true }
}

function joinOfFolders(): IdentitySample {
  const array = v3Array({
    shape: [6],
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
  })
  const values = (add: number) => Buffer.from(Int16Array.of(add, add + 1, add + 2, add + 3).buffer)
  const files: Record<string, Versions> = {
    'join.json': always(json({ virtual_zarr: 'join/1', sources: ['one/', 'two/'], along: 'x' })),
  }
  for (const [at, name] of ['one', 'two'].entries()) {
    files[`${name}/zarr.json`] = always(json(v3Group({ v: array })))
    files[`${name}/v/c/0`] = [values(at * 10), values(100 + at * 10)]
    files[`${name}/v/c/1`] = always(values(50 + at * 10))
  }
  return {
    name: 'join-of-zarr',
    source: 'join.json',
    files,
    replaced: ['one/v/c/0', 'two/v/c/0'],
    isPinned: false,
  }
}

const PIXELS = 8

/** A grey image beside others of its size, all of one value. */
function grey(value: number, at: number): Uint8Array {
  const changes: BuiltField[] = [
    { tag: 273, type: 4, values: [dataStart()] },
    { tag: 33550, type: 12, values: [10, 10, 0] },
    { tag: 33922, type: 12, values: [0, 0, 0, 1000 + at * PIXELS * 10, 2000, 0] },
    { tag: 34735, type: 3, values: [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32_631] },
  ]
  return buildTiff([{ fields: greyFields(PIXELS, PIXELS, changes) }], { data: Buffer.alloc(PIXELS * PIXELS, value) })
}

const TIFFS = ['a.tif', 'b.tif']

function tiffs(isBeside: boolean): Record<string, Versions> {
  return Object.fromEntries(
    TIFFS.map((path, at) => [path, [grey(1 + at, isBeside ? at : 0), grey(101 + at, isBeside ? at : 0)] as const]),
  )
}

function vrt(): IdentitySample {
  const size = `xSize="${PIXELS}" ySize="${PIXELS}"`
  const sources = TIFFS.map(
    (path, at) =>
      `<SimpleSource><SourceFilename relativeToVRT="1">${path}</SourceFilename><SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" ${size}/><DstRect xOff="${at * PIXELS}" yOff="0" ${size}/></SimpleSource>`,
  )
  const document = `<VRTDataset rasterXSize="${2 * PIXELS}" rasterYSize="${PIXELS}"><VRTRasterBand dataType="Byte" band="1">${sources.join('')}</VRTRasterBand></VRTDataset>`
  const files = { 'v.vrt': always(Buffer.from(document)), ...tiffs(true) }
  return { name: 'vrt', source: 'v.vrt', files, replaced: TIFFS, isPinned: true }
}

function stac(): IdentitySample {
  const type = 'image/tiff; application=geotiff'
  const assets = { red: { href: 'a.tif', type }, nir: { href: 'b.tif', type } }
  const properties = { datetime: '2024-01-01T00:00:00Z' }
  const item = { type: 'Feature', stac_version: '1.0.0', id: 'i', properties, links: [], assets }
  const files = { 'item.json': always(json(item)), ...tiffs(false) }
  return { name: 'stac', source: 'item.json', files, replaced: TIFFS, isPinned: true }
}

const HDF4 = new URL('../fixtures/hdf4/', import.meta.url)

/** Values of HDF4 in a file beside it. */
function external(): IdentitySample {
  const [main, beside] = ['pieces.hdf', 'pieces.dat'].map((name) => new Uint8Array(readFileSync(new URL(name, HDF4))))
  const [before = new Uint8Array(0), document = new Uint8Array(0)] = [beside, main]
  const after = before.map((byte) => byte ^ 0x55)
  const files = { 'pieces.hdf': always(document), 'pieces.dat': [before, after] as const }
  return { name: 'hdf4-external', source: 'pieces.hdf', files, replaced: ['pieces.dat'], isPinned: true }
}

/** Every format, and what stands on several files. */
export const IDENTITY_SAMPLES: readonly IdentitySample[] = [
  ...SAMPLES.map(ofFaults).map((sample) => (sample.name === 'icechunk' ? onlyReference(sample) : sample)),
  kerchunk(),
  manyFiles(),
  parquet(),
  joinOfReferences(),
  joinOfFolders(),
  vrt(),
  stac(),
  external(),
]

/** Files of a repository never change but for the one that names the present snapshot. */
function onlyReference(sample: IdentitySample): IdentitySample {
  return { ...sample, replaced: sample.replaced.filter((path) => path.endsWith('ref.json')), opensVersions: true }
}
