import { hdf4Nbit } from '../../../codecs/hdf4/nbit.ts'
import { hdf4RunLength } from '../../../codecs/hdf4/run-length.ts'
import { hdf4SkippingHuffman } from '../../../codecs/hdf4/skipping-huffman.ts'
import { hdf4Szip } from '../../../codecs/hdf4/szip.ts'
import { malformed, unsupported } from '../../../errors.ts'
import { type Encoding, rawEncoding, type StoredCodec } from '../../../model/encoding.ts'
import type { Coder } from '../structures/coder.ts'
import { type NumberType, numberTypeOf } from '../structures/number-type.ts'

/** The file does not say which level its writer chose. */
const USUAL_LEVEL = 6

/** How elements of a number type are stored, compressed or as they are. */
export function encodingOf(type: Pick<NumberType, 'endian'>, coder: Coder | undefined, chunkBytes: number): Encoding {
  const raw = rawEncoding(type.endian)
  return coder === undefined || coder.kind === 'none' ? raw : [...raw, codecOf(coder, chunkBytes)]
}

function codecOf(coder: Coder, length: number): StoredCodec {
  switch (coder.kind) {
    case 'deflate':
      return { name: 'numcodecs.zlib', configuration: { level: USUAL_LEVEL } }
    case 'run-length':
      return hdf4RunLength.stored({})
    case 'skipping-huffman':
      return hdf4SkippingHuffman.stored({ skip: coder.skip, length })
    case 'szip':
      return hdf4Szip.stored(coder.parameters)
    case 'nbit': {
      const { numberType, ...parameters } = coder.parameters
      const { size } = numberTypeOf(numberType)
      if (parameters.count < 1 || parameters.highest >= size * 8 || parameters.highest - parameters.count < -1) {
        throw malformed(`${parameters.count} bits below bit ${parameters.highest} of elements of ${size} bytes`)
      }
      return hdf4Nbit.stored({ length, size, ...parameters })
    }
    case 'jpeg':
    case 'none':
      throw unsupported('HDF4 compression', `values compressed by ${coder.kind} are not served`)
  }
}
