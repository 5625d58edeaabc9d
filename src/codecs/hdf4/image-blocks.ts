import { malformed } from '../../errors.ts'
import { requireInteger } from '../configuration.ts'
import { internalBytes } from '../internal.ts'

/** Bytes of a block: which pixels have its first colour, and its two colours. */
const BLOCK_BYTES = 4
const SIDE = 4

/** HDF4's IMCOMP (dfimcomp.c): blocks of four by four pixels, two colours in each. */
export const hdf4ImageBlocks = internalBytes<{ readonly width: number; readonly height: number }>({
  name: 'vz.hdf4-image-blocks',
  prepare: ({ width, height }) => {
    requireInteger('width', width, 1, 2 ** 31)
    requireInteger('height', height, 1, 2 ** 31)
    return {
      decode: (bytes, { limit }) => {
        const [across, down] = [Math.floor(width / SIDE), Math.floor(height / SIDE)]
        if (width * height > limit || across * down * BLOCK_BYTES > bytes.length) {
          throw malformed(`${bytes.length} bytes hold no blocks of an image of ${width} by ${height}`)
        }
        return decodeBlocks(bytes, width, height)
      },
    }
  },
})

/** What is left of a width or height that four does not divide nobody stores. */
function decodeBlocks(bytes: Uint8Array, width: number, height: number): Uint8Array {
  const result = new Uint8Array(width * height)
  let block = 0
  for (let top = 0; top + SIDE <= height; top += SIDE) {
    for (let left = 0; left + SIDE <= width; left += SIDE, block += BLOCK_BYTES) {
      const bits = ((bytes[block] ?? 0) << 8) | (bytes[block + 1] ?? 0)
      for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
        const isFirst = ((bits >> (15 - pixel)) & 1) === 1
        const at = (top + Math.floor(pixel / SIDE)) * width + left + (pixel % SIDE)
        result[at] = bytes[block + (isFirst ? 2 : 3)] ?? 0
      }
    }
  }
  return result
}
