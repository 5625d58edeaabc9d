// GDAL's compression 50002 and DNG's 52546: one JPEG XL picture a block.
import { malformed, unsupported } from '../../errors.ts'
import type { SerialCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { decodeJpegXl } from '../kernels/jpegxl.ts'
import { jpegXlHeader } from '../kernels/jpegxl-header.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'
import { tiffPng } from './png.ts'

/** Grey or RGB of 8 or 16 bits, with or without alpha: what comes through the decoder unchanged. */
export const tiffJpegXl: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-jpegxl',
  reach: 'internal',
  check: (configuration) => {
    const samples = integerMember(configuration, 'samples', { least: 1, most: 65_535, fallback: 1 })
    const bits = integerMember(configuration, 'bits', { least: 1, most: 64, fallback: 8 })
    if ((bits !== 8 && bits !== 16) || samples > 4) {
      const what = `JPEG XL with ${samples} samples of ${bits} bits`
      throw unsupported(what, `${what} is not decoded`)
    }
  },
  decode: async (bytes, layout, configuration, context) => {
    const samples = layout.shape[2] ?? 1
    const bits = integerMember(configuration, 'bits', { least: 8, most: 16, fallback: 8 })
    const header = jpegXlHeader(bytes)
    requireSize('a JPEG XL block', header, layout.shape)
    const found = (header.grey ? 1 : 3) + (header.alpha ? 1 : 0)
    if (found !== samples) throw malformed(`a JPEG XL block has ${found} samples, expected ${samples}`)
    if (header.bits !== bits) throw malformed(`a JPEG XL block has samples of ${header.bits} bits, expected ${bits}`)
    return await tiffPng.decode(await decodeJpegXl(bytes), layout, {}, context)
  },
}
