import { malformed } from '../../errors.ts'
import { internalBytes } from '../internal.ts'

const IS_RUN = 0x80

/** The run lengths of HDF4's older images (dfrle.c): a count and a byte that is repeated, or a count and as many bytes; rows are not kept apart. */
export const hdf4ImageRuns = internalBytes<{ readonly length: number }>({
  name: 'vz.hdf4-image-runs',
  prepare: ({ length }) => ({
    decode: (bytes, { limit }) => {
      if (length > limit) throw malformed(`an image of ${length} bytes, at most ${limit} are expected`)
      return decodeRuns(bytes, length)
    },
  }),
})

function decodeRuns(bytes: Uint8Array, length: number): Uint8Array {
  const result = new Uint8Array(length)
  let to = 0
  for (let at = 0; to < length; ) {
    const control = bytes[at++]
    if (control === undefined) throw malformed(`the runs of an image end after ${to} of ${length} bytes`)
    const count = Math.min(control & ~IS_RUN, length - to)
    if ((control & IS_RUN) === 0) {
      if (at + count > bytes.length) throw malformed(`the runs of an image end after ${to} of ${length} bytes`)
      result.set(bytes.subarray(at, at + count), to)
      at += count
    } else result.fill(bytes[at++] ?? 0, to, to + count)
    to += count
  }
  return result
}
