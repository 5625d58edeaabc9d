import { latin1Text } from '../../bytes/text.ts'
import type { Format } from '../format.ts'
import { readDocument } from './read-document.ts'
import { toModel } from './to-model.ts'

/** DMR++: sidecars in XML that say where a data file (HDF5, NetCDF-4, HDF4) has its chunks. */
export const dmrpp: Format = {
  name: 'dmrpp',
  recognises: (head) => isDmrpp(latin1Text(head)),
  async parse(source, context) {
    const document = await readDocument(source, context)
    return toModel(document, source.url, context)
  },
}

/** By its root and the namespace of chunks, both of which are spelled with http and with https. */
function isDmrpp(head: string): boolean {
  return (
    /<(?:[\w.-]+:)?Dataset[\s>]/.test(head) &&
    /xmlns:[\w.-]+\s*=\s*["']https?:\/\/xml\.opendap\.org\/dap\/dmrpp\//.test(head)
  )
}
