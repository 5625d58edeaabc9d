import { anyText } from '../bytes/text.ts'
import { malformed } from '../errors.ts'
import { Float, type Json } from '../json/json.ts'
import { type DataType, integerRange, isNumeric, type Scalar } from '../model/data-type.ts'
import type { AttributeValue, Diagnostic } from '../model/virtual-store.ts'
import { castScalar } from './cast.ts'
import { scalarInWords, typeInWords } from './in-words.ts'

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
  /** Whether text may be the `_FillValue` of numbers, as in JSON; the libraries of binary formats mask nothing by it. */
  readonly readsTextFill?: boolean | undefined
  readonly policy: SentinelPolicy
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

/** The sentinel of an attribute; undefined when there is no such attribute. */
export function attributeSentinel(value: AttributeValue | undefined): RawSentinel | undefined {
  return value === undefined ? undefined : { kind: 'attribute', value }
}

/** `_Unsigned` as readers take it: these two words alone, or a boolean, which is written as one of them. */
export function unsignedAttribute(value: AttributeValue | undefined): boolean | undefined {
  const text = String(value instanceof Uint8Array ? anyText(value) : value)
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** Undefined elements are those that are no scalar (objects, lists in lists). */
export function valuesOf(raw: RawSentinel): readonly (Scalar | undefined)[] {
  if (raw.kind === 'scalar') return [raw.value]
  const { value } = raw
  if (value === null) return []
  return isList(value) ? value.map(scalarOf) : [scalarOf(value)]
}

/** An element of an attribute; undefined for what is no scalar. */
export function scalarOf(value: AttributeValue): Scalar | undefined {
  if (typeof value === 'number') return { kind: 'number', value }
  if (value instanceof Float) return { kind: 'number', value: value.value }
  if (typeof value === 'bigint') return { kind: 'bigint', value }
  if (typeof value === 'boolean') return { kind: 'bool', value }
  if (typeof value === 'string') return { kind: 'string', value }
  return value instanceof Uint8Array ? { kind: 'bytes', value } : undefined
}

/** `Array.isArray` does not narrow readonly lists. */
export function isList(value: AttributeValue | undefined): value is readonly (Json | Uint8Array)[] {
  return Array.isArray(value)
}

/** The value in the array's type, or what the policy says. */
export function held(scalar: Scalar, name: string, input: SentinelInput): Scalar | undefined {
  const cast = castScalar(scalar, input.dataType)
  if (cast === undefined) {
    const message = `${name} is ${scalarInWords(scalar)}, which ${typeInWords(input.dataType)} can't hold`
    if (input.policy === 'error') throw refusedSentinel(message, input.path)
    note(input, 'sentinel-dropped', `${message}: it is dropped`)
    return undefined
  }
  if (isUnderflow(scalar, cast.value)) {
    const message = `${name} ${scalarInWords(scalar)} is 0 in ${typeInWords(input.dataType)}, where it would mask every 0`
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

/** Whether a number is too small for the array's type, so that rounding makes 0 of it. */
function isUnderflow(given: Scalar, value: Scalar): boolean {
  return !isZero(given) && isZero(value) && (given.kind === 'number' || given.kind === 'complex')
}

function isZero(scalar: Scalar): boolean {
  if (scalar.kind === 'complex') return scalar.value[0] === 0 && scalar.value[1] === 0
  return scalar.kind === 'number' && scalar.value === 0
}

/** The error of a sentinel that is refused; it names the option that lets it pass (FV-15). */
export function refusedSentinel(message: string, path: string): Error {
  const array = path === '' ? 'the root array' : `array ${path}`
  return malformed(`${array}: ${message}; ;sentinel=warn serves it without`, { path, option: 'sentinel' })
}

/** PACK-4: a number of the other sign domain, as the bits that are stored; undefined for any other. */
export function inStoredSign(scalar: Scalar, { dataType, isUnsigned }: SentinelInput): Scalar | undefined {
  if (isUnsigned === undefined || (dataType.kind !== 'int' && dataType.kind !== 'uint')) return undefined
  const wide = castScalar(scalar, { kind: 'int', bits: 64 }) ?? castScalar(scalar, { kind: 'uint', bits: 64 })
  if (wide?.value.kind !== 'bigint') return undefined
  const { value } = wide.value
  const [min, max] = integerRange(dataType)
  const turn = 2n ** BigInt(dataType.bits)
  if (isUnsigned && dataType.kind === 'int' && value > max && value < turn)
    return { kind: 'bigint', value: value - turn }
  const [signedMin] = integerRange({ kind: 'int', bits: dataType.bits })
  const isNegative = !isUnsigned && dataType.kind === 'uint' && value < min && value >= signedMin
  return isNegative ? { kind: 'bigint', value: value + turn } : undefined
}

/** Text where a number is expected. */
export function isTextOfNumbers({ kind }: Scalar, { dataType }: SentinelInput): boolean {
  return isNumeric(dataType) && (kind === 'string' || kind === 'bytes')
}

/** FV-6: the value that masks is not the one that the source gives, by which readers of the source mask nothing. */
export function noteRounding(given: Scalar, value: Scalar, name: string, input: SentinelInput): void {
  if (value.kind !== 'number' || !Number.isFinite(value.value) || isSameNumber(given, value.value)) return
  const type = typeInWords(input.dataType)
  const said = `${scalarInWords(value)} in ${type}, which masks; readers of the source itself compare exactly`
  note(input, 'sentinel-rounded', `${name} ${scalarInWords(given)} is ${said}`)
}

function isSameNumber(given: Scalar, value: number): boolean {
  if (given.kind === 'bigint') return Number.isInteger(value) && BigInt(value) === given.value
  return given.kind !== 'number' || given.value === value
}

/** Text of nothing but blanks where a number is expected: readers would make floats of integers for it, and mask nothing. */
export function isEmptyText(scalar: Scalar, input: SentinelInput): boolean {
  if (!isTextOfNumbers(scalar, input)) return false
  const text = scalar.kind === 'bytes' ? anyText(scalar.value) : scalar.kind === 'string' ? scalar.value : ''
  return /^[\0\s]*$/.test(text)
}

/** Tells something of the array's sentinels. */
export function note({ path, warn }: SentinelInput, code: string, message: string): void {
  warn({ code, message, path })
}
