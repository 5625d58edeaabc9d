// Compression 34933: one PNG picture a block.

import { malformed, unsupported } from '../../errors.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { internalSerial, type NoParameters } from '../internal.ts'
import { type PngHeader, pngRows, readPng } from '../kernels/png.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'

/** Grey or colours of 8 or 16 bits, with or without alpha, not interlaced. */
export const tiffPng = internalSerial<NoParameters>({
  name: 'vz.tiff-png',
  prepare: (_parameters, layout) => ({ decode: (bytes) => pngPixels(bytes, layout) }),
})

/** The samples of one picture, which is all of the layout. */
export function pngPixels(bytes: Uint8Array, layout: ChunkLayout): Elements {
  const picture = readPng(bytes)
  requireHeader(picture.header, layout)
  const pixels = pngRows(picture, layout.shape[0] ?? 1)
  return { kind: 'fixed', bytes: picture.header.bits === 16 ? swapBytes(pixels, layout.dataType) : pixels }
}

function requireHeader(header: PngHeader, { shape, dataType }: ChunkLayout): void {
  requireSize('a PNG block', header, shape)
  if (header.bits < 8) throw unsupported('PNG of this kind', 'PNG of less than 8 bits is not decoded')
  const { samples } = header
  if (samples !== (shape[2] ?? 1)) throw malformed(`a PNG block has ${samples} samples, expected ${shape[2] ?? 1}`)
  if (dataType.kind !== 'uint' || dataType.bits !== header.bits) {
    throw malformed(`a PNG block has samples of ${header.bits} bits, which are not those of its array`)
  }
}
