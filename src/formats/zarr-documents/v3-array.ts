// Zarr v3 core specification, "Array metadata": `zarr.json` of an array.
import { malformed, unsupported } from '../../errors.ts'
import { fromZarrFillValue } from '../../fill-value/from-zarr.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { DataType } from '../../model/data-type.ts'
import type { Encoding } from '../../model/encoding.ts'
import { readAttributes } from './attributes.ts'
import { checkVersion, lengthsOf, listOf, objectOf, spell, tellUnknown } from './document.ts'
import { lenientFill } from './lenient-fill.ts'
import { attributesDropped } from './node-documents.ts'
import { type ChosenFill, fillForNull } from './null-fill.ts'
import { draftEncoding, encodingFromV3 } from './v3-codecs.ts'
import { parseV3DataType } from './v3-data-type.ts'
import {
  type ChunkKeys,
  type DocumentContext,
  defaultKeys,
  placeOf,
  repairOf,
  v2Keys,
  type ZarrArray,
} from './zarr-array.ts'

const ARRAY_MEMBERS = new Set([
  'zarr_format',
  'node_type',
  'shape',
  'data_type',
  'chunk_grid',
  'chunk_key_encoding',
  'fill_value',
  'codecs',
  'attributes',
  'dimension_names',
  'storage_transformers',
])
const GROUP_MEMBERS = new Set(['zarr_format', 'node_type', 'attributes', 'consolidated_metadata'])

/** A Zarr v3 array document; throws for this array alone. */
export function arrayFromV3(document: JsonObject, context: DocumentContext): ZarrArray {
  const place = placeOf(context)
  checkVersion(document, 3, place)
  checkMembers(document, ARRAY_MEMBERS, context)
  if (listOf(document['storage_transformers'], 'storage_transformers', place).length > 0) {
    throw unsupported('storage transformers', 'storage_transformers is not empty, which is not served', place)
  }
  const shape = lengthsOf(document['shape'], 'shape', 0, place, repairOf(context))
  const chunkShape = chunkShapeOf(document['chunk_grid'], shape.length, context)
  const dataType = parseV3DataType(document['data_type'], place, repairOf(context))
  const { sentinels, attributes } = readAttributes(attributesOf(document, context), dataType, context)
  return {
    shape,
    chunkShape,
    dataType,
    ...fillOf(document['fill_value'], dataType, context),
    sentinels,
    attributes,
    dimensionNames: dimensionNamesOf(document['dimension_names'], shape.length, context),
    encoding: encodingOf(document['codecs'], dataType, shape.length, context),
    keys: keysOf(document['chunk_key_encoding'], context),
  }
}

/** The attributes of a group document, which is checked on the way. */
export function groupAttributesFromV3(document: JsonObject, context: DocumentContext): JsonObject {
  if (document['zarr_format'] === undefined) repairOf(context)('zarr_format is absent: taken as 3')
  else checkVersion(document, 3, placeOf(context))
  checkMembers(document, GROUP_MEMBERS, context)
  return attributesOf(document, context)
}

/** Section "Extension points": an unknown member may be passed over only where it says so. */
function checkMembers(document: JsonObject, known: ReadonlySet<string>, context: DocumentContext): void {
  for (const [name, value] of Object.entries(document)) {
    if (known.has(name) || (isJsonObject(value) && value['must_understand'] === false)) continue
    throw unsupported(
      `metadata member ${spell(name)}`,
      `${spell(name)} must be understood, and is not`,
      placeOf(context),
    )
  }
}

function attributesOf(document: JsonObject, context: DocumentContext): JsonObject {
  const attributes = document['attributes'] ?? {}
  if (isJsonObject(attributes)) return attributes
  context.warn(attributesDropped('attributes', attributes, context.path))
  return {}
}

function chunkShapeOf(json: Json | undefined, rank: number, context: DocumentContext): number[] {
  const place = placeOf(context)
  const grid = objectOf(json, 'chunk_grid', place)
  const name = grid['name']
  if (name !== 'regular')
    throw unsupported(`chunk grid ${spell(name)}`, `chunk grid ${spell(name)} is not served`, place)
  const configuration = objectOf(grid['configuration'], 'configuration of chunk_grid', place)
  tellUnknown(configuration, ['chunk_shape'], 'chunk_grid', repairOf(context))
  const chunkShape = lengthsOf(configuration['chunk_shape'], 'chunk_shape', 1, place, repairOf(context))
  if (chunkShape.length === rank) return chunkShape
  throw malformed(`chunk_shape has ${chunkShape.length} lengths, expected ${rank} as shape has`, place)
}

function keysOf(json: Json | undefined, context: DocumentContext): ChunkKeys {
  const place = placeOf(context)
  const name = isJsonObject(json) ? json['name'] : json
  const configuration = objectOf((isJsonObject(json) ? json['configuration'] : undefined) ?? {}, 'its keys', place)
  if (name !== 'default' && name !== 'v2') {
    throw unsupported(`chunk keys ${spell(name)}`, `chunk_key_encoding ${spell(name)} is not served`, place)
  }
  tellUnknown(configuration, ['separator'], 'chunk_key_encoding', repairOf(context))
  const separator = configuration['separator'] ?? (name === 'default' ? '/' : '.')
  if (separator !== '/' && separator !== '.') {
    throw malformed(`the separator of chunk_key_encoding is ${spell(separator)}, expected "/" or "."`, place)
  }
  return name === 'default' ? defaultKeys(separator) : v2Keys(separator)
}

function fillOf(json: Json | undefined, type: DataType, context: DocumentContext): ChosenFill {
  if (json === undefined || json === null) return fillForNull(type, context)
  const fillValue = fromZarrFillValue(json, type) ?? lenientFill(json, type, repairOf(context))
  if (fillValue !== undefined) return { fillValue, fillOrigin: 'fill_value of zarr.json' }
  throw malformed(`fill_value is ${spell(json)}, which an array of ${type.kind} can't hold`, placeOf(context))
}

function encodingOf(json: Json | undefined, type: DataType, rank: number, context: DocumentContext): Encoding {
  const encoding = encodingFromV3(json, type, rank, { ...placeOf(context), repair: repairOf(context) })
  if (encoding !== undefined) return encoding
  context.warn({
    code: 'codecs-missing',
    message:
      'codecs is absent, as in drafts of the specification: chunks are taken as little-endian and not compressed',
    path: context.path,
  })
  return draftEncoding(type)
}

function dimensionNamesOf(
  json: Json | undefined,
  rank: number,
  context: DocumentContext,
): readonly (string | null)[] | undefined {
  if (json === undefined || json === null) return rank === 0 ? [] : undefined
  const isName = (name: Json) => name === null || typeof name === 'string'
  if (Array.isArray(json) && json.length === rank && json.every(isName)) return json as (string | null)[]
  context.warn({
    code: 'dimension-names-invented',
    message: `dimension_names is ${spell(json)}, expected ${rank} names: names are invented`,
    path: context.path,
  })
  return undefined
}
