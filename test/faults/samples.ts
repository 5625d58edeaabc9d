import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
import { FILE_ID_BYTES, idOf, idText } from '../../src/service/export/icechunk/files.ts'
import { writeNetcdf3 } from '../corpus/netcdf3-writer.ts'
import { documentOf } from '../formats/dmrpp/parse.ts'
import { fileOf, hduBytes, imageCards } from '../formats/fits/build.ts'
import { hdf4File, u16, u32 } from '../formats/hdf4/build.ts'
import { repositoryOf } from '../formats/icechunk/build.ts'
import { buildTiff, greyFields } from '../formats/tiff/build.ts'
import { buildZip } from '../formats/zarr/build-zip.ts'
import { v2Array, v3Array } from '../helpers/zarr-store.ts'

/** A source of one format, in two versions that differ from their first bytes on and have the same size. */
export interface Sample {
  readonly name: string
  /** The folder, with a final slash, or the file that is the source. */
  readonly source: string
  /** What the metadata and what the chunk is read of. */
  readonly document: string
  readonly data: string
  readonly key: string
  files(version: 0 | 1): Readonly<Record<string, Uint8Array>>
}

/** Where values lie: far beyond what opening reads. */
const FAR = 400_000
const LENGTH = 90_000

/** Values that differ at each place and with the version. */
function valuesOf(version: 0 | 1, length = LENGTH): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * 7 + version * 101) % 251))
}

function filled(version: 0 | 1, head: Uint8Array, values = valuesOf(version)): Buffer {
  const file = Buffer.alloc(FAR + values.length, version + 1)
  file.set(head)
  file.set(values, FAR)
  return file
}

const PLACED = [
  { tag: 33550, type: 12, values: [10, 5, 0] },
  { tag: 33922, type: 12, values: [0, 0, 0, 500_000, 4_600_000, 0] },
  { tag: 34735, type: 3, values: [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32_631] },
]

function tiff(version: 0 | 1): Buffer {
  const fields = greyFields(300, 300, PLACED).map((field) => (field.tag === 273 ? { ...field, values: [FAR] } : field))
  return filled(version, buildTiff([{ fields }]))
}

/** The fixture, with the values of `g/b` moved to the end; the addresses are those that golden.json and h5py tell. */
function hdf5(version: 0 | 1): Buffer {
  const fixture = readFileSync(new URL('../fixtures/hdf5/old.h5', import.meta.url))
  const [from, length] = [9904n, 80n]
  const place = Buffer.alloc(16)
  place.writeBigUInt64LE(from)
  place.writeBigUInt64LE(length, 8)
  const at = fixture.indexOf(place)
  assert.ok(at > 0, 'the layout message of g/b')
  fixture.writeBigUInt64LE(BigInt(FAR), at)
  // The end of the file, in a superblock of version 0.
  fixture.writeBigUInt64LE(BigInt(FAR) + length, 40)
  return filled(version, fixture, valuesOf(version, Number(length)))
}

function netcdf3(version: 0 | 1): Buffer {
  const { bytes, extents } = writeNetcdf3([{ name: 'field', shape: [150, 150] }], FAR)
  const { offset } = extents.get('field') ?? { offset: 0 }
  bytes.set(valuesOf(version), offset)
  // Between the header and the values lies nothing.
  bytes.fill(version + 1, 1000, 2000)
  return bytes
}

/** An image behind another one. */
function fits(version: 0 | 1): Uint8Array {
  const filler = hduBytes(imageCards(8, [FAR]), Buffer.alloc(FAR, version + 1))
  return fileOf(filler, hduBytes(imageCards(8, [LENGTH], true), valuesOf(version)))
}

/** A data set of the older interface: number type, dimensions, values, and the group that names them. */
function hdf4(version: 0 | 1): Uint8Array {
  const numberType = [...u16(106), ...u16(1)]
  return hdf4File([
    { tag: 106, ref: 1, bytes: Uint8Array.from([1, 21, 8, 1]) },
    { tag: 701, ref: 2, bytes: Uint8Array.from([...u16(1), ...u32(LENGTH), ...numberType, ...numberType]) },
    { tag: 720, ref: 2, bytes: Uint8Array.from([...u16(701), ...u16(2), ...u16(702), ...u16(2)]) },
    { tag: 32_000, ref: 3, bytes: Buffer.alloc(FAR, version + 1) },
    { tag: 702, ref: 2, bytes: valuesOf(version) },
  ])
}

/** The fixture with other values: those of simple packing fill section 7 from its sixth byte on (template 7.0). */
function grib(version: 0 | 1): Buffer {
  const file = readFileSync(new URL('../fixtures/grib/forecast.grib', import.meta.url))
  let at = 0
  while (at < file.length) {
    if (file.toString('latin1', at, at + 4) === 'GRIB') at += 16
    else if (file.toString('latin1', at, at + 4) === '7777') at += 4
    else {
      const length = file.readUInt32BE(at)
      if (file[at + 4] === 7) file.set(valuesOf(version, length - 5), at + 5)
      at += length
    }
  }
  return file
}

function join(version: 0 | 1): Record<string, Uint8Array> {
  const document = { virtual_zarr: 'join/1', sources: ['a.nc', 'b.nc'], along: { new: 'run', values: [1, 2] } }
  return { 'join.json': json(document), 'a.nc': netcdf3(0), 'b.nc': netcdf3(version) }
}

