// Zarr v2 specification, "Metadata": `.zarray` and `.zattrs` of an array; the rules V2 of docs/specification/values.md.
import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { castScalar } from '../../fill-value/cast.ts'
import { scalarFromBytes } from '../../fill-value/from-bytes.ts'
import { fromZarrFillValue } from '../../fill-value/from-zarr.ts'
import { isSameScalar } from '../../fill-value/numbers.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { Float } from '../../json/json.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'
import { zeroOf } from '../../model/data-type.ts'
import type { Sentinels } from '../../model/virtual-store.ts'
import { readAttributes } from './attributes.ts'
import { checkVersion, lengthsOf, spell } from './document.ts'
import { lenientFill } from './lenient-fill.ts'
import { type ChosenFill, fillForNull } from './null-fill.ts'
import { encodingFromV2, objectCodecOf } from './v2-codecs.ts'
import { parseV2DataType, type V2DataType } from './v2-data-type.ts'
import { type DocumentContext, placeOf, repairOf, v2Keys, type ZarrArray } from './zarr-array.ts'

/** xarray's mark: the names of an array's dimensions. */
export const DIMENSIONS = '_ARRAY_DIMENSIONS'

/** The two documents of an array, as Kerchunk references hold them too. */
export interface V2Documents {
  readonly zarray: JsonObject
  readonly zattrs: JsonObject | undefined
}

/** A Zarr v2 array in the terms of Zarr v3; throws for this array alone. Pure: chunks are placed by `virtualArray`. */
export function arrayFromV2({ zarray, zattrs }: V2Documents, context: DocumentContext): ZarrArray {
  const place = placeOf(context)
  checkVersion(zarray, 2, place)
  const repair = repairOf(context)
  const shape = lengthsOf(zarray['shape'], 'shape', 0, place, repair)
  const chunkShape = chunkShapeOf(zarray['chunks'], shape, context)
  const type = parseV2DataType(zarray['dtype'], objectCodecOf(zarray, place), place, repair)
  if (zarray['order'] === undefined) repair('order is absent: taken as "C"')
  const encoding = encodingFromV2({ zarray, ...type, rank: shape.length, chunkShape }, place)
  const dimensionNames = dimensionNamesOf(zattrs?.[DIMENSIONS], shape.length, context)
  const { sentinels, attributes } = readAttributes(withoutDimensions(zattrs), type.dataType, context)
  const fill = fillOf(zarray['fill_value'], type, context)
  // A scalar has no names to lack: there the mark is the attribute itself.
  const isByXarray = zattrs?.[DIMENSIONS] !== undefined && dimensionNames !== undefined
  return {
    shape,
    chunkShape,
    dataType: type.dataType,
    ...fill.chosen,
    sentinels: fill.isGiven ? migrated(sentinels, fill.chosen.fillValue, isByXarray, context) : sentinels,
    attributes,
    dimensionNames,
    encoding,
    keys: v2Keys(separatorOf(zarray['dimension_separator'], context)),
  }
}

/** Chunk lengths; some writers give 0 along an axis of length 0, where no chunk is. */
function chunkShapeOf(value: Json | undefined, shape: readonly number[], context: DocumentContext): number[] {
  const chunkShape = lengthsOf(value, 'chunks', 0, placeOf(context), repairOf(context))
  if (chunkShape.length !== shape.length) {
    throw malformed(`chunks has ${chunkShape.length} lengths, expected ${shape.length} as shape has`, placeOf(context))
  }
  return chunkShape.map((length, axis) => {
    if (length === 0 && shape[axis] !== 0) throw malformed('chunks holds a length of 0', placeOf(context))
    return Math.max(1, length)
  })
}

