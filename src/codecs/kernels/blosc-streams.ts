import { malformed } from '../../errors.ts'
import type { BloscCompressor } from './blosc-frame.ts'
import { blosclzWithin } from './blosclz.ts'
import { inflateZlib, inflateZstd } from './inflate.ts'
import { lz4Within } from './lz4.ts'
import { decodeSnappy } from './snappy.ts'
import type { ByteKernels, Regions } from './wasm/bytes.ts'

/** Where a frame is in the memory of the kernels, and room for one block: as it is stored, and as it is meant. */
export interface FrameWorld {
  readonly kernels: ByteKernels
  readonly memory: Uint8Array<ArrayBuffer>
  readonly source: number
  readonly planes: number
  readonly items: number
  readonly scratch: number
}

/** One compressed stream of a block, which fills its target. */
export function decodeBloscStream(compressor: BloscCompressor, world: FrameWorld, regions: Regions): void {
  const { source, sourceEnd, target, targetEnd } = regions
  const length = targetEnd - target
  if (sourceEnd - source === length) {
    world.memory.copyWithin(target, source, sourceEnd)
    return
  }
  const written = inflated(compressor, world, regions)
  if (written === length) return
  throw malformed(`a ${compressor} stream in a Blosc frame holds ${written} bytes, expected ${length}`)
}

function inflated(compressor: BloscCompressor, { kernels, memory }: FrameWorld, regions: Regions): number {
  const { source, sourceEnd, target, targetEnd } = regions
  const stream = memory.subarray(source, sourceEnd)
  const put = (content: Uint8Array) => {
    memory.set(content, target)
    return content.length
  }
  switch (compressor) {
    case 'blosclz':
      return blosclzWithin(kernels, regions)
    case 'lz4':
      return lz4Within(kernels, regions)
    case 'snappy':
      return decodeSnappy(stream, memory.subarray(target, targetEnd))
    case 'zlib':
      return put(inflateZlib(stream, targetEnd - target))
    case 'zstd':
      return put(inflateZstd(stream, targetEnd - target))
  }
}
