// TIFF 6.0 sections 3 and 15, as libtiff reads blocks: what it needs of one counts, what follows is ignored.
import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import type { Surplus } from '../codec.ts'
import { packedLength } from '../elements.ts'
import { internalSerial } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { plainElements } from '../zarr/bytes.ts'

/**
 * Zarr's `bytes` of a block that may hold more than its rows (writers make the last strip as long as the others), or, at the
 * lower edge of the image, less: rows outside of it may be left out, and read as zero.
 */
export const tiffRows = internalSerial<RowsParameters>({
  name: 'vz.tiff-rows',
  mayLackRows: true,
  prepare: ({ endian, block }, layout) => {
    const whole = packedLength(layout) ?? 0
    const inLittle = plainElements(endian, layout)
    return {
      surplus: surplusOfBlock(whole, block),
      decode: (bytes, { inside }) => {
        if (bytes.length >= whole) return { kind: 'fixed', bytes: inLittle(bytes.subarray(0, whole)) }
        const least = leastElements(layout.shape, inside) * (whole / elementCount(layout.shape))
        if (bytes.length < least)
          throw malformed(`a block decodes to ${bytes.length} bytes, at least ${least} are expected`)
        const padded = chunkMemory.zeros(whole)
        padded.set(bytes)
        return { kind: 'fixed', bytes: inLittle(padded) }
      },
    }
  },
})

interface RowsParameters extends Block {
  readonly endian: Endian
  /** Clients can't be told it is `bytes`. */
  readonly cut?: boolean
}

/** What is known of all blocks. */
export interface Block {
  /** How many bytes a whole one decodes to. */
  readonly block?: number
}

/** Writers that compress whole strips do so for an image that is shorter than one, too. */
const MOST_IMAGES = 4

/** What a block may hold besides the bytes that are needed of it. */
export function surplusOfBlock(enough: number, block = 0): Surplus {
  return { enough, most: Math.max(block, MOST_IMAGES * enough) }
}

/** Elements up to the last one that lies in the array. */
function leastElements(shape: readonly number[], inside: readonly number[] | undefined): number {
  return (inside ?? shape).reduce((last, length, axis) => last * (shape[axis] ?? 1) + length - 1, 0) + 1
}
