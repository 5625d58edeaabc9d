import { malformed } from '../../errors.ts'
import type { DecodeContext } from '../codec.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { Output } from '../kernels/output.ts'

const IS_RUN = 0x80
const SHORTEST_RUN = 3
const SHORTEST_MIX = 1

/** HDF4's run lengths (crle.c): a count and a byte that is repeated, or a count and as many bytes. */
export const hdf4RunLength = internalBytes<NoParameters>({
  name: 'vz.hdf4-run-length',
  prepare: () => ({ decode: decodeRunLength }),
})

function decodeRunLength(bytes: Uint8Array, { limit, enough = Number.POSITIVE_INFINITY }: DecodeContext): Uint8Array {
  const output = new Output(limit)
  for (let at = 0; at < bytes.length && output.length < enough; ) {
    const control = bytes[at++] ?? 0
    const length = (control & ~IS_RUN) + ((control & IS_RUN) === 0 ? SHORTEST_MIX : SHORTEST_RUN)
    if ((control & IS_RUN) === 0) {
      if (at + length > bytes.length) throw malformed(`run lengths: ${length} bytes are expected, and they end before`)
      output.append(bytes.subarray(at, at + length))
      at += length
      continue
    }
    const value = bytes[at++]
    if (value === undefined) throw malformed('run lengths: a run without its byte')
    output.reserve(length)
    output.bytes.fill(value, output.length, output.length + length)
    output.length += length
  }
  return output.done()
}
