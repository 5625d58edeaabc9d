// TIFF 6.0, FillOrder 2: the lowest bit of each byte comes first.
import { internalBytes, type NoParameters } from '../internal.ts'
import { reversedBits } from './lzw.ts'

/** Bytes whose bits are in the other order. */
export const tiffFillOrder = internalBytes<NoParameters>({
  name: 'vz.tiff-fill-order',
  prepare: () => ({ decode: (bytes) => reversedBits(bytes) }),
})
