// FITS Standard 4.0, section 10.4.2: GZIP_1 and GZIP_2.

import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkLayout } from '../codec.ts'
import { internalSerial } from '../internal.ts'
import { inflateGzip } from '../kernels/inflate.ts'
import { unshuffle } from '../kernels/shuffle.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { bytesOf, mapInto, zeroNumbers } from '../numbers.ts'

/**
 * Big-endian pixels in a gzip stream, with `shuffled` their bytes apart. Integers may be wider than those of the image
 * (CFITSIO wrote all of them in 32 bits once), which only their number of bytes tells: the stream can't be passed on as it is.
 */
export const fitsGzip = internalSerial<{ readonly shuffled: boolean }>({
  name: 'vz.fits-gzip',
  prepare: ({ shuffled }, layout) => {
    const count = elementCount(layout.shape)
    return {
      decode: (bytes, { limit }) => {
        const inflated = inflateGzip(bytes, Math.min(limit, 8 * count))
        const size = inflated.length / Math.max(count, 1)
        if (!(size in READERS) && count > 0) {
          throw malformed(`${count} pixels are inflated to ${inflated.length} bytes, expected 1, 2, 4 or 8 for each`)
        }
        const pixels = shuffled ? unshuffle(inflated, size) : inflated
        return { kind: 'fixed', bytes: ofType(pixels, size, count, layout) }
      },
    }
  },
})

function ofType(pixels: Uint8Array, size: number, count: number, { dataType }: ChunkLayout): Uint8Array {
  const target = zeroNumbers(count, dataType)
  if (size === target.BYTES_PER_ELEMENT || count === 0) return swapBytes(pixels, dataType)
  const view = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength)
  const read = dataType.kind === 'float' ? undefined : READERS[size]
  if (read === undefined) {
    throw malformed(`${count} pixels of ${target.BYTES_PER_ELEMENT} bytes are inflated to ${pixels.length} bytes`)
  }
  return bytesOf(mapInto(target, (i) => read(view, i * size)))
}

/** Integers by their number of bytes; those of one byte have no sign. */
const READERS: Readonly<Record<number, (view: DataView, at: number) => number | bigint>> = {
  1: (view, at) => view.getUint8(at),
  2: (view, at) => view.getInt16(at),
  4: (view, at) => view.getInt32(at),
  8: (view, at) => view.getBigInt64(at),
}
