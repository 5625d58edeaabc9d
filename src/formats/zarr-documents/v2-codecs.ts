// Zarr v2 specification, "compressor" and "filters"; V2-5 (each id to its Zarr v3 spelling).
import type { Endian } from '../../bytes/cursor.ts'
import { type ErrorContext, malformed, unsupported } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { DataType } from '../../model/data-type.ts'
import { itemSize } from '../../model/data-type.ts'
import type { Encoding, StoredCodec } from '../../model/encoding.ts'
import { listOf, spell } from './document.ts'
import { endianOfTypeString } from './v2-data-type.ts'
import { checkFilter, storedType, viewFor } from './v2-filter-types.ts'

/** Filters from array to array: they come before the codec that makes bytes of the array. */
const ARRAY_FILTERS = new Set([
  'imagecodecs_delta',
  'imagecodecs_floatpred',
  'delta',
  'fixedscaleoffset',
  'quantize',
  'bitround',
  'packbits',
  'astype',
  'categorize',
])
/** Filters that make bytes of what `|O` holds. */
const OBJECT_FILTERS = new Set(['vlen-utf8', 'vlen-bytes'])
/** Makes bytes of numbers; in Zarr v3 it stands in the place of `bytes`. */
const ZFPY = 'zfpy'
/** Kerchunk's, which makes numbers of a message. */
const GRIB = 'grib'
const OTHER_OBJECT_FILTERS = new Set(['json2', 'json', 'pickle', 'msgpack2', 'msgpack', 'vlen-array'])
/** C-Blosc's ceiling; beyond it the library itself falls back to 1. */
const MOST_BLOSC_TYPESIZE = 255
const MOST_FILTERS = 32
const BLOSC_SHUFFLES = new Map([
  [0, 'noshuffle'],
  [1, 'shuffle'],
  [2, 'bitshuffle'],
])

/** What of a `.zarray` decides how its chunks are stored. */
export interface V2Storage {
  readonly zarray: JsonObject
  readonly dataType: DataType
  readonly endian: Endian | undefined
  readonly rank: number
  readonly chunkShape: readonly number[]
}

/** The filter that says what `|O` holds: the first one that is for objects. */
export function objectCodecOf(zarray: JsonObject, context: ErrorContext): string | undefined {
  const ids = listOf(zarray['filters'], 'filters', context).map((filter) => idOf(filter, context))
  return ids.find((id) => OBJECT_FILTERS.has(id) || OTHER_OBJECT_FILTERS.has(id))
}

/** V2-5: order, filters and compressor as Zarr v3 codecs, from the array outward. */
export function encodingFromV2(storage: V2Storage, context: ErrorContext): Encoding {
  const { zarray, dataType } = storage
  const filters = listOf(zarray['filters'], 'filters', context)
  // Each may decode to a whole chunk: a long list is work without end.
  if (filters.length > MOST_FILTERS)
    throw malformed(`${filters.length} filters, expected at most ${MOST_FILTERS}`, context)
  const arrayCodecs = transposeFor(zarray['order'], storage.rank, context)
  const byteCodecs: StoredCodec[] = []
  let serial: StoredCodec | undefined
  let { endian } = storage
  let type = zarray['dtype']
  for (const filter of filters) {
    const id = idOf(filter, context)
    const configuration = configurationOf(filter)
    checkFilter(id, configuration, context)
    if (OBJECT_FILTERS.has(id)) {
      if (serial !== undefined || byteCodecs.length > 0) throw misplaced(id, context)
      serial = { name: id, configuration: {} }
    } else if (id === GRIB || id === ZFPY) {
      if (serial !== undefined || byteCodecs.length > 0) throw misplaced(id, context)
      serial = { name: `numcodecs.${id}`, configuration }
    } else if (ARRAY_FILTERS.has(id)) {
      if (serial !== undefined || byteCodecs.length > 0) throw misplaced(id, context)
      if (id.startsWith('imagecodecs_')) arrayCodecs.push(predictor(id, configuration, storage, context))
      else {
        const view = viewFor(id, configuration, type)
        arrayCodecs.push(...(view === undefined ? [] : [view]), { name: `numcodecs.${id}`, configuration })
      }
      type = storedType(id, configuration, type)
      endian = endianAfter(id, configuration, endian)
    } else {
      byteCodecs.push(byteCodec(id, configuration, dataType, context))
    }
  }
  const compressor = zarray['compressor']
  if (compressor !== undefined && compressor !== null) {
    const [id, configuration] = [idOf(compressor, context), configurationOf(compressor)]
    if (id !== ZFPY) byteCodecs.push(byteCodec(id, configuration, dataType, context))
    else if (serial !== undefined || byteCodecs.length > 0) throw misplaced(id, context)
    else serial = { name: `numcodecs.${id}`, configuration }
  }
  if (serial?.name === `numcodecs.${ZFPY}` && endian === 'big')
    throw unsupported('zfpy of big-endian numbers', 'zfpy stores little-endian numbers only', context)
  serial ??= { name: 'bytes', configuration: endian === undefined ? {} : { endian } }
  return [...arrayCodecs, serial, ...byteCodecs]
}

