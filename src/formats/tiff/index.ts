import type { Format } from '../format.ts'
import { isTiff } from './file-header.ts'
import { readIfds } from './read-ifds.ts'
import { toModel } from './to-model.ts'

/** TIFF and BigTIFF: GeoTIFF, COG, OME-TIFF and all others that only are TIFF. */
export const tiff: Format = {
  name: 'tiff',
  recognises: (head) => isTiff(head),
  async parse(source, context) {
    return toModel(await readIfds(source, context), source, context)
  },
}
