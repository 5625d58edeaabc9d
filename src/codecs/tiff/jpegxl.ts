// GDAL's compression 50002 and DNG's 52546: one JPEG XL picture a block.
import { malformed, unsupported } from '../../errors.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { internalSerial } from '../internal.ts'
import { decodeJpegXl } from '../kernels/jpegxl.ts'
import { jpegXlHeader } from '../kernels/jpegxl-header.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'
import { pngPixels } from './png.ts'

/** Grey or RGB of 8 or 16 bits, with or without alpha: what comes through the decoder unchanged. */
export const tiffJpegXl = internalSerial<JpegXlParameters>({
  name: 'vz.tiff-jpegxl',
  prepare: ({ samples, bits }, layout) => {
    if ((bits === 8 || bits === 16) && samples <= 4) return { decode: (bytes) => jpegXlPixels(bytes, layout, bits) }
    const what = `JPEG XL with ${samples} samples of ${bits} bits`
    throw unsupported(what, `${what} is not decoded`)
  },
})

interface JpegXlParameters {
  readonly samples: number
  readonly bits: number
}

/** The samples of one picture, which is all of the layout. */
export async function jpegXlPixels(bytes: Uint8Array, layout: ChunkLayout, bits: number): Promise<Elements> {
  const samples = layout.shape[2] ?? 1
  const header = jpegXlHeader(bytes)
  requireSize('a JPEG XL block', header, layout.shape)
  const found = (header.colours === 'grey' ? 1 : 3) + (header.alpha ? 1 : 0)
  if (found !== samples) throw malformed(`a JPEG XL block has ${found} samples, expected ${samples}`)
  if (header.bits !== bits) throw malformed(`a JPEG XL block has samples of ${header.bits} bits, expected ${bits}`)
  return pngPixels(await decodeJpegXl(bytes), layout)
}
