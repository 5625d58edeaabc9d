import { inflateRawSync } from 'node:zlib'
import { malformed } from '../../errors.ts'
import { internalBytes } from '../internal.ts'

/** RFC 1951 without a frame, as zip archives hold members; `size` is the most that one inflates to. */
export const deflateRaw = internalBytes<{ readonly size?: number }>({
  name: 'vz.deflate-raw',
  prepare: ({ size = Number.POSITIVE_INFINITY }) => ({
    decode: (bytes, { limit }) => inflateRaw(bytes, Math.min(size, limit)),
  }),
})

/** The content of a deflated stream, at most so many bytes of it. */
export function inflateRaw(bytes: Uint8Array, most: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, most) })
  } catch (cause) {
    throw malformed(`a deflated zip member of ${bytes.length} bytes does not inflate to at most ${most}`, {}, cause)
  }
}
