// JPEG 2000 packing (5.40) and PNG packing (5.41): integers as the pixels of one picture.

import { malformed, overLimit, unsupported } from '../../errors.ts'
import { jpeg2000Samples } from '../kernels/jpeg2000/picture.ts'
import { jpeg2000Header } from '../kernels/jpeg2000/size.ts'
import { codestreamOf } from '../kernels/jpeg2000/whole-codestream.ts'
import { pngRowBytes, pngRows, readPng } from '../kernels/png.ts'
import { requireRun, unpackInto } from './bits.ts'
import { applyScaling, constantValues } from './scaling.ts'
import type { SimplePacking } from './simple.ts'

/** Decoders take several times as much memory as their picture, of 4 GB at most. */
const MOST_PIXELS = 2 ** 27

/** The values of a field in a JPEG 2000 codestream. */
export function decodeJpegField(data: Uint8Array, packing: SimplePacking, count: number): Float64Array {
  if (packing.bits === 0 || count === 0) return constantValues(count, packing)
  const codestream = codestreamOf(data)
  const header = jpeg2000Header(codestream)
  requirePixels('JPEG 2000', header, count)
  if (header.samples !== 1 || header.signed) {
    throw unsupported('JPEG 2000 of several components', 'GRIB fields in JPEG 2000 have one unsigned component')
  }
  return applyScaling(Float64Array.from(jpeg2000Samples(codestream)[0] ?? []), packing)
}

/** The values of a field in a PNG picture: a pixel is an integer, whatever it is divided into. */
export function decodePngField(data: Uint8Array, packing: SimplePacking, count: number): Float64Array {
  if (packing.bits === 0 || count === 0) return constantValues(count, packing)
  const picture = readPng(data)
  const { header } = picture
  requirePixels('PNG', header, count)
  const pixels = pngRows(picture, header.height)
  const values = new Float64Array(count)
  const width = header.bits * header.samples
  for (let row = 0; row < header.height; row++) {
    const run = { start: row * pngRowBytes(header) * 8, width, count: header.width }
    requireRun(pixels, run, 'pixels of a PNG picture')
    unpackInto(pixels, run, values, row * header.width)
  }
  return applyScaling(values, packing)
}

function requirePixels(
  what: string,
  { width, height }: { readonly width: number; readonly height: number },
  count: number,
): void {
  if (width * height !== count) {
    throw malformed(`a ${what} field has ${height} rows of ${width}, expected ${count} values`)
  }
  if (count > MOST_PIXELS) throw overLimit(`a ${what} field has ${count} values, at most ${MOST_PIXELS} are decoded`)
}