function misplaced(id: string, context: ErrorContext): Error {
  return unsupported(
    `filter ${id} after bytes`,
    `the filter ${spell(id)} follows one that made bytes of the array`,
    context,
  )
}

function transposeFor(order: Json | undefined, rank: number, context: ErrorContext): StoredCodec[] {
  if (order !== 'C' && order !== 'F' && order !== undefined) {
    throw malformed(`order is ${spell(order)}, expected "C" or "F"`, context)
  }
  if (order !== 'F' || rank < 2) return []
  const reversed = Array.from({ length: rank }, (_, axis) => rank - 1 - axis)
  return [{ name: 'transpose', configuration: { order: reversed } }]
}

/** A filter may store another type than it is given: the bytes on disk are in that type's order. */
function endianAfter(id: string, configuration: JsonObject, before: Endian | undefined): Endian | undefined {
  if (id === 'packbits' || id === 'categorize') return endianOfTypeString(configuration['astype'])
  // Its bytes are the highest first in all orders, as our codec takes them.
  if (id === 'imagecodecs_floatpred') return before === undefined ? undefined : 'little'
  if (id === 'imagecodecs_delta') return before
  if (id === 'astype') return endianOfTypeString(configuration['encode_dtype'])
  const stored = configuration['astype'] ?? configuration['dtype']
  return stored === undefined || stored === null ? before : endianOfTypeString(stored)
}

function byteCodec(id: string, configuration: JsonObject, dataType: DataType, context: ErrorContext): StoredCodec {
  if (ARRAY_FILTERS.has(id) || OBJECT_FILTERS.has(id) || OTHER_OBJECT_FILTERS.has(id)) {
    throw unsupported(`compressor ${id}`, `${spell(id)} as compressor is not served`, context)
  }
  if (id === 'gzip') return { name: 'gzip', configuration: { level: configuration['level'] ?? 1 } }
  if (id === 'zstd') {
    const { level, checksum } = configuration
    return { name: 'zstd', configuration: { level: level ?? 0, checksum: checksum === true } }
  }
  if (id === 'blosc') return { name: 'blosc', configuration: bloscConfiguration(configuration, dataType, context) }
  // NCZarr writes 0 for the size of the array's type, and shuffles by that.
  if (id === 'shuffle' && configuration['elementsize'] === 0) {
    return { name: 'numcodecs.shuffle', configuration: { elementsize: itemSize(dataType) ?? 1 } }
  }
  // The names that virtual-tiff publishes for Zarr v3.
  return { name: id.startsWith('imagecodecs_') ? id : `numcodecs.${id}`, configuration }
}

/** A predictor of TIFF, told the shape and type of the bytes that numcodecs hands it: they must be those of the chunk. */
function predictor(id: string, configuration: JsonObject, storage: V2Storage, context: ErrorContext): StoredCodec {
  const { shape, dtype, axis = -1, dist = 1 } = configuration
  const { chunkShape, zarray } = storage
  const isChunk = Array.isArray(shape) && shape.join() === chunkShape.join() && dtype === zarray['dtype']
  if (!isChunk || dist !== 1 || zarray['order'] === 'F') {
    throw unsupported(`${id} of other elements`, `the filter ${id} is not by the elements of a chunk`, context)
  }
  const order = { axis, dist }
  if (id === 'imagecodecs_delta') return { name: id, configuration: order }
  return { name: id, configuration: { shape: chunkShape, dtype: `<${String(dtype).slice(1)}`, ...order } }
}

function bloscConfiguration(given: JsonObject, dataType: DataType, context: ErrorContext): JsonObject {
  const size = itemSize(dataType) ?? 1
  const typesize = size > MOST_BLOSC_TYPESIZE ? 1 : size
  const automatic = typesize === 1 ? 'bitshuffle' : 'shuffle'
  const code = given['shuffle'] ?? 1
  const shuffle = code === -1 ? automatic : typeof code === 'number' ? BLOSC_SHUFFLES.get(code) : undefined
  if (shuffle === undefined) throw malformed(`blosc's shuffle is ${spell(code)}, expected -1, 0, 1 or 2`, context)
  const { cname, clevel, blocksize } = given
  return { typesize, cname: cname ?? 'lz4', clevel: clevel ?? 5, shuffle, blocksize: blocksize ?? 0 }
}

function idOf(codec: Json, context: ErrorContext): string {
  const id = isJsonObject(codec) ? codec['id'] : undefined
  if (typeof id !== 'string' || id === '') {
    throw malformed(`a filter or compressor is ${spell(codec)}, expected an object with an id`, context)
  }
  return id
}

function configurationOf(codec: Json): JsonObject {
  if (!isJsonObject(codec)) return {}
  const { id: _id, ...configuration } = codec
  return configuration
}
