import { malformed } from '../../errors.ts'
import type { ChunkLayout, Elements, SerialCodec } from '../codec.ts'
import { wordMember } from '../configuration.ts'
import { fixedBytes, packedLength } from '../elements.ts'
import { hasByteOrder, swapBytes } from '../kernels/swap-bytes.ts'

/** Zarr's `bytes`: elements one after another, in either byte order. */
export const bytesCodec: SerialCodec = {
  kind: 'serial',
  name: 'bytes',
  reach: 'portable',
  check: (configuration) => {
    wordMember(configuration, 'endian', ['little', 'big'], 'little')
  },
  decode: (bytes, layout, configuration) => {
    requireLength(bytes, layout)
    return { kind: 'fixed', bytes: inLittle(bytes, layout, configuration['endian'] === 'big') }
  },
  encode: (elements: Elements, layout, configuration) => {
    const bytes = fixedBytes(elements, 'bytes')
    requireLength(bytes, layout)
    return inLittle(bytes, layout, configuration['endian'] === 'big')
  },
}

function requireLength(bytes: Uint8Array, layout: ChunkLayout): void {
  const expected = packedLength(layout)
  if (expected !== bytes.length) {
    throw malformed(`a chunk of shape [${layout.shape}] decodes to ${bytes.length} bytes, expected ${expected}`)
  }
}

function inLittle(bytes: Uint8Array, layout: ChunkLayout, big: boolean): Uint8Array {
  return big && hasByteOrder(layout.dataType) ? swapBytes(bytes, layout.dataType) : bytes
}
