import { malformed } from '../../errors.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { byteKernels, damageAt, FULL } from '../kernels/wasm/bytes.ts'

/** HDF5's filter 32000 (h5py): one LibLZF stream. What doesn't shrink is stored without the filter, by its mask. */
export const lzf = internalBytes<NoParameters>({
  name: 'vz.lzf',
  prepare: () => ({ decode: (bytes, context) => decodeLzf(bytes, context.limit) }),
})

/** Three bytes of a stream make at most 264 of its content. */
const MOST_GROWTH = 88

/** The content of a LibLZF stream, at most `limit` bytes. */
export function decodeLzf(bytes: Uint8Array, limit: number): Uint8Array {
  const { length } = bytes
  const room = Math.min(limit, length * MOST_GROWTH)
  return byteKernels.use([length, room], (kernels, memory, source, target) => {
    memory.set(bytes, source)
    const written = kernels.lzf(source, source + length, target, target + room)
    if (written >= 0) return chunkMemory.copyOf(memory.subarray(target, target + written))
    if (written === FULL) throw malformed(`a compressed chunk holds more than the ${limit} bytes expected`)
    throw malformed('an LZF stream runs past its end, or refers to before its beginning', { offset: damageAt(written) })
  })
}
