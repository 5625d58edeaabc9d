import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type WrittenFile, writeNetcdf3 } from '../test/corpus/netcdf3-writer.ts'

export interface ChunkSize {
  readonly name: string
  readonly bytes: number
  readonly count: number
}

/** Chunk sizes of the passthrough benchmark, in bytes, and how many different chunks of each are asked for. */
export const CHUNK_SIZES: readonly ChunkSize[] = [
  { name: '16 KiB', bytes: 2 ** 14, count: 64 },
  { name: '128 KiB', bytes: 2 ** 17, count: 32 },
  { name: '1 MiB', bytes: 2 ** 20, count: 16 },
  { name: '8 MiB', bytes: 2 ** 23, count: 4 },
]

/** Files by how many variables they have: their documents are about 3 kB, 40 kB and 1 MB long. */
export const DOCUMENT_VARIABLES: readonly number[] = [7, 100, 2500]

/** Begins the data beyond what opening the file reads, so that no chunk comes out of the kept head. */
const DATA_OFFSET = 2 ** 20

/**
 * Arrays of one chunk each, named by size and number: `v16384_0`. Kerchunk's references say so: the long ones of a NetCDF-3 file are served
 * in several chunks.
 */
export async function writePassthroughFile(
  folder: string,
  sizes = CHUNK_SIZES,
): Promise<{ path: string; document: string; file: WrittenFile }> {
  await mkdir(folder, { recursive: true })
  const variables = sizes.flatMap(({ bytes, count }) =>
    Array.from({ length: count }, (_, index) => ({ name: variableName(bytes, index), shape: [bytes / 4] })),
  )
  const file = writeNetcdf3(variables, DATA_OFFSET)
  const path = 'passthrough.nc'
  const document = 'passthrough.json'
  await writeFile(join(folder, path), file.bytes)
  const members = variables.flatMap(({ name, shape }) => {
    const { offset = 0, length = 0 } = file.extents.get(name) ?? {}
    const array = {
      zarr_format: 2,
      shape,
      chunks: shape,
      dtype: '>f4',
      order: 'C',
      fill_value: null,
      compressor: null,
      filters: null,
    }
    return [
      [`${name}/.zarray`, JSON.stringify(array)],
      [`${name}/0`, [path, offset, length]],
    ]
  })
  const refs = { '.zgroup': JSON.stringify({ zarr_format: 2 }), ...Object.fromEntries(members) }
  await writeFile(join(folder, document), JSON.stringify({ version: 1, refs }))
  return { path, document, file }
}

export function variableName(bytes: number, index: number): string {
  return `v${bytes}_${index}`
}

/** A NetCDF-3 file of many short variables. */
export async function writeDocumentFile(folder: string, count: number): Promise<string> {
  const variables = Array.from({ length: count }, (_, index) => ({ name: variableName(4, index), shape: [1] }))
  const path = `document-${count}.nc`
  await writeFile(join(folder, path), writeNetcdf3(variables).bytes)
  return path
}
