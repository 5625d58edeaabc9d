import type { VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { Format, ParseContext } from '../format.ts'
import { blockPlaces } from './blocks.ts'
import { tiffChunkIndex } from './chunk-index.ts'
import { datasetLayout } from './dataset-layout.ts'
import { groupPages } from './datasets.ts'
import { ifdLayout } from './directories/ifd-layout.ts'
import type { TiffFile } from './directories/read-ifds.ts'
import { readIfds, readStart } from './directories/read-ifds.ts'
import { saysNodata } from './gdal-metadata.ts'
import { isPlaced } from './georeference.ts'
import { tiffMark } from './mark.ts'
import { type Missing, NO_SIDECARS, probeSidecars, type Sidecars } from './sidecars.ts'
import { readStacks, withPixelSizes } from './stacks/stack-layout.ts'
import { stackMakers } from './stacks/stack-makers.ts'
import { rawLengths } from './to-array.ts'

/** TIFF and BigTIFF: GeoTIFF, COG, OME-TIFF and all others that only are TIFF. */
export const tiff: Format = {
  ...tiffMark,
  makers: [blockPlaces, tiffChunkIndex, rawLengths, ...stackMakers],
  async parse(source, context) {
    const start = await readStart(source, context)
    const isFlat = context.options.layout === 'ifd'
    const { root, plane } = isFlat ? { root: undefined, plane: undefined } : await readStacks(start, source, context)
    if (root !== undefined) return root
    const placed = isPlaced(start.first.tags)
    const probes = isFlat || plane !== undefined ? undefined : probeSidecars(source.url, placed, context)
    const file = await readIfds(start)
    const beside = (await probes?.take(missingIn(file, placed))) ?? NO_SIDECARS
    const images = toModel(file, source, context, beside)
    return plane === undefined ? images : withPixelSizes(images, plane)
  },
}

/** What a file leaves to those beside it. */
function missingIn({ pages }: TiffFile, placed: boolean): Missing {
  const [main] = groupPages(pages)
  const hasNodata = main !== undefined && saysNodata(main.tags)
  return {
    place: !placed,
    nodata: !hasNodata,
    mask: main?.mask === undefined,
    overviews: main?.overviews.length === 0,
  }
}

/** The tree of a TIFF file in the layout that was asked for. */
function toModel(file: TiffFile, source: Source, context: ParseContext, beside: Sidecars): VirtualGroup {
  switch (context.options.layout) {
    case 'dataset':
    case 'levels':
      return datasetLayout(file, source, context, beside)
    case 'ifd':
      return ifdLayout(file, source, context)
  }
}
