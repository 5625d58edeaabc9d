import { malformed } from '../../errors.ts'
import { internalBytes } from '../internal.ts'
import { decodeZfp, parseZfpHeader, requireZfpCodec, type ZfpHeader } from '../kernels/zfp-stream.ts'
import type { ClientData } from './nbit.ts'

/** HDF5's filter 32013 (H5Z-ZFP): one zfp stream of codec version 5, whose header is in the filter's `clientData`. */
export const zfp = internalBytes<ClientData>({
  name: 'vz.zfp',
  prepare: ({ clientData }) => {
    const header = headerOf(clientData)
    const { decodedLength } = header
    return {
      decode: (bytes, { limit }) => {
        if (decodedLength > limit)
          throw malformed(`a zfp stream of ${decodedLength} bytes, at most ${limit} are expected`)
        return decodeZfp(bytes, header, 0)
      },
    }
  },
})

/** Client data: versions (of the library, in bits 12 to 15 of the codec or 0, of the filter), then the header. */
function headerOf(clientData: readonly number[]): ZfpHeader {
  requireZfpCodec(((clientData[0] ?? 0) >>> 12) & 15)
  const bits = clientData.slice(1, 6).reduce((all, word, i) => all | (BigInt(word) << BigInt(32 * i)), 0n)
  const header = parseZfpHeader(bits)
  if (header === undefined) throw malformed('the parameters of a zfp filter hold no header of version 5')
  return header
}
