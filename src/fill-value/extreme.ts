import { type DataType, NOT_A_TIME, type Scalar } from '../model/data-type.ts'
import { integerRange, integerScalar } from './numbers.ts'

/** V2-2: signed minimum, unsigned maximum, NaN, not-a-time; undefined for types without an extreme. */
export function extremeOf(type: DataType): Scalar | undefined {
  switch (type.kind) {
    case 'int':
      return integerScalar(integerRange(type)[0], type)
    case 'uint':
      return integerScalar(integerRange(type)[1], type)
    case 'float':
      return { kind: 'number', value: Number.NaN }
    case 'complex':
      return { kind: 'complex', value: [Number.NaN, Number.NaN] }
    case 'datetime':
    case 'timedelta':
      return { kind: 'bigint', value: NOT_A_TIME }
    case 'bool':
    case 'string':
    case 'bytes':
    case 'fixed-text':
    case 'opaque':
    case 'structured':
      return undefined
  }
}
