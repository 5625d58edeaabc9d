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

/** The samples of pixels that are stored as four: colours, with or without alpha. */
function fromRgba(pixels: Uint8Array, count: number, samples: number): Uint8Array {
  if (samples === 4) return pixels.subarray(0, 4 * count)
  const bytes = new Uint8Array(3 * count)
  for (let pixel = 0; pixel < count; pixel++) {
    bytes[3 * pixel] = pixels[4 * pixel] ?? 0
    bytes[3 * pixel + 1] = pixels[4 * pixel + 1] ?? 0
    bytes[3 * pixel + 2] = pixels[4 * pixel + 2] ?? 0
  }
  return bytes
}
