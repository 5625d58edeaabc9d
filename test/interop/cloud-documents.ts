import assert from 'node:assert/strict'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type CloudService, storeOf } from './cloud-service.ts'

/** The document of an array without a chunk. */
export const EMPTY_ARRAY = Buffer.from(
  JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [4],
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    fill_value: 9,
    attributes: {},
  }),
)

/** What the references below lead to. */
export const VALUES = Buffer.from(Int32Array.of(1, 2, 3, 4).buffer)

/** A document of references to both halves of `VALUES`, which lie at this location. */
export function referencesTo(location: string): Buffer {
  const array =
    '{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"<i4","compressor":null,"filters":null,"order":"C","fill_value":0}'
  const refs = {
    '.zgroup': '{"zarr_format":2}',
    'a/.zarray': array,
    'a/0': [location, 0, 8],
    'a/1': [location, 8, 8],
  }
  return Buffer.from(JSON.stringify({ version: 1, refs }))
}

/** Writes three files into a folder, and reads them as one by a pattern: the store must list them. */
export async function readByPattern(
  service: CloudService,
  folder: string,
  put: (name: string, bytes: Uint8Array) => Promise<unknown>,
): Promise<void> {
  for (const at of [1, 2, 10]) await put(`run ${at}.nc`, netcdf3File({ rows: 2, columns: 2, first: at * 100 }))
  const document = await service.get(`${storeOf(`${folder}run *.nc`, ';along=y')}zarr.json`)
  assert.equal(document.status, 200, `${document.bytes}`)
  const { consolidated_metadata: inner } = JSON.parse(document.bytes.toString()) as {
    consolidated_metadata: { metadata: Record<string, { shape: number[] }> }
  }
  assert.deepEqual(inner.metadata['temperature']?.shape, [6, 2])
}
