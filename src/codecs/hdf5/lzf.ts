import { malformed } from '../../errors.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { repeatBack } from '../kernels/lz4.ts'
import { Output } from '../kernels/output.ts'

/** HDF5's filter 32000 (h5py): one LibLZF stream. What doesn't shrink is stored without the filter, by its mask. */
export const lzf = internalBytes<NoParameters>({
  name: 'vz.lzf',
  prepare: () => ({ decode: (bytes, context) => decodeLzf(bytes, context.limit) }),
})

/** The content of a LibLZF stream (`lzf_d.c`): runs of literals, and matches up to 8 kB back. */
export function decodeLzf(source: Uint8Array, limit: number): Uint8Array {
  const output = new Output(limit)
  let from = 0
  while (from < source.length) {
    const control = source[from++] ?? 0
    if (control < 32) {
      const literals = control + 1
      if (literals > source.length - from) throw damaged(from)
      output.reserve(literals)
      const { bytes, length: to } = output
      for (let i = 0; i < literals; i++) bytes[to + i] = source[from + i] ?? 0
      output.length += literals
      from += literals
      continue
    }
    let length = (control >> 5) + 2
    if (length === 9) length += source[from++] ?? 0
    const distance = ((control & 31) << 8) + (source[from++] ?? 0) + 1
    if (from > source.length || distance > output.length) throw damaged(from)
    output.reserve(length)
    output.length = repeatBack(output.bytes, output.length, distance, length)
  }
  return output.done()
}

function damaged(at: number): Error {
  return malformed('an LZF stream runs past its end, or refers to before its beginning', { offset: at })
}
