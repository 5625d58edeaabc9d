import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import type { ChunkLayout, SerialCodec } from '../codec.ts'
import { wordMember } from '../configuration.ts'
import { fixedBytes, packedLength } from '../elements.ts'
import { hasByteOrder, swapBytes } from '../kernels/swap-bytes.ts'

/** Zarr's `bytes`: elements one after another, in either byte order. */
export const bytesCodec: SerialCodec = {
  kind: 'serial',
  name: 'bytes',
  reach: 'portable',
  writes: true,
  prepare: (configuration, layout) => {
    const endian = wordMember(configuration, 'endian', ['little', 'big'], 'little')
    const inLittle = plainElements(endian, layout)
    return {
      decode: (bytes) => ({ kind: 'fixed', bytes: inLittle(bytes) }),
      encode: (elements) => inLittle(fixedBytes(elements, 'bytes')),
    }
  },
}

/** From elements in this order to those in the machine's, or back; refuses what is no whole chunk. */
export function plainElements(endian: Endian, { shape, dataType }: ChunkLayout): (bytes: Uint8Array) => Uint8Array {
  const expected = packedLength({ shape, dataType })
  if (expected === undefined) throw malformed(`codec bytes does not encode elements of ${dataType.kind}`)
  const swaps = endian === 'big' && hasByteOrder(dataType)
  return (bytes) => {
    if (expected === bytes.length) return swaps ? swapBytes(bytes, dataType) : bytes
    throw malformed(`a chunk of shape [${shape}] decodes to ${bytes.length} bytes, expected ${expected}`)
  }
}
