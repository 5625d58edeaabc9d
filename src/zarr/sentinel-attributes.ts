import { scalarInWords, typeInWords } from '../fill-value/in-words.ts'
import { MISSING_VALUE_CONVENTION } from '../fill-value/missing-value-convention.ts'
import { inSignedType, isSameScalar } from '../fill-value/numbers.ts'
import { toCfFillValue } from '../fill-value/to-cf.ts'
import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts'
import { type DataType, isNumeric, type Scalar } from '../model/data-type.ts'
import type { Diagnostic, Sentinels } from '../model/virtual-store.ts'

/** The option `missing` of a store (OPT-1). */
export type MissingOutput = 'cf' | 'convention' | 'fill' | 'mask' | 'strict'

interface SentinelArray {
  readonly dataType: DataType
  readonly sentinels: Sentinels
  readonly output: MissingOutput
  /** Whether `_Unsigned` says that an unsigned type holds signed numbers. */
  readonly isSigned?: boolean | undefined
}

interface Listener {
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

/** The attributes that mark missing points: FV-9 to FV-12 by default, the letter of the conventions in `strict`. */
export function sentinelAttributes(array: SentinelArray, listener: Listener): ReadonlyMap<string, Json> {
  const { fillValue, missingValue } = array.sentinels
  const attributes = new Map<string, Json>()
  const sentinel = fillValue ?? missingValue
  if (sentinel === undefined) return attributes
  if (array.output === 'strict') strictAttributes(array, attributes)
  else defaultAttributes(array, attributes, listener)
  if (array.output === 'strict' || array.output === 'convention') {
    attributes.set(MISSING_VALUE_CONVENTION, conventionDocument(toZarrFillValue(sentinel, array.dataType)))
  }
  return attributes
}

/** FV-9: with `_FillValue` on a text or bytes type xarray can't open the dataset at all. */
function defaultAttributes(
  { dataType, sentinels, isSigned }: SentinelArray,
  attributes: Map<string, Json>,
  listener: Listener,
): void {
  const { fillValue, missingValue } = sentinels
  if (isNumeric(dataType)) {
    const encoded = fillValue === undefined ? undefined : toCfFillValue(fillValue, dataType)
    // xarray takes the number of `_FillValue` for one of the signed type, and fails on one that is too large for that.
    const spelled = encoded === undefined || isSigned !== true ? encoded : inSignedType(encoded, dataType)
    if (spelled !== undefined) attributes.set('_FillValue', spelled)
    setMissingValue(attributes, missingValue, dataType)
    const isSame = fillValue !== undefined && missingValue !== undefined && isSameScalar(fillValue, missingValue)
    if (isSame && spelled !== undefined && spelled !== encoded) attributes.set('missing_value', spelled)
    return
  }
  const text = fillValue ?? missingValue
  if (text?.kind === 'string') {
    attributes.set('missing_value', text.value)
    return
  }
  if (text === undefined) return
  const message = `the sentinel ${scalarInWords(text)} of ${typeInWords(dataType)} has no attribute that readers understand`
  listener.warn({ code: 'sentinel-not-emitted', message, path: listener.path })
}

/** The whole table of FV-7 but for complex numbers, which the written convention leaves out (FV-10). */
function strictAttributes({ dataType, sentinels }: SentinelArray, attributes: Map<string, Json>): void {
  const { fillValue, missingValue } = sentinels
  const encoded =
    fillValue === undefined || dataType.kind === 'complex' ? undefined : toCfFillValue(fillValue, dataType)
  if (encoded !== undefined) attributes.set('_FillValue', encoded)
  setMissingValue(attributes, missingValue, dataType)
}

/** FV-11 and FV-12: a plain scalar, equal to the decoded `_FillValue`, or nothing. */
function setMissingValue(attributes: Map<string, Json>, scalar: Scalar | undefined, type: DataType): void {
  if (scalar === undefined || scalar.kind === 'bytes' || scalar.kind === 'complex') return
  if (type.kind === 'datetime' || type.kind === 'timedelta') return
  if (scalar.kind === 'number' && !Number.isFinite(scalar.value)) return
  attributes.set('missing_value', toZarrFillValue(scalar, type))
}

/** The object by which the source declares the convention, its value spelled in the type that is served. */
export function spellDeclared(document: Map<string, Json>, { declared }: Sentinels, type: DataType): void {
  const object = document.get(MISSING_VALUE_CONVENTION)
  const configuration = isJsonObject(object) ? object['configuration'] : undefined
  if (declared === undefined || !isJsonObject(object) || !isJsonObject(configuration)) return
  const spelled = { ...configuration, missing_value: toZarrFillValue(declared, type) }
  document.set(MISSING_VALUE_CONVENTION, { ...object, configuration: spelled })
}

function conventionDocument(missingValue: Json): JsonObject {
  return {
    version: '0.1.0',
    schema: 'https://raw.githubusercontent.com/zarr-experimental/missing_value/refs/tags/v0.1.0/schema.json',
    name: 'missing_value',
    description: 'Describes a value used to represent undefined/invalid/missing values in an array.',
    spec: 'https://github.com/zarr-experimental/missing_value/blob/v0.1.0/README.md',
    configuration: { missing_value: missingValue },
  }
}
