import type { ByteCodec } from '../codec.ts'
import { decodeBzip2 } from '../kernels/bzip2.ts'

/** bzip2, one stream or several. */
export const numcodecsBz2: ByteCodec = {
  kind: 'bytes',
  name: 'numcodecs.bz2',
  reach: 'native',
  prepare: () => ({ decode: (bytes, context) => decodeBzip2(bytes, context.limit) }),
}
