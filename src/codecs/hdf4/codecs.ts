import type { Codec } from '../codec.ts'
import { hdf4ImageBlocks } from './image-blocks.ts'
import { hdf4ImageRuns } from './image-runs.ts'
import { hdf4Nbit } from './nbit.ts'
import { hdf4RunLength } from './run-length.ts'
import { hdf4SkippingHuffman } from './skipping-huffman.ts'
import { hdf4Szip } from './szip.ts'

/** How HDF4 compresses elements, deflate apart. */
export const HDF4_CODECS: readonly Codec[] = [
  hdf4RunLength,
  hdf4SkippingHuffman,
  hdf4Nbit,
  hdf4Szip,
  hdf4ImageRuns,
  hdf4ImageBlocks,
]
