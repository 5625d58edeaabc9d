import type { Scalar } from '../model/data-type.ts'
import type { AttributeValue, Diagnostic, Sentinels } from '../model/virtual-store.ts'
import { castScalar } from './cast.ts'
import { scalarInWords, typeInWords } from './in-words.ts'
import { isSameScalar } from './numbers.ts'
import {
  attributeSentinel,
  held,
  inStoredSign,
  isEmptyText,
  isList,
  isTextOfNumbers,
  note,
  noteRounding,
  type SentinelInput,
  scalarOf,
  unsignedAttribute,
  valuesOf,
} from './raw-sentinel.ts'

export interface ReadSentinels {
  readonly sentinels: Sentinels
  /** What stays the plain attribute `missing_value`: a list, or text that is no value of the type. */
  readonly missingValue: AttributeValue | undefined
  /** The `_FillValue` is none of the source's: it carries what `missing_value` can't spell. */
  readonly isCarried: boolean
}

/** An array of a typed source; `fillValue` and `missingValue` are there where the attributes of these names don't say them. */
type TypedArray = Pick<SentinelInput, 'dataType' | 'path'> & Partial<SentinelInput>

/** What marks a missing point, by an array's attributes: told of where its type can't hold it, or refused where a request wants that (FV-15). */
export function sentinelsAmong(
  attributes: ReadonlyMap<string, AttributeValue>,
  array: TypedArray,
  { options, warn }: { readonly options: { readonly sentinel: string }; warn(diagnostic: Diagnostic): void },
): ReadSentinels {
  return readSentinels({
    ...array,
    fillValue: array.fillValue ?? attributeSentinel(attributes.get('_FillValue')),
    missingValue: array.missingValue ?? attributeSentinel(attributes.get('missing_value')),
    isUnsigned: unsignedAttribute(attributes.get('_Unsigned')),
    policy: options.sentinel === 'error' ? 'error' : 'warn',
    warn,
  })
}

/** The other attributes, with what stays plain of `missing_value`. */
export function withoutSentinels(
  attributes: ReadonlyMap<string, AttributeValue>,
  { missingValue }: Pick<ReadSentinels, 'missingValue'> = { missingValue: undefined },
): Map<string, AttributeValue> {
  const others = [...attributes].filter(([name]) => name !== '_FillValue' && name !== 'missing_value')
  return new Map(missingValue === undefined ? others : [...others, ['missing_value', missingValue]])
}

/** The sentinels of a typed source (NetCDF, HDF5, DMR++, Zarr), cast to the array's type: FV-6, FV-11 to FV-16, PACK-4. */
export function readSentinels(input: SentinelInput): ReadSentinels {
  const fillValue = readFillValue(input)
  const { value: missingValue, plain, listed } = readMissingValue(input, fillValue)
  const differ = fillValue !== undefined && missingValue !== undefined && !isSameScalar(fillValue, missingValue)
  if (differ) noteDifference(fillValue, missingValue, input)
  const carried = missingValue !== undefined && mustBeCarried(missingValue) ? missingValue : listed
  const isCarried = fillValue === undefined && carried !== undefined
  return { sentinels: { fillValue: fillValue ?? carried, missingValue }, missingValue: plain, isCarried }
}

function noteDifference(fillValue: Scalar, missingValue: Scalar, input: SentinelInput): void {
  const values = `${scalarInWords(fillValue)} and ${scalarInWords(missingValue)}`
  if (mustBeCarried(missingValue)) {
    note(input, 'missing-value-dropped', `_FillValue and missing_value differ (${values}): JSON can't spell the second`)
  } else note(input, 'sentinels-differ', `_FillValue and missing_value differ (${values}): both mask`)
}

