import { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { decodeLz4Block } from '../kernels/lz4.ts'

/**
 * HDF5's filter 32004 (HDF5 plugins, `LZ4_HDF5_format`), big-endian: the decoded length (64 bits), the block length (32
 * bits), then each block behind its stored length; a block that is as long as its content is the content.
 */
export const lz4Hdf5 = internalBytes<NoParameters>({
  name: 'vz.lz4-hdf5',
  prepare: () => ({ decode: (bytes, context) => decodeLz4Hdf5(bytes, context.limit) }),
})

/** The content of such a chunk, at most `limit` bytes. */
export function decodeLz4Hdf5(bytes: Uint8Array, limit: number): Uint8Array {
  const cursor = new Cursor(bytes, 'big')
  const length = cursor.u64()
  const blockLength = cursor.u32()
  if (length > limit) throw malformed(`an LZ4 chunk says ${length} bytes, at most ${limit} are expected`)
  if (length === 0) return new Uint8Array(0)
  if (blockLength === 0) throw malformed('an LZ4 chunk says that its blocks are empty')
  const result = chunkMemory.take(length)
  for (let at = 0; at < length; at += blockLength) {
    const target = result.subarray(at, Math.min(at + blockLength, length))
    const stored = cursor.take(cursor.u32())
    if (stored.length === target.length) target.set(stored)
    else {
      const written = decodeLz4Block(stored, target)
      if (written !== target.length) throw malformed(`an LZ4 block holds ${written} bytes, expected ${target.length}`)
    }
  }
  return result
}
