// TIFF 6.0 sections 3 and 15, as libtiff reads blocks: what it needs of one counts, what follows is ignored.
import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { elementCount } from '../../model/shape.ts'
import type { SerialCodec, Surplus } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { packedLength } from '../elements.ts'
import { bytesCodec } from '../zarr/bytes.ts'

/**
 * Zarr's `bytes` of a block that may hold more than its rows (writers make the last strip as long as the others), or, at the
 * lower edge of the image, less: rows outside of it may be left out, and read as zero. `block` is how many bytes a whole
 * block decodes to. `cut` says that clients can't be told it is
 * `bytes`.
 */
export const tiffRows: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-rows',
  reach: 'internal',
  mayLackRows: true,
  check: (configuration, resolve) => {
    blockBytes(configuration)
    bytesCodec.check?.(configuration, resolve)
  },
  surplus: (layout, configuration) => surplusOfBlock(packedLength(layout) ?? 0, configuration),
  decode: (bytes, layout, configuration, context) => {
    const whole = packedLength(layout) ?? 0
    if (bytes.length >= whole) return bytesCodec.decode(bytes.subarray(0, whole), layout, configuration, context)
    const least = leastElements(layout.shape, context.inside) * (whole / elementCount(layout.shape))
    if (bytes.length < least)
      throw malformed(`a block decodes to ${bytes.length} bytes, at least ${least} are expected`)
    const padded = new Uint8Array(whole)
    padded.set(bytes)
    return bytesCodec.decode(padded, layout, configuration, context)
  },
}

/** Writers that compress whole strips do so for an image that is shorter than one, too. */
const MOST_IMAGES = 4

/** What a block may hold besides the bytes that are needed of it. */
export function surplusOfBlock(enough: number, configuration: JsonObject): Surplus {
  return { enough, most: Math.max(blockBytes(configuration), MOST_IMAGES * enough) }
}

function blockBytes(configuration: JsonObject): number {
  return integerMember(configuration, 'block', { least: 0, most: Number.MAX_SAFE_INTEGER, fallback: 0 })
}

/** Elements up to the last one that lies in the array. */
function leastElements(shape: readonly number[], inside: readonly number[] | undefined): number {
  return (inside ?? shape).reduce((last, length, axis) => last * (shape[axis] ?? 1) + length - 1, 0) + 1
}
