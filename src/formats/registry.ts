import type { ReadOptions, Source } from '../source/source.ts'
import { formats } from './built.ts'
import type { Format } from './format.ts'

export { formats }

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
export async function findFormatFurtherOn(
  source: Source,
  options: ReadOptions,
  among: readonly Format[] = formats,
): Promise<Format | undefined> {
  for (const format of among) if ((await format.isFurtherOn?.(source, options)) === true) return format
  return undefined
}

/** Documents that make a folder a source, in the order in which they are looked for. */
export function folderDocumentsOf(among: readonly Format[] = formats): readonly string[] {
  return among.flatMap((format) => format.folderDocuments ?? [])
}

/** The format whose magic bytes these are. */
export function recogniseFormat(
  head: Uint8Array,
  url: URL,
  tail?: Uint8Array,
  among: readonly Format[] = formats,
): Format | undefined {
  return among.find((format) => format.recognises(head, url, tail))
}
