import type { Format } from '../format.ts'
import { dmrppMark } from './mark.ts'
import { readDocument } from './read-document.ts'
import { toModel } from './to-model.ts'

/** DMR++: sidecars in XML that say where a data file (HDF5, NetCDF-4, HDF4) has its chunks. */
export const dmrpp: Format = {
  ...dmrppMark,
  async parse(source, context) {
    const document = await readDocument(source, context)
    return toModel(document, source.url, context)
  },
}
