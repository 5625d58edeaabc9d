import type { Format } from '../format.ts'
import { withPlacedGrids } from '../georeference/placed-grids.ts'
import { elementNotes } from './annotations.ts'
import { hdf4Mark } from './mark.ts'
import { chunkIndexOf } from './storage/chunk-index.ts'
import { piecesIndex, wholeIndex } from './storage/pieces-index.ts'
import { readCatalog } from './structures/catalog.ts'
import { readContents } from './structures/contents.ts'
import { directoryOfColumns } from './structures/directory.ts'
import { readDirectory } from './structures/read-directory.ts'
import { rowChunks } from './tables/column.ts'
import { toModel } from './to-model.ts'

/** HDF4: data sets, tables, images and groups, and HDF-EOS2 in it. */
export const hdf4: Format = {
  ...hdf4Mark,
  makers: [chunkIndexOf, wholeIndex, piecesIndex, directoryOfColumns, rowChunks],
  async parse(source, context) {
    const options = { signal: context.signal }
    const file = { source, directory: await readDirectory(source, options) }
    const catalog = await readCatalog(file, options)
    const contents = await readContents(file, catalog, options)
    const notes = elementNotes({ file, catalog })
    return await withPlacedGrids(
      await toModel({ file, catalog, contents, notes, values: new Map(), context, held: { pieces: 0 } }),
      source,
      context,
    )
  },
}
