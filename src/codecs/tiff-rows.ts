// TIFF 6.0 section 15: tiles are padded, but some writers leave the rows below the image out.
import { malformed } from '../errors.ts'
import { bytesCodec } from './bytes.ts'
import type { SerialCodec } from './codec.ts'
import { integerMember } from './configuration.ts'
import { packedLength } from './elements.ts'

const ROWS = { least: 1, most: 2 ** 32 }

/** Zarr's `bytes` of a block of which only `rows` rows `of` all must be there; the others, outside of the image, read as zero. */
export const tiffRows: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-rows',
  reach: 'internal',
  check: (configuration, resolve) => {
    const rows = integerMember(configuration, 'rows', ROWS)
    if (integerMember(configuration, 'of', ROWS) < rows) throw malformed('vz.tiff-rows: more rows than there are')
    bytesCodec.check?.(configuration, resolve)
  },
  decode: (bytes, layout, configuration, context) => {
    const whole = packedLength(layout) ?? 0
    if (bytes.length >= whole) return bytesCodec.decode(bytes, layout, configuration, context)
    const rows = integerMember(configuration, 'rows', ROWS)
    const least = (whole / integerMember(configuration, 'of', ROWS)) * rows
    if (bytes.length < least)
      throw malformed(`a block decodes to ${bytes.length} bytes, at least ${least} are expected`)
    const padded = new Uint8Array(whole)
    padded.set(bytes)
    return bytesCodec.decode(padded, layout, configuration, context)
  },
}
