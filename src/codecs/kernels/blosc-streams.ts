import { malformed } from '../../errors.ts'
import type { BloscCompressor } from './blosc-frame.ts'
import { blosclzWithin } from './blosclz.ts'
import { inflateZlib, inflateZstd } from './inflate.ts'
import { lz4Within } from './lz4.ts'
import { decodeSnappy } from './snappy.ts'
import type { ByteKernels, Regions } from './wasm/bytes.ts'

/** Room for one block in the memory of the kernels: for a stream of it, for what they hold, and for what that means. */
export interface BlockWorld {
  readonly kernels: ByteKernels
  readonly memory: Uint8Array<ArrayBuffer>
  readonly source: number
  readonly planes: number
  readonly items: number
  readonly scratch: number
}

/** Decodes one compressed stream of a block, which fills its target. */
export function decodeBloscStream(
  compressor: BloscCompressor,
  stream: Uint8Array,
  world: BlockWorld,
  target: number,
  targetEnd: number,
): void {
  const length = targetEnd - target
  if (stream.length === length) {
    world.memory.set(stream, target)
    return
  }
  const written = inflated(compressor, stream, world, target, targetEnd)
  if (written === length) return
  throw malformed(`a ${compressor} stream in a Blosc frame holds ${written} bytes, expected ${length}`)
}

function inflated(
  compressor: BloscCompressor,
  stream: Uint8Array,
  { kernels, memory, source }: BlockWorld,
  target: number,
  targetEnd: number,
): number {
  const within = (): Regions => {
    memory.set(stream, source)
    return { source, sourceEnd: source + stream.length, target, targetEnd }
  }
  const put = (content: Uint8Array) => {
    memory.set(content, target)
    return content.length
  }
  switch (compressor) {
    case 'blosclz':
      return blosclzWithin(kernels, within())
    case 'lz4':
      return lz4Within(kernels, within())
    case 'snappy':
      return decodeSnappy(stream, memory.subarray(target, targetEnd))
    case 'zlib':
      return put(inflateZlib(stream, targetEnd - target))
    case 'zstd':
      return put(inflateZstd(stream, targetEnd - target))
  }
}
