import type { Format } from '../format.ts'
import { readGraph } from './graph.ts'
import { withReadAhead } from './read-ahead.ts'
import { readSharedHeaps } from './shared-message.ts'
import { hasSignature, readSuperblock } from './superblock.ts'
import { toModel } from './to-model.ts'

/** HDF5 files, NetCDF-4 among them. */
export const hdf5: Format = {
  name: 'hdf5',
  recognises: (head) => hasSignature(head),
  async parse(source, context) {
    const ahead = withReadAhead(source, context)
    try {
      const file = await readSuperblock(ahead.source, context)
      const heaps = await readSharedHeaps(file, context.signal)
      const graph = await readGraph({ file, heaps, signal: context.signal }, file.rootAddress)
      return await toModel(file, graph, context)
    } finally {
      ahead.stop()
    }
  },
}
