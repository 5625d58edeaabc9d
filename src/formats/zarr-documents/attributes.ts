import { attributeSentinel, type RawSentinel, readSentinels, unsignedAttribute } from '../../fill-value/sentinels.ts'
import { fromCfFillValue } from '../../fill-value/to-cf.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import type { DataType } from '../../model/data-type.ts'
import type { Attributes, AttributeValue, Sentinels } from '../../model/virtual-store.ts'
import type { DocumentContext } from './zarr-array.ts'

/** An array's attributes, and the sentinels that were among them. */
export interface ReadAttributes {
  readonly sentinels: Sentinels
  readonly attributes: Attributes
}

/** Takes the sentinels out of an array's attributes; everything else stays as it is spelled. */
export function readAttributes(json: JsonObject, dataType: DataType, context: DocumentContext): ReadAttributes {
  const { sentinels, missingValue } = readSentinels({
    dataType,
    fillValue: fillSentinel(json['_FillValue'], dataType),
    missingValue: attributeSentinel(json['missing_value']),
    isUnsigned: unsignedAttribute(json['_Unsigned']),
    policy: context.options.sentinel === 'error' ? 'error' : 'warn',
    path: context.path,
    warn: context.warn,
  })
  const attributes = new Map<string, AttributeValue>()
  for (const [name, value] of Object.entries(json)) {
    if (name === '_FillValue') continue
    if (name !== 'missing_value') attributes.set(name, value)
    else if (missingValue !== undefined) attributes.set(name, missingValue)
  }
  return { sentinels, attributes }
}

/** xarray writes it encoded (FV-7), others as a plain number or text. */
function fillSentinel(value: Json | undefined, dataType: DataType): RawSentinel | undefined {
  const encoded = value === undefined ? undefined : fromCfFillValue(value, dataType)
  return encoded === undefined ? attributeSentinel(value) : { kind: 'scalar', value: encoded }
}
