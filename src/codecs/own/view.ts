import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { type DataType, itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec } from '../codec.ts'
import { fixedBytes } from '../elements.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { numpyTypeMember } from '../numcodecs/numpy-type.ts'

/**
 * Memory taken for elements of another type, as Zarr v2 takes what a filter gives: nothing is converted. `dtype` is the filter's, in
 * numpy's words; `endian` the order of the elements that its memory is taken for.
 */
export const view: ArrayCodec = {
  kind: 'array',
  name: 'vz.view',
  reach: 'internal',
  encodedLayout: ({ shape, dataType }, configuration) => {
    const filtered = numpyTypeMember(configuration, 'dtype')
    if (itemSize(filtered) === itemSize(dataType)) return { shape, dataType: filtered }
    const length = (elementCount(shape) * (itemSize(dataType) ?? 0)) / (itemSize(filtered) ?? 1)
    if (!Number.isInteger(length))
      throw malformed(`a chunk of shape [${shape}] is no whole number of a filter's elements`)
    return { shape: [length], dataType: filtered }
  },
  decode: (elements, { dataType }, configuration) => {
    const filtered = numpyTypeMember(configuration, 'dtype')
    const memory = inOrder(fixedBytes(elements, 'vz.view'), filtered, String(configuration['dtype']).startsWith('>'))
    return { kind: 'fixed', bytes: inOrder(memory, dataType, isBig(configuration)) }
  },
}

function isBig({ endian }: JsonObject): boolean {
  return endian === 'big'
}

function inOrder(bytes: Uint8Array, type: DataType, big: boolean): Uint8Array {
  return big ? swapBytes(bytes, type) : bytes
}
