// libtiff's compression 50001: one WebP picture a block.
import { malformed } from '../../errors.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { internalSerial, type NoParameters } from '../internal.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'
import { decodeWebp, webpSize } from '../kernels/webp.ts'

/** RGB or RGBA; writers leave out an alpha that is opaque everywhere. */
export const tiffWebp = internalSerial<NoParameters>({
  name: 'vz.tiff-webp',
  prepare: (_parameters, layout) => ({ decode: (bytes) => webpPixels(bytes, layout) }),
})

/** The samples of one picture, which is all of the layout. */
export async function webpPixels(bytes: Uint8Array, { shape, dataType }: ChunkLayout): Promise<Elements> {
  const [rows = 1, columns = 1, samples = 1] = shape
  if (dataType.kind !== 'uint' || dataType.bits !== 8 || samples < 3 || samples > 4) {
    throw malformed('WebP in TIFF has 3 or 4 samples of 8 bits')
  }
  const size = webpSize(bytes)
  requireSize('a WebP block', size, shape)
  return { kind: 'fixed', bytes: fromRgba(await decodeWebp(bytes, size), rows * columns, samples) }
}

/** The samples of pixels that are stored as four: grey or colours, with or without alpha. */
function fromRgba(pixels: Uint8Array | Uint8ClampedArray, count: number, samples: number): Uint8Array {
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