function readFillValue(input: SentinelInput): Scalar | undefined {
  if (input.fillValue === undefined) return undefined
  const values = valuesOf(input.fillValue)
  const [first] = values
  if (values.length !== 1 || first === undefined) {
    const found = values.length === 1 ? 'is no scalar' : `has ${values.length} values`
    note(input, 'sentinel-dropped', `the attribute _FillValue ${found}, expected one: it is dropped`)
    return undefined
  }
  if (isTextOfNumbers(first, input) && input.readsTextFill !== true) {
    note(input, 'sentinel-dropped', 'the attribute _FillValue of numbers is text: it is dropped')
    return undefined
  }
  const value = held(inStoredSign(first, input) ?? first, '_FillValue', input)
  if (value !== undefined) noteRounding(first, value, '_FillValue', input)
  return value
}

interface ReadMissingValue {
  readonly value?: Scalar | undefined
  readonly plain: AttributeValue | undefined
  /** An infinity of a list, which JSON can't spell there. */
  readonly listed?: Scalar | undefined
}

function readMissingValue(input: SentinelInput, fillValue: Scalar | undefined): ReadMissingValue {
  if (input.missingValue === undefined) return { plain: undefined }
  const plain = input.missingValue.kind === 'attribute' ? input.missingValue.value : undefined
  const values = valuesOf(input.missingValue)
  const [first] = values
  if (values.length === 0) {
    note(input, 'sentinel-dropped', 'the attribute missing_value is empty: it is dropped')
    return { plain: undefined }
  }
  if (values.length > 1) return readMissingList(plain, fillValue, input)
  if (first === undefined) return { plain }
  if (isEmptyText(first, input)) {
    note(input, 'sentinel-dropped', 'the attribute missing_value of numbers is empty text: it is dropped')
    return { plain: undefined }
  }
  if (isTextOfNumbers(first, input)) return readMissingText(first, plain, input)
  const stored = inStoredSign(first, input)
  // Readers compare it with what they made of the other sign, the bits of `_FillValue` with what is stored.
  if (stored !== undefined) {
    const bits = castScalar(stored, input.dataType)?.value
    const isFill = fillValue !== undefined && bits !== undefined && isSameScalar(fillValue, bits)
    return isFill ? { value: fillValue, plain: undefined } : { plain }
  }
  const value = held(first, 'missing_value', input)
  const isNew = value !== undefined && (fillValue === undefined || !isSameScalar(value, fillValue))
  if (isNew) noteRounding(first, value, 'missing_value', input)
  return { value, plain: undefined }
}

/** A list stays one, but for an infinity that `_FillValue` says or, where it has no value of its own, can say. */
function readMissingList(
  plain: AttributeValue | undefined,
  fillValue: Scalar | undefined,
  { dataType }: SentinelInput,
): ReadMissingValue {
  if (dataType.kind !== 'float' || !isList(plain)) return { plain }
  const isInfinite = (scalar: Scalar | undefined) => scalar !== undefined && mustBeCarried(scalar)
  const listed = fillValue ?? plain.map(scalarOf).find(isInfinite)
  if (listed === undefined || !isInfinite(listed)) return { plain }
  const others = plain.filter((item) => {
    const scalar = scalarOf(item)
    return scalar === undefined || !isSameScalar(scalar, listed)
  })
  return { plain: others.length === 0 ? undefined : others, listed }
}

/** FV-12. */
function readMissingText(text: Scalar, plain: AttributeValue | undefined, input: SentinelInput): ReadMissingValue {
  const cast = castScalar(text, input.dataType)
  const message = `missing_value is the text ${scalarInWords(text)}`
  if (cast === undefined) {
    note(input, 'missing-value-text', `${message}, no value of ${typeInWords(input.dataType)}: readers ignore it`)
    return { plain }
  }
  const said = 'served as the number, which masks; readers of the source itself ignore it'
  note(input, 'missing-value-text', `${message}: ${said}`)
  return { value: cast.value, plain: undefined }
}

/** Whether `_FillValue` has to carry it, since `missing_value` can't spell it (FV-12). NaN is missing by itself. */
function mustBeCarried(scalar: Scalar): boolean {
  if (scalar.kind === 'number') return Math.abs(scalar.value) === Number.POSITIVE_INFINITY
  return scalar.kind === 'complex'
}
