import { modelMakers } from '../model/makers.ts'
import type { Maker } from '../model/recipe.ts'
import { JSON_DOCUMENT, type ObjectCheck, type ReadOptions, type Source } from '../source/source.ts'
import { formats } from './built.ts'
import type { Format } from './format.ts'

export { formats }

/** Who makes again what trees hold besides data, whatever their format. */
export const makers: ReadonlyMap<string, Maker> = new Map(
  [...modelMakers, ...formats.flatMap((format) => format.makers ?? [])].map((maker) => [maker.recipe, maker]),
)

/** All names that `;format=` will know: URL-5. */
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

/** A document that makes a folder a source, and what it looks like. */
export interface FolderDocument {
  readonly name: string
  readonly check: ObjectCheck
}

/** Documents that make a folder a source, in the order in which they are looked for. */
export function folderDocumentsOf(among: readonly Format[] = formats): readonly FolderDocument[] {
  return among.flatMap(({ folderDocuments = [], folderCheck }) =>
    folderDocuments.map((name) => ({ name, check: folderCheck?.(name) ?? JSON_DOCUMENT })),
  )
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
