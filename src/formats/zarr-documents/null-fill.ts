// V2-2: what becomes of `fill_value: null`, which Zarr v3 does not know.

import { invalidRequest } from '../../errors.ts'
import { scalarFromText } from '../../fill-value/from-text.ts'
import { integerScalar } from '../../fill-value/numbers.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'
import { integerRange, NOT_A_TIME, zeroOf } from '../../model/data-type.ts'
import { type DocumentContext, placeOf } from './zarr-array.ts'

/** A fill value and where it came from, in words. */
export interface ChosenFill {
  readonly fillValue: Scalar
  readonly fillOrigin: string
}

/** The fill value of an array that has none, as option `null_fill` chooses. */
export function fillForNull(type: DataType, context: DocumentContext): ChosenFill {
  const choice = context.options.nullFill
  if (choice === 'refuse') {
    throw invalidRequest(
      'fill_value is null, which null_fill=refuse and missing=strict accept for no array: ask for null_fill=zero, extreme or a number',
      { ...placeOf(context), option: 'null_fill' },
    )
  }
  if (typeof choice === 'object') return chosenText(choice.text, type, context)
  const extreme = choice === 'extreme' ? extremeOf(type) : undefined
  const word = extreme === undefined ? 'zero' : 'extreme'
  context.warn({
    code: 'null-fill',
    message: `fill_value is null: the ${word} of the type is used, and no _FillValue`,
    path: context.path,
  })
  return { fillValue: extreme ?? zeroOf(type), fillOrigin: `fill_value null, the ${word} of the type` }
}

function chosenText(text: string, type: DataType, context: DocumentContext): ChosenFill {
  const fillOrigin = 'fill_value null, option null_fill'
  if (type.kind === 'string') return { fillValue: { kind: 'string', value: text }, fillOrigin }
  const parsed = scalarFromText(text, type)
  if (parsed.kind === 'ok') return { fillValue: parsed.value, fillOrigin }
  const message = `null_fill=${text} is no value of this array's type, allowed: zero, extreme, refuse, a number that the type holds`
  throw invalidRequest(message, { ...placeOf(context), option: 'null_fill' })
}

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
