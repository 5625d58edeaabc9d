import type { VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { Format, ParseContext } from '../format.ts'
import { withPlacedGrids } from '../georeference/placed-grids.ts'
import { maskPlaces } from '../hdf5-elements/masked-encodings.ts'
import { chunkIndexOf } from './chunks/chunk-index.ts'
import { sequenceChunks } from './elements/sequences.ts'
import { readGraph } from './graph.ts'
import { hdf5Mark } from './mark.ts'
import { withScalesFromAbove } from './scales-above.ts'
import { chunksInSource } from './storage/in-source.ts'
import { NO_OTHER_FILES, type OtherFiles, otherFiles } from './storage/other-files.ts'
import { runInFile } from './storage/storage.ts'
import { globalHeaps } from './structures/global-heap.ts'
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
    const others = otherFiles(source.url, context, (other) => readHdf5File(other, NO_OTHER_FILES, inner, []))
    return await withPlacedGrids(await readHdf5File(source, others, context, groupPath(context)), source, context)
  },
}

function groupPath({ options }: ParseContext): readonly string[] {
  return options.group?.split('/').filter((name) => name !== '') ?? []
}

/** With a path, the group there and those above it. */
async function readHdf5File(
  source: Source,
  others: OtherFiles,
  context: ParseContext,
  path: readonly string[],
): Promise<VirtualGroup> {
  const ahead = withReadAhead(source, context)
  try {
    const file = await readSuperblock(ahead.source, context)
    const heaps = await readSharedHeaps(file, context.signal)
    const reader = { file, heaps, signal: context.signal }
    const graph = await readGraph(reader, file.rootAddress, path)
    if (path.length === 0) return await toModel(file, graph, others, context)
    const values = { file, heaps: globalHeaps(file, context.signal), pathOf: () => undefined }
    return await toModel(file, await withScalesFromAbove(graph, reader, values), others, context)
  } finally {
    ahead.stop()
  }
}
