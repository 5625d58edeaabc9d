import { malformed } from '../../errors.ts'
import { type SzipParameters as SzipSettings, szip } from '../hdf5/szip.ts'
import { internalBytes } from '../internal.ts'

interface SzipParameters extends SzipSettings {
  /** Elements of the decoded chunk. */
  readonly pixels: number
}

/** In the options mask: five bytes stand before the stream. Files of HDF 4.2r0 lack them. */
const HAS_HEADER = 0x10000
const HEADER_BYTES = 5
const STORED_AS_IS = 1

/** HDF4's szip (cszip.c): whether the bytes are compressed at all, how many there are, and what HDF5's filter holds. */
export const hdf4Szip = internalBytes<SzipParameters>({
  name: 'vz.hdf4-szip',
  prepare: ({ pixels, ...given }) => {
    const settings = { ...given, mask: given.mask & ~HAS_HEADER }
    const inner = szip.prepare({ ...settings })
    const elementBytes =
      given.bitsPerPixel > 16 ? 4 * Math.ceil(given.bitsPerPixel / 32) : Math.ceil(given.bitsPerPixel / 8)
    const length = pixels * elementBytes
    return {
      decode: (bytes, context) => {
        if (length > context.limit) throw malformed(`szip of ${length} bytes, at most ${context.limit} are expected`)
        const hasHeader = (given.mask & HAS_HEADER) !== 0
        if (hasHeader && bytes.length < HEADER_BYTES) throw malformed(`${bytes.length} bytes hold no szip header`)
        const stream = hasHeader ? streamIn(bytes) : bytes
        return hasHeader && bytes[0] === STORED_AS_IS ? stream : inner.decode(withLength(stream, length), context)
      },
    }
  },
})

function streamIn(bytes: Uint8Array): Uint8Array {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
  if (length > bytes.length - HEADER_BYTES) {
    throw malformed(`szip says ${length} bytes, and ${bytes.length - HEADER_BYTES} are left`)
  }
  return bytes.subarray(HEADER_BYTES, HEADER_BYTES + length)
}

/** As HDF5's filter has it in front. */
function withLength(stream: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(4 + stream.length)
  new DataView(bytes.buffer).setUint32(0, length, true)
  bytes.set(stream, 4)
  return bytes
}
