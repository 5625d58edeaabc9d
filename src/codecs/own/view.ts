import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { type DataType, itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkLayout } from '../codec.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray } from '../internal.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { numpyType } from '../numcodecs/numpy-type.ts'

/**
 * Memory taken for elements of another type, as Zarr v2 takes what a filter gives: nothing is converted. `dtype` is the filter's, in
 * numpy's words; `endian` the order of the elements that its memory is taken for.
 */
export const view = internalArray<ViewParameters>({
  name: 'vz.view',
  prepare: ({ dtype, endian }, layout) => {
    const filtered = numpyType(dtype, 'dtype')
    return {
      encodedLayout: viewedLayout(layout, filtered),
      decode: (elements) => {
        const memory = inOrder(fixedBytes(elements, 'vz.view'), filtered, dtype.startsWith('>'))
        return { kind: 'fixed', bytes: inOrder(memory, layout.dataType, endian === 'big') }
      },
    }
  },
})

interface ViewParameters {
  readonly dtype: string
  readonly endian: Endian
}

function viewedLayout({ shape, dataType }: ChunkLayout, filtered: DataType): ChunkLayout {
  if (itemSize(filtered) === itemSize(dataType)) return { shape, dataType: filtered }
  const length = (elementCount(shape) * (itemSize(dataType) ?? 0)) / (itemSize(filtered) ?? 1)
  if (Number.isInteger(length)) return { shape: [length], dataType: filtered }
  throw malformed(`a chunk of shape [${shape}] is no whole number of a filter's elements`)
}

function inOrder(bytes: Uint8Array, type: DataType, big: boolean): Uint8Array {
  return big ? swapBytes(bytes, type) : bytes
}
