import { malformed } from '../../errors.ts'
import type { ArrayCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'

/**
 * Leaves out leading axes of length 1: chunks of one image in a stack of them, for codecs that know pictures. It changes no
 * byte, and clients are not told of it.
 */
export const squeeze: ArrayCodec = {
  kind: 'array',
  name: 'vz.squeeze',
  reach: 'internal',
  check: (configuration) => {
    integerMember(configuration, 'axes', { least: 1, most: 64 })
  },
  encodedLayout: ({ shape, dataType }, configuration) => {
    const axes = integerMember(configuration, 'axes', { least: 1, most: 64 })
    if (shape.length <= axes || shape.slice(0, axes).some((length) => length !== 1)) {
      throw malformed(`a chunk of shape [${shape}] has no ${axes} leading axes of length 1`)
    }
    return { shape: shape.slice(axes), dataType }
  },
  decode: (elements) => elements,
}