function kerchunk(version: 0 | 1, document = 'refs.json', target = 'data.bin'): Record<string, Uint8Array> {
  const zarray = JSON.stringify(v2Array({ shape: [LENGTH], chunks: [LENGTH], dtype: '|u1' }))
  const refs = { '.zgroup': '{"zarr_format":2}', 'a/.zarray': zarray, 'a/0': [target, FAR, LENGTH] }
  return { [document]: Buffer.from(JSON.stringify({ version: 1, refs })), [target]: filled(version, Buffer.alloc(0)) }
}

/** Many ranges with gaps too wide to be read as one: a body put together of several answers. */
function strided(version: 0 | 1): Record<string, Uint8Array> {
  const zarray = JSON.stringify(
    v2Array({ shape: [4, LENGTH], chunks: [1, LENGTH], dtype: '|u1', compressor: { id: 'zlib', level: 1 } }),
  )
  const refs: Record<string, unknown> = { '.zgroup': '{"zarr_format":2}', 'a/.zarray': zarray }
  const stored = deflateSync(valuesOf(version), { level: 0 })
  for (let at = 0; at < 4; at++) refs[`a/${at}.0`] = ['data.bin', FAR, stored.length]
  return {
    'refs.json': Buffer.from(JSON.stringify({ version: 1, refs })),
    'data.bin': filled(version, Buffer.alloc(0), stored),
  }
}

function dmrpp(version: 0 | 1): Record<string, Uint8Array> {
  const chunk = `<dmrpp:chunks><dmrpp:chunk offset="${FAR}" nBytes="${LENGTH}"/></dmrpp:chunks>`
  const text = documentOf(
    `<UInt8 name="a"><Dim size="${LENGTH}"/>${chunk}</UInt8>`,
    'dmrpp:href="data.h5" dmrpp:version="3.21"',
  )
  return { 'data.h5.dmrpp': Buffer.from(text), 'data.h5': filled(version, Buffer.alloc(0)) }
}

const REF = 'refs/branch.main/ref.json'
/** Repositories are compressed off the main thread. */
const ICECHUNK = await Promise.all(([0, 1] as const).map(icechunk))

/** One chunk in a file of its own, whose name is made of what it holds. */
async function icechunk(version: 0 | 1): Promise<Record<string, Uint8Array>> {
  const bytes = valuesOf(version)
  const id = idOf(bytes, FILE_ID_BYTES)
  const files = await repositoryOf(LENGTH, [{ kind: 'native', id, length: LENGTH }])
  // Long enough for faults in its body.
  const ref = Buffer.from(`${Buffer.from(files.get(REF) ?? []).toString()}${' '.repeat(2000)}`)
  return { ...Object.fromEntries(files), [REF]: ref, [`chunks/${idText(id)}`]: bytes }
}

const plain = {
  shape: [LENGTH],
  data_type: 'uint8',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [LENGTH] } },
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const gzipped = [
  { name: 'bytes', configuration: { endian: 'little' } },
  { name: 'gzip', configuration: { level: 1 } },
]

function zip(version: 0 | 1): Buffer {
  const entries = [
    { name: 'filler', content: Buffer.alloc(FAR, version) },
    { name: 'zarr.json', content: json(v3Array(plain)) },
    { name: 'c/0', content: valuesOf(version) },
    // What opening reads is the end of the file: not these values.
    { name: 'last', content: Buffer.alloc(FAR, version) },
  ]
  return Buffer.from(buildZip(entries))
}

function file(name: string, source: string, key: string, make: (version: 0 | 1) => Uint8Array): Sample {
  return { name, source, document: source, data: source, key, files: (version) => ({ [source]: make(version) }) }
}

export const SAMPLES: readonly Sample[] = [
  file('tiff', 'a.tif', 'band_data/c/0/0', tiff),
  file('hdf5', 'a.h5', 'g/b/c/0', hdf5),
  file('netcdf3', 'a.nc', 'field/c/0/0', netcdf3),
  file('fits', 'a.fits', 'HDU1/c/0', fits),
  file('hdf4', 'a.hdf', 'Data-Set-2/c/0', hdf4),
  file('grib', 'a.grib', 'meanSea/msl/c/0/0', grib),
  { name: 'join', source: 'join.json', document: 'join.json', data: 'b.nc', key: 'field/c/1/0/0', files: join },
  file('zarr-zip', 'a.zip', 'c/0', zip),
  { name: 'kerchunk', source: 'refs.json', document: 'refs.json', data: 'data.bin', key: 'a/c/0', files: kerchunk },
  {
    name: 'kerchunk-zlib',
    source: 'refs.json',
    document: 'refs.json',
    data: 'data.bin',
    key: 'a/c/2/0',
    files: strided,
  },
  { name: 'dmrpp', source: 'data.h5.dmrpp', document: 'data.h5.dmrpp', data: 'data.h5', key: 'a/c/0', files: dmrpp },
  {
    name: 'icechunk',
    source: '',
    document: REF,
    data: `chunks/${idText(idOf(valuesOf(0), FILE_ID_BYTES))}`,
    key: 'a/c/0',
    files: (version) => ICECHUNK[version] ?? {},
  },
  {
    name: 'zarr',
    source: '',
    document: 'zarr.json',
    data: 'c/0',
    key: 'c/0',
    files: (version) => ({ 'zarr.json': json(v3Array(plain)), 'c/0': valuesOf(version) }),
  },
  {
    name: 'zarr-gzip',
    source: '',
    document: 'zarr.json',
    data: 'c/0',
    key: 'c/0',
    files: (version) => ({
      'zarr.json': json(v3Array({ ...plain, codecs: gzipped })),
      'c/0': gzipSync(valuesOf(version), { level: 0 }),
    }),
  },
]
