import { malformed } from '../../errors.ts'
import { internalArray } from '../internal.ts'

/**
 * Leaves out leading axes of length 1: chunks of one image in a stack of them, for codecs that know pictures. It changes no
 * byte, and clients are not told of it.
 */
export const squeeze = internalArray<{ readonly axes: number }>({
  name: 'vz.squeeze',
  prepare: ({ axes }, { shape, dataType }) => {
    if (shape.length <= axes || shape.slice(0, axes).some((length) => length !== 1)) {
      throw malformed(`a chunk of shape [${shape}] has no ${axes} leading axes of length 1`)
    }
    return { encodedLayout: { shape: shape.slice(axes), dataType }, decode: (elements) => elements }
  },
})
