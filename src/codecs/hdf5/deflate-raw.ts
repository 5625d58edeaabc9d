import { inflateRawSync } from 'node:zlib'
import { malformed } from '../../errors.ts'
import type { ByteCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'

/** RFC 1951 without a frame, as zip archives hold members; `size` is the most that one inflates to. */
export const deflateRaw: ByteCodec = {
  kind: 'bytes',
  name: 'vz.deflate-raw',
  reach: 'internal',
  decode: (bytes, configuration, context) => {
    const size = integerMember(configuration, 'size', {
      least: 0,
      most: Number.MAX_SAFE_INTEGER,
      fallback: context.limit,
    })
    const most = Math.min(size, context.limit)
    try {
      return inflateRawSync(bytes, { maxOutputLength: Math.max(1, most) })
    } catch (cause) {
      throw malformed(`a deflated zip member of ${bytes.length} bytes does not inflate to at most ${most}`, {}, cause)
    }
  },
}
