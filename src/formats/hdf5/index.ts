import type { VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { Format, ParseContext } from '../format.ts'
import { withPlacedGrids } from '../georeference/placed-grids.ts'
import { maskPlaces } from '../hdf5-elements/masked-encodings.ts'
import { chunkIndexOf } from './chunks/chunk-index.ts'
import { sequenceChunks } from './elements/sequences.ts'
import { readGraph } from './graph.ts'
import { hdf5Mark } from './mark.ts'
import { chunksInSource } from './storage/in-source.ts'
import { NO_OTHER_FILES, type OtherFiles, otherFiles } from './storage/other-files.ts'
import { runInFile } from './storage/storage.ts'
import { newBudget } from './structures/hdf5-file.ts'
import { unhurried, withReadAhead } from './structures/read-ahead.ts'
import { readSharedHeaps } from './structures/shared-message.ts'
import { readSuperblock } from './structures/superblock.ts'
import { toModel } from './to-model.ts'

/** HDF5 files, NetCDF-4 among them. */
export const hdf5: Format = {
  ...hdf5Mark,
  makers: [maskPlaces, chunkIndexOf, newBudget, unhurried, runInFile, chunksInSource, sequenceChunks],
  async parse(source, context) {
    // What is told of a file that the source refers to has no path here.
    const inner: ParseContext = { ...context, warn: () => undefined }
    const others = otherFiles(source.url, context, (other) => readHdf5File(other, NO_OTHER_FILES, inner))
    return await withPlacedGrids(await readHdf5File(source, others, context), source, context)
  },
}

async function readHdf5File(source: Source, others: OtherFiles, context: ParseContext): Promise<VirtualGroup> {
  const ahead = withReadAhead(source, context)
  try {
    const file = await readSuperblock(ahead.source, context)
    const heaps = await readSharedHeaps(file, context.signal)
    const graph = await readGraph({ file, heaps, signal: context.signal }, file.rootAddress)
    return await toModel(file, graph, others, context)
  } finally {
    ahead.stop()
  }
}
