import { malformed } from '../../errors.ts'
import { type DataType, itemSize, NUMBER_TYPES } from '../../model/data-type.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import type { Renumbering } from '../kernels/renumber.ts'
import { bytesOf, numbersOf } from '../numbers.ts'
import { blockRenumberer } from './renumber-blocks.ts'

/** `type` is the stored one; `asType` that by which its bits are read, where an attribute says that they are of the other sign. */
export interface RenumberParameters extends Renumbering {
  readonly type: string
  readonly asType?: string
}

/** Numbers of one source of a join as those of all: in another type, counted from another date, packed in another way. */
export const renumber = internalArray<RenumberParameters>({
  name: 'vz.renumber',
  prepare: ({ type, asType = type, ...renumbering }, { shape, dataType }) => {
    const read = typeOf(asType)
    const blocks = blockRenumberer(renumbering, read, dataType)
    return {
      encodedLayout: { shape, dataType: typeOf(type) },
      decode: (elements) => {
        const source = numbersOf(fixedBytes(elements, 'vz.renumber'), read)
        const target = numbersOf(chunkMemory.take(source.length * (itemSize(dataType) ?? 1)), dataType)
        blocks.convert(source, target)
        return { kind: 'fixed', bytes: bytesOf(target) }
      },
    }
  },
})

function typeOf(name: string): DataType {
  const type = NUMBER_TYPES.get(name)
  if (type === undefined) throw malformed(`vz.renumber: ${name} is no number type`)
  return type
}
