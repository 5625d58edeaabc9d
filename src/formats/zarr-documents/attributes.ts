import { fromZarrFillValue } from '../../fill-value/from-zarr.ts'
import { typeInWords } from '../../fill-value/in-words.ts'
import { MISSING_VALUE_CONVENTION } from '../../fill-value/missing-value-convention.ts'
import { isSameScalar } from '../../fill-value/numbers.ts'
import { attributeSentinel, type RawSentinel, refusedSentinel } from '../../fill-value/raw-sentinel.ts'
import { sentinelsAmong } from '../../fill-value/sentinels.ts'
import { fromCfFillValue } from '../../fill-value/to-cf.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { isJsonObject } from '../../json/json.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'
import type { Attributes, AttributeValue, Sentinels } from '../../model/virtual-store.ts'
import { spell } from './document.ts'
import type { DocumentContext } from './zarr-array.ts'

/** An array's attributes, and the sentinels that were among them. */
export interface ReadAttributes {
  readonly sentinels: Sentinels
  readonly attributes: Attributes
}

/** Takes the sentinels out of an array's attributes; everything else stays as it is spelled. */
export function readAttributes(json: JsonObject, dataType: DataType, context: DocumentContext): ReadAttributes {
  const declared = declaredSentinel(json, dataType, context)
  const array = {
    dataType,
    fillValue: fillSentinel(json['_FillValue'], dataType),
    missingValue: missingSentinel(json['missing_value'], declared, dataType),
    readsTextFill: true,
    path: context.path,
  }
  const { sentinels, missingValue } = sentinelsAmong(new Map(Object.entries(json)), array, context)
  const attributes = new Map<string, AttributeValue>()
  for (const [name, value] of Object.entries(json)) {
    if (name === '_FillValue') continue
    if (name !== 'missing_value') attributes.set(name, value)
    else if (missingValue !== undefined) attributes.set(name, missingValue)
  }
  return { sentinels: withDeclared(sentinels, declared, context), attributes }
}

/** xarray writes it encoded (FV-7), others as a plain number or text. */
function fillSentinel(value: Json | undefined, dataType: DataType): RawSentinel | undefined {
  const encoded = value === undefined ? undefined : fromCfFillValue(value, dataType)
  return encoded === undefined ? attributeSentinel(value) : { kind: 'scalar', value: encoded }
}

/** The convention may be the attribute itself, in the spelling of a fill value. */
function missingSentinel(
  value: Json | undefined,
  declared: Scalar | undefined,
  dataType: DataType,
): RawSentinel | undefined {
  const spelled = value === undefined || declared === undefined ? undefined : fromZarrFillValue(value, dataType)
  if (spelled === undefined || declared === undefined || !isSameScalar(spelled, declared))
    return attributeSentinel(value)
  return { kind: 'scalar', value: declared }
}

/** What the `missing_value` convention declares, in the array's type (CONV-4, FV-15). */
function declaredSentinel(json: JsonObject, dataType: DataType, context: DocumentContext): Scalar | undefined {
  const value = declaredMissingValue(json)
  if (value === undefined) return undefined
  const scalar = fromZarrFillValue(value, dataType)
  if (scalar !== undefined) return scalar
  const message = `the missing_value convention declares ${spell(value)}, which ${typeInWords(dataType)} can't hold`
  if (context.options.sentinel === 'error') throw refusedSentinel(message, context.path)
  context.warn({ code: 'sentinel-dropped', message: `${message}: it is dropped`, path: context.path })
  return undefined
}

/** What the convention declares is the sentinel where no attribute says another; beside one, both mask as FV-13 has it. */
function withDeclared(sentinels: Sentinels, declared: Scalar | undefined, context: DocumentContext): Sentinels {
  if (declared === undefined) return sentinels
  const { fillValue, missingValue } = sentinels
  const others = [fillValue, missingValue].filter((other) => other !== undefined)
  const isSame = others.length === 0 || others.some((other) => isSameScalar(other, declared))
  const isKept = isSame || others.length < 2
  const said = isKept ? 'both mask' : 'it does not mask'
  const message = `the missing_value convention declares another value than _FillValue or missing_value: ${said}`
  if (!isSame) context.warn({ code: isKept ? 'sentinels-differ' : 'sentinel-dropped', message, path: context.path })
  if (fillValue === undefined) return { fillValue: declared, missingValue, declared }
  return { fillValue, missingValue: missingValue ?? (isSame ? undefined : declared), declared }
}

// The `missing_value` convention of Zarr (CONV-4), as it is found in documents.

/** The value that an array's attributes declare by the convention, spelled as a fill value; undefined where they declare none. */
function declaredMissingValue(attributes: JsonObject): Json | undefined {
  const listed = attributes['zarr_conventions']
  const own = configured(attributes[MISSING_VALUE_CONVENTION])
  if (own !== undefined) return own
  // Drafts of the conventions had an object of them; since then a list names them, and properties are attributes.
  if (isJsonObject(listed)) return configured(listed[MISSING_VALUE_CONVENTION])
  const entry = Array.isArray(listed) ? listed.find(isOfConvention) : undefined
  return entry === undefined ? undefined : (configured(entry) ?? attributes['missing_value'])
}

function isOfConvention(entry: Json): boolean {
  return isJsonObject(entry) && entry['uuid'] === MISSING_VALUE_CONVENTION
}

function configured(convention: Json | undefined): Json | undefined {
  const configuration = isJsonObject(convention) ? convention['configuration'] : undefined
  return isJsonObject(configuration) ? configuration['missing_value'] : undefined
}
