import { anyText } from '../bytes/text.ts'
import { malformed } from '../errors.ts'
import { Float, type Json } from '../json/json.ts'
import { type DataType, isNumeric, type Scalar } from '../model/data-type.ts'
import type { AttributeValue, Diagnostic, Sentinels } from '../model/virtual-store.ts'
import { castScalar } from './cast.ts'
import { scalarInWords, typeInWords } from './in-words.ts'
import { integerRange, isSameScalar } from './numbers.ts'

/** What to do with a sentinel that the array's type can't hold (FV-15). */
export type SentinelPolicy = 'warn' | 'error'

/** A sentinel as the source has it: an attribute as it would be served, or a value that JSON can't say (complex, times). */
export type RawSentinel =
  | { readonly kind: 'attribute'; readonly value: AttributeValue }
  | { readonly kind: 'scalar'; readonly value: Scalar }

export interface SentinelInput {
  readonly dataType: DataType
  readonly fillValue: RawSentinel | undefined
  readonly missingValue: RawSentinel | undefined
  /** The `_Unsigned` attribute: true for unsigned numbers in a signed type, false for the reverse (PACK-4). */
  readonly isUnsigned?: boolean | undefined
  readonly policy: SentinelPolicy
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

export interface ReadSentinels {
  readonly sentinels: Sentinels
  /** What stays the plain attribute `missing_value`: a list, or text that is no value of the type. */
  readonly missingValue: AttributeValue | undefined
}

/** The sentinel of an attribute; undefined when there is no such attribute. */
export function attributeSentinel(value: AttributeValue | undefined): RawSentinel | undefined {
  return value === undefined ? undefined : { kind: 'attribute', value }
}

/** `_Unsigned` in the spellings that files have; undefined when it is absent or says neither. */
export function unsignedAttribute(value: AttributeValue | undefined): boolean | undefined {
  const text = String(value instanceof Uint8Array ? anyText(value) : value).toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** The sentinels of a typed source (NetCDF, HDF5, DMR++, Zarr), cast to the array's type: FV-6, FV-11 to FV-16, PACK-4. */
export function readSentinels(input: SentinelInput): ReadSentinels {
  const fillValue = readFillValue(input)
  const { value: missingValue, plain } = readMissingValue(input)
  if (fillValue !== undefined && missingValue !== undefined && !isSameScalar(fillValue, missingValue)) {
    const values = `${scalarInWords(fillValue)} and ${scalarInWords(missingValue)}`
    note(input, 'sentinels-differ', `_FillValue and missing_value differ (${values}): both mask`)
  }
  const carried = missingValue !== undefined && mustBeCarried(missingValue) ? missingValue : undefined
  return { sentinels: { fillValue: fillValue ?? carried, missingValue }, missingValue: plain }
}

function readFillValue(input: SentinelInput): Scalar | undefined {
  if (input.fillValue === undefined) return undefined
  const values = valuesOf(input.fillValue)
  const [first] = values
  if (values.length === 1 && first !== undefined) return held(first, '_FillValue', input)
  const found = values.length === 1 ? 'is no scalar' : `has ${values.length} values`
  note(input, 'sentinel-dropped', `the attribute _FillValue ${found}, expected one: it is dropped`)
  return undefined
}

function readMissingValue(input: SentinelInput): { value?: Scalar | undefined; plain: AttributeValue | undefined } {
  if (input.missingValue === undefined) return { plain: undefined }
  const plain = input.missingValue.kind === 'attribute' ? input.missingValue.value : undefined
  const values = valuesOf(input.missingValue)
  const [first] = values
  if (values.length === 0) {
    note(input, 'sentinel-dropped', 'the attribute missing_value is empty: it is dropped')
    return { plain: undefined }
  }
  if (values.length > 1 || first === undefined) return { plain }
  if (isNumeric(input.dataType) && (first.kind === 'string' || first.kind === 'bytes')) {
    const cast = castScalar(first, input.dataType)
    if (cast !== undefined) return { value: cast.value, plain: undefined }
    const message = `missing_value is the text ${scalarInWords(first)}, no value of ${typeInWords(input.dataType)}: readers ignore it`
    note(input, 'missing-value-text', message)
    return { plain }
  }
  return { value: held(first, 'missing_value', input), plain: undefined }
}

/** The value in the array's type, or what the policy says. */
function held(scalar: Scalar, name: string, input: SentinelInput): Scalar | undefined {
  const cast = castScalar(inStoredSign(scalar, input), input.dataType)
  if (cast === undefined) {
    const message = `${name} is ${scalarInWords(scalar)}, which ${typeInWords(input.dataType)} can't hold`
    if (input.policy === 'error') throw refusedSentinel(message, input.path)
    note(input, 'sentinel-dropped', `${message}: it is dropped`)
    return undefined
  }
  if (cast.overflow) {
    const message = `${name} ${scalarInWords(scalar)} is infinite in ${typeInWords(input.dataType)}`
    note(input, 'overflow-to-infinity', message)
  }
  return cast.value
}

/** The error of a sentinel that is refused; it names the option that lets it pass (FV-15). */
export function refusedSentinel(message: string, path: string): Error {
  const array = path === '' ? 'the root array' : `array ${path}`
  return malformed(`${array}: ${message}; ;sentinel=warn serves it without`, { path, option: 'sentinel' })
}

/** PACK-4: a number of the other sign domain, as the bits that are stored. */
function inStoredSign(scalar: Scalar, { dataType, isUnsigned }: SentinelInput): Scalar {
  if (isUnsigned === undefined || (dataType.kind !== 'int' && dataType.kind !== 'uint')) return scalar
  const wide = castScalar(scalar, { kind: 'int', bits: 64 }) ?? castScalar(scalar, { kind: 'uint', bits: 64 })
  if (wide?.value.kind !== 'bigint') return scalar
  const value = wide.value.value
  const [min, max] = integerRange(dataType)
  const turn = 2n ** BigInt(dataType.bits)
  if (isUnsigned && dataType.kind === 'int' && value > max && value < turn)
    return { kind: 'bigint', value: value - turn }
  const [signedMin] = integerRange({ kind: 'int', bits: dataType.bits })
  if (!isUnsigned && dataType.kind === 'uint' && value < min && value >= signedMin) {
    return { kind: 'bigint', value: value + turn }
  }
  return scalar
}

/** Undefined elements are those that are no scalar (objects, lists in lists). */
function valuesOf(raw: RawSentinel): readonly (Scalar | undefined)[] {
  if (raw.kind === 'scalar') return [raw.value]
  const { value } = raw
  if (value === null) return []
  return isList(value) ? value.map(scalarOf) : [scalarOf(value)]
}

function scalarOf(value: AttributeValue): Scalar | undefined {
  if (typeof value === 'number') return { kind: 'number', value }
  if (value instanceof Float) return { kind: 'number', value: value.value }
  if (typeof value === 'bigint') return { kind: 'bigint', value }
  if (typeof value === 'boolean') return { kind: 'bool', value }
  if (typeof value === 'string') return { kind: 'string', value }
  return value instanceof Uint8Array ? { kind: 'bytes', value } : undefined
}

function isList(value: AttributeValue): value is readonly (Json | Uint8Array)[] {
  return Array.isArray(value)
}

/** Whether `_FillValue` has to carry it, since `missing_value` can't spell it (FV-12). NaN is missing by itself. */
function mustBeCarried(scalar: Scalar): boolean {
  if (scalar.kind === 'number') return Math.abs(scalar.value) === Number.POSITIVE_INFINITY
  return scalar.kind === 'complex'
}

function note({ path, warn }: SentinelInput, code: string, message: string): void {
  warn({ code, message, path })
}
