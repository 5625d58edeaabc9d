import { deflateSync } from 'node:zlib'
import { header, type TestAttribute } from '../formats/netcdf3/build.ts'
import { type Bomb, text, times } from './bomb.ts'
import { repeated } from './bomb-origin.ts'
import {
  DEFLATED,
  dataset,
  Hdf5Builder,
  hardLink,
  heapCollection,
  heapReferences,
  LINK_INFO,
  objectHeader,
  oneChunk,
  VLEN_TEXT,
} from './hdf5-file.ts'

const TEXT = { message: VLEN_TEXT, size: 16 }

/** Text: few bytes of it become many objects, or long documents. */
export const SWELLING_BOMBS: readonly Bomb[] = [
  {
    name: 'hdf5 10,000,000 texts of varying length in one chunk of 160 KB',
    source: 'deflated.h5',
    keys: ['zarr.json', 'x/c/0'],
    files: () => ({ 'deflated.h5': vlenText(10_000_000, someTexts) }),
  },
  {
    name: 'hdf5 2,000,000 texts of varying length in one chunk of 32 KB',
    source: 'most.h5',
    keys: ['zarr.json', 'x/c/0'],
    files: () => ({ 'most.h5': vlenText(2_000_000, someTexts) }),
  },
  {
    name: 'hdf5 1,000,000 texts of varying length, each in a place of its own',
    source: 'distinct.h5',
    keys: ['zarr.json', 'x/c/0'],
    files: () => ({ 'distinct.h5': vlenText(1_000_000, distinctTexts) }),
  },
  {
    name: 'hdf5 one text of 8 MB, 1,000 times',
    source: 'long.h5',
    keys: ['zarr.json', 'x/c/0'],
    files: () => ({ 'long.h5': vlenText(1000, longText) }),
  },
  {
    name: 'netcdf3 4,000,000 texts of one character in one chunk',
    source: 'chars.nc',
    keys: ['zarr.json', 'x/c/0'],
    files: () => ({ 'chars.nc': characters(4_194_304, 1) }),
  },
  {
    name: 'netcdf3 one text of 60 MB',
    source: 'long.nc',
    keys: ['zarr.json', 'x/c/0'],
    files: () => ({ 'long.nc': characters(1, 60_000_000) }),
  },
  {
    name: 'netcdf3 500,000 attributes',
    source: 'attributes.nc',
    files: () => ({ 'attributes.nc': header({ attributes: manyAttributes(500_000) }) }),
  },
  ...['inspect', 'export'].map(
    (route): Bomb => ({
      name: `netcdf3 an attribute of 15 MB of control characters, ${route}`,
      source: `${route}.nc`,
      keys: ['zarr.json', `/${route}`],
      files: () => ({ [`${route}.nc`]: oneAttribute(15_000_000) }),
    }),
  ),
  ...['inspect', 'export'].map(
    (route): Bomb => ({
      name: `kerchunk 300,000 attributes, ${route}`,
      source: `${route}.json`,
      keys: ['zarr.json', `/${route}`],
      files: () => ({ [`${route}.json`]: text(kerchunkAttributes(300_000)) }),
    }),
  ),
  {
    name: 'kerchunk 1,000,000 chunks, export',
    source: 'chunks.json',
    keys: ['zarr.json', '/export'],
    files: () => ({ 'chunks.json': text(kerchunkChunks(1_000_000)) }),
  },
]

type Place = Parameters<typeof heapReferences>[1]

/** A dataset of one chunk of deflated references. */
function vlenText(count: number, put: (builder: Hdf5Builder, count: number) => Place): Uint8Array {
  const builder = new Hdf5Builder()
  const stored = deflateSync(heapReferences(count, put(builder, count)), { level: 1 })
  const tree = builder.put(oneChunk(builder.put(stored), stored.length))
  const further = [DEFLATED]
  const x = builder.put(dataset({ shape: [count], type: TEXT, chunks: { shape: [count], tree }, further }))
  return builder.finish(builder.put(objectHeader([LINK_INFO, hardLink('x', x)])))
}

function someTexts(builder: Hdf5Builder): Place {
  const address = builder.put(heapCollection(times(100, (i) => `text ${i}`)))
  return (index) => ({ length: 6, address, object: 1 + (index % 100) })
}

/** As many collections as the library would make. */
function distinctTexts(builder: Hdf5Builder, count: number): Place {
  const each = 160
  const addresses = times(Math.ceil(count / each), (i) =>
    builder.put(heapCollection(times(each, (k) => String(i * each + k).padStart(8, '0')))),
  )
  return (index) => ({ length: 8, address: addresses[Math.floor(index / each)] ?? 0, object: 1 + (index % each) })
}

function longText(builder: Hdf5Builder): Place {
  const address = builder.put(heapCollection(['x'.repeat(8_000_000)]))
  return () => ({ length: 8_000_000, address, object: 1 })
}

function characters(count: number, length: number) {
  const head = header({
    version: 2,
    dims: [
      { name: 'n', length: count },
      { name: 'strlen', length },
    ],
    variables: [{ name: 'x', dims: [0, 1], type: 2, begin: 4096 }],
  })
  const padded = new Uint8Array(4096)
  padded.set(head)
  return repeated(padded, Buffer.alloc(4096, 'abcdefgh'), Math.ceil((count * length) / 4096))
}

function manyAttributes(count: number): TestAttribute[] {
  return times(count, (i) => ({ name: `a${i}`, type: 1, value: Uint8Array.of(i % 256) }))
}

/** Each of these takes six characters in JSON. */
function oneAttribute(length: number): Uint8Array {
  return header({ attributes: [{ name: 'a', type: 2, value: Buffer.alloc(length, 1) }] })
}

function kerchunkAttributes(count: number): string {
  const attributes = `{${times(count, (i) => `"attribute${i}":"${i}"`).join(',')}}`
  return JSON.stringify({ version: 1, refs: { '.zgroup': '{"zarr_format":2}', '.zattrs': attributes } })
}

function kerchunkChunks(count: number): string {
  const array = { zarr_format: 2, shape: [count], chunks: [1], dtype: '<i4', fill_value: 0, order: 'C' }
  const zarray = JSON.stringify({ ...array, compressor: null, filters: null })
  const chunks = times(count, (i) => `"a/${i}":["data.bin",${i * 4},4]`)
  return `{"version":1,"refs":{".zgroup":"{\\"zarr_format\\":2}","a/.zarray":${JSON.stringify(zarray)},${chunks.join(',')}}}`
}
