import type { Format } from '../format.ts'
import { isTiff } from './directories/file-header.ts'
import { readIfds, readStart } from './directories/read-ifds.ts'
import { isPlaced } from './georeference.ts'
import { findSidecars, NO_SIDECARS } from './sidecars.ts'
import { readStacks, withPixelSizes } from './stacks/stack-layout.ts'
import { toModel } from './to-model.ts'

/** TIFF and BigTIFF: GeoTIFF, COG, OME-TIFF and all others that only are TIFF. */
export const tiff: Format = {
  name: 'tiff',
  recognises: (head) => isTiff(head),
  async parse(source, context) {
    const start = await readStart(source, context)
    const isFlat = context.options.layout === 'ifd'
    const { root, plane } = isFlat ? { root: undefined, plane: undefined } : await readStacks(start, source, context)
    if (root !== undefined) return root
    const mayBeBeside = !isFlat && plane === undefined && !isPlaced(start.first.tags)
    const beside = mayBeBeside ? await findSidecars(source.url, context) : NO_SIDECARS
    const images = toModel(await readIfds(start), source, context, beside)
    return plane === undefined ? images : withPixelSizes(images, plane)
  },
}