function fillOf(
  json: Json | undefined,
  type: V2DataType,
  context: DocumentContext,
): { readonly chosen: ChosenFill; readonly isGiven: boolean } {
  if (json === undefined || json === null) return { chosen: fillForNull(type.dataType, context), isGiven: false }
  const fillValue =
    scalarFromV2(json, type.dataType, type.endian) ?? lenientFill(json, type.dataType, repairOf(context))
  if (fillValue === undefined) throw wrongFill(json, type.dataType, context)
  return { chosen: { fillValue, fillOrigin: 'fill_value of .zarray' }, isGiven: true }
}

function wrongFill(json: Json, type: DataType, context: DocumentContext): Error {
  return malformed(`fill_value is ${spell(json)}, which an array of ${type.kind} can't hold`, placeOf(context))
}

/** V2-1: readers of v2 that xarray wrote mask the storage fill. An own `_FillValue` attribute says it more exactly. */
function migrated(own: Sentinels, fill: Scalar, isByXarray: boolean, context: DocumentContext): Sentinels {
  const policy = context.options.migrateFill
  const isWanted = policy === 'always' || (policy === 'auto' && isByXarray)
  if (!isWanted) return own
  const { path } = context
  if (own.fillValue === undefined) {
    const message = 'the storage fill value of Zarr v2 is also given as _FillValue, as readers of v2 mask it'
    context.warn({ code: 'fill-migrated', message, path })
    return { ...own, fillValue: fill }
  }
  if (!isSameScalar(own.fillValue, fill)) {
    const message =
      'the attribute _FillValue is kept, though it differs from the storage fill value, which is not masked'
    context.warn({ code: 'fill-not-migrated', message, path })
  }
  return own
}

/** V2-3. A list that doesn't fit the array is no mark of xarray, which could not have written it. */
function dimensionNamesOf(json: Json | undefined, rank: number, context: DocumentContext): string[] | undefined {
  if (json === undefined) {
    if (rank > 0) warnInvented(`no ${DIMENSIONS}`, context)
    return rank > 0 ? undefined : []
  }
  const isFitting = Array.isArray(json) && json.length === rank && json.every((name) => typeof name === 'string')
  if (isFitting) return json as string[]
  warnInvented(`${DIMENSIONS} is ${spell(json)}, expected ${rank} names`, context)
  return undefined
}

function warnInvented(reason: string, context: DocumentContext): void {
  context.warn({ code: 'dimension-names-invented', message: `${reason}: names are invented`, path: context.path })
}

function withoutDimensions(zattrs: JsonObject | undefined): JsonObject {
  const { [DIMENSIONS]: _names, ...rest } = zattrs ?? {}
  return rest
}

function separatorOf(json: Json | undefined, context: DocumentContext): '.' | '/' {
  if (json === null) repairOf(context)('dimension_separator is null: taken as "."')
  if (json === undefined || json === null) return '.'
  if (json === '.' || json === '/') return json
  throw malformed(`dimension_separator is ${spell(json)}, expected "." or "/"`, placeOf(context))
}

// Zarr v2 specification, "Fill value encoding"; V2-1, JSON-5.

/** The scalar that a `.zarray` spells as `fill_value` (not null); undefined where the type can't hold it. */
function scalarFromV2(json: Json, type: DataType, endian: Endian | undefined): Scalar | undefined {
  const spelled = fromZarrFillValue(json, type)
  if (spelled === undefined) return scalarFromDefault(json, type)
  if (type.kind !== 'structured' || spelled.kind !== 'bytes' || endian !== 'big') return spelled
  return scalarFromBytes(spelled.value, type, endian)
}

/** The default of 0 stands in documents of every type: as text NumPy and zarr-python read it as "0". */
function scalarFromDefault(json: Json, type: DataType): Scalar | undefined {
  const value = json instanceof Float ? json.value : json
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  switch (type.kind) {
    case 'string':
    case 'fixed-text':
      if (json instanceof Float) return undefined
      return castScalar({ kind: 'string', value: String(value) }, type)?.value
    case 'bytes':
    case 'opaque':
    case 'structured':
      return value === 0 ? zeroOf(type) : undefined
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
    case 'datetime':
    case 'timedelta':
      return undefined
  }
}
