import type { VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { datasetLayout } from './dataset-layout.ts'
import { ifdLayout } from './directories/ifd-layout.ts'
import type { TiffFile } from './directories/read-ifds.ts'
import type { Sidecars } from './sidecars.ts'

/** The tree of a TIFF file in the layout that was asked for. */
export function toModel(file: TiffFile, source: Source, context: ParseContext, beside: Sidecars): VirtualGroup {
  switch (context.options.layout) {
    case 'dataset':
    case 'levels':
      return datasetLayout(file, source, context, beside)
    case 'ifd':
      return ifdLayout(file, source, context)
  }
}
