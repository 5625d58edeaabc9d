import type { FormatMark } from '../format.ts'
import { isTiff } from './directories/file-header.ts'

export const tiffMark: FormatMark = {
  name: 'tiff',
  recognises: (head) => isTiff(head),
  sidecars: (url, { layout }) => (layout === 'ifd' || namedTiff(url) === undefined ? [] : Object.values(besideOf(url))),
}

const NAMED_TIFF = /^(.+)\.([a-z]{0,8}tiff?)$/i

/** The parts of a name that may have files beside it. The same query may be another file's, or a signature that is good for one. */
export function namedTiff(url: string): { readonly stem: string; readonly extension: string } | undefined {
  const { pathname, search } = new URL(url)
  const [, stem, extension] = NAMED_TIFF.exec(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? []
  return stem === undefined || extension === undefined || search !== '' ? undefined : { stem, extension }
}

/** What GDAL looks for beside a TIFF: metadata, a mask and overviews. */
export function besideOf(url: string) {
  return { pam: `${url}.aux.xml`, mask: `${url}.msk`, overviews: `${url}.ovr` }
}
