// The `missing_value` convention of Zarr (REQUIREMENTS CONV-4), as it is found in documents.
import { MISSING_VALUE_CONVENTION } from '../../fill-value/missing-value-convention.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'

/** The value that an array's attributes declare by the convention, spelled as a fill value; undefined where they declare none. */
export function declaredMissingValue(attributes: JsonObject): Json | undefined {
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
