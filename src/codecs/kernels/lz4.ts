import { malformed } from '../../errors.ts'
import { chunkMemory } from './chunk-memory.ts'
import { type ByteKernels, byteKernels, damageAt, type Regions } from './wasm/bytes.ts'

/** The content of a block after its decoded length (32 bits, little-endian), at most `limit` bytes. */
export function decodeLz4(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length < 4) throw malformed(`${bytes.length} bytes hold no LZ4 header of 4 bytes`)
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  if (length > limit) throw malformed(`an LZ4 block says ${length} bytes, at most ${limit} are expected`)
  const content = chunkMemory.take(length)
  const written = decodeLz4Block(bytes.subarray(4), content)
  if (written !== length) throw malformed(`an LZ4 block holds ${written} bytes, its header says ${length}`)
  return content
}

/** Decodes one block (LZ4 block format) and says how many bytes it gave; more than the target holds is malformed. */
export function decodeLz4Block(bytes: Uint8Array, content: Uint8Array): number {
  return byteKernels.use([bytes.length, content.length], (kernels, memory, source, target) => {
    memory.set(bytes, source)
    const regions = { source, sourceEnd: source + bytes.length, target, targetEnd: target + content.length }
    const written = lz4Within(kernels, regions)
    content.set(memory.subarray(target, target + written))
    return written
  })
}

/** The same where the block is in the memory of the kernels. */
export function lz4Within(kernels: ByteKernels, { source, sourceEnd, target, targetEnd }: Regions): number {
  const written = kernels.lz4(source, sourceEnd, target, targetEnd)
  if (written >= 0) return written
  throw malformed('an LZ4 block runs past its end, or refers to before its beginning', { offset: damageAt(written) })
}
