import type { ByteCodec } from '../codec.ts'
import { decodeLz4 } from '../kernels/lz4.ts'

/** numcodecs' LZ4: the decoded length (32 bits, little-endian), then one block. */
export const numcodecsLz4: ByteCodec = {
  kind: 'bytes',
  name: 'numcodecs.lz4',
  reach: 'native',
  prepare: () => ({ decode: (bytes, context) => decodeLz4(bytes, context.limit) }),
}
