import type { Format } from '../format.ts'
import { maskPlaces } from '../hdf5-elements/masked-encodings.ts'
import { indexMakers } from './chunk-index.ts'
import { storedChunks } from './chunk-table.ts'
import { dmrppMark } from './mark.ts'
import { readDocument } from './read-document.ts'
import { fileSources, toModel } from './to-model.ts'

/** DMR++: sidecars in XML that say where a data file (HDF5, NetCDF-4, HDF4) has its chunks. */
export const dmrpp: Format = {
  ...dmrppMark,
  makers: [maskPlaces, ...indexMakers, storedChunks, fileSources],
  async parse(source, context) {
    const document = await readDocument(source, context)
    return toModel(document, source.url, context)
  },
}
