// TIFF 6.0, FillOrder 2: the lowest bit of each byte comes first.
import type { ByteCodec } from '../codec.ts'
import { reversedBits } from './lzw.ts'

/** Bytes whose bits are in the other order. */
export const tiffFillOrder: ByteCodec = {
  kind: 'bytes',
  name: 'vz.tiff-fill-order',
  reach: 'internal',
  decode: (bytes) => reversedBits(bytes),
}
