import { malformed } from '../../errors.ts'
import { type DataType, NUMBER_TYPES } from '../../model/data-type.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray } from '../internal.ts'
import { type Renumbering, renumberer } from '../kernels/renumber.ts'
import { bytesOf, mapInto, numbersOf, zeroNumbers } from '../numbers.ts'

/** `type` is the stored one; `asType` that by which its bits are read, where an attribute says that they are of the other sign. */
export interface RenumberParameters extends Renumbering {
  readonly type: string
  readonly asType?: string
}

/** Numbers of one source of a join as those of all: in another type, counted from another date, packed in another way. */
export const renumber = internalArray<RenumberParameters>({
  name: 'vz.renumber',
  prepare: ({ type, asType = type, ...renumbering }, { shape, dataType }) => {
    const convert = renumberer(renumbering, dataType)
    const read = typeOf(asType)
    return {
      encodedLayout: { shape, dataType: typeOf(type) },
      decode: (elements) => {
        const source = numbersOf(fixedBytes(elements, 'vz.renumber'), read)
        const target = zeroNumbers(source.length, dataType)
        return { kind: 'fixed', bytes: bytesOf(mapInto(target, (i) => convert(source[i] ?? 0))) }
      },
    }
  },
})

function typeOf(name: string): DataType {
  const type = NUMBER_TYPES.get(name)
  if (type === undefined) throw malformed(`vz.renumber: ${name} is no number type`)
  return type
}
