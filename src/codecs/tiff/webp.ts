// libtiff's compression 50001: one WebP picture a block.
import { malformed } from '../../errors.ts'
import type { SerialCodec } from '../codec.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'
import { decodeWebp, webpSize } from '../kernels/webp.ts'

/** RGB or RGBA; writers leave out an alpha that is opaque everywhere. */
export const tiffWebp: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-webp',
  reach: 'internal',
  decode: (bytes, { shape, dataType }) => {
    const [rows = 1, columns = 1, samples = 1] = shape
    if (dataType.kind !== 'uint' || dataType.bits !== 8 || samples < 3 || samples > 4) {
      throw malformed('WebP in TIFF has 3 or 4 samples of 8 bits')
    }
    const size = webpSize(bytes)
    requireSize('a WebP block', size, shape)
    const colours = decodeWebp(bytes, size)
    return { kind: 'fixed', bytes: fromRgba(colours, rows * columns, samples) }
  },
}

/** The samples of pixels that are stored as four: grey or colours, with or without alpha. */
export function fromRgba(pixels: Uint8Array | Uint8ClampedArray, count: number, samples: number): Uint8Array {
  const bytes = new Uint8Array(count * samples)
  if (samples === 4) bytes.set(pixels.subarray(0, bytes.length))
  else {
    const places = samples === 2 ? [0, 3] : [0, 1, 2].slice(0, samples)
    for (let pixel = 0; pixel < count; pixel++) {
      for (const [sample, place] of places.entries()) bytes[pixel * samples + sample] = pixels[pixel * 4 + place] ?? 0
    }
  }
  return bytes
}
