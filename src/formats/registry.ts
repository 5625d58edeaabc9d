import type { ReadOptions, Source } from '../source/source.ts'
import { dmrpp } from './dmrpp/index.ts'
import { fits } from './fits/index.ts'
import type { Format } from './format.ts'
import { grib } from './grib/index.ts'
import { hdf4 } from './hdf4/index.ts'
import { hdf5 } from './hdf5/index.ts'
import { kerchunk } from './kerchunk/index.ts'
import { netcdf3 } from './netcdf3/index.ts'
import { tiff } from './tiff/index.ts'
import { zarr } from './zarr/index.ts'

/** The formats that are built, asked in this order. */
export const formats: readonly Format[] = [tiff, netcdf3, hdf5, kerchunk, zarr, dmrpp, fits, grib, hdf4]

/** All names that `;format=` will know: SPEC section 2. */
export const formatNames: readonly string[] = [
  'tiff',
  'hdf5',
  'netcdf3',
  'fits',
  'grib',
  'dmrpp',
  'kerchunk',
  'zarr',
  'hdf4',
  'icechunk',
  'join',
  'stac',
  'vrt',
]

/** The format whose mark is behind something else, in a file whose first bytes no format recognises. */
export async function findFormatFurtherOn(source: Source, options: ReadOptions): Promise<Format | undefined> {
  for (const format of formats) if ((await format.isFurtherOn?.(source, options)) === true) return format
  return undefined
}

/** Documents that make a folder a source, in the order in which they are looked for. */
export const folderDocuments: readonly string[] = formats.flatMap((format) => format.folderDocuments ?? [])

/** The format whose magic bytes these are. */
export function recogniseFormat(head: Uint8Array, url: URL, tail?: Uint8Array): Format | undefined {
  return formats.find((format) => format.recognises(head, url, tail))
}
