import { unsupported } from '../errors.ts'
import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import type { Json, JsonObject } from '../json/json.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { StoredCodec } from '../model/encoding.ts'
import type { VirtualArray } from '../model/virtual-store.ts'

/** The `.zarray` of an array whose chunks are read with these v3 codecs; throws `unsupported-feature` for what v2 can't say. */
export function v2ArrayDocument(
  array: VirtualArray,
  codecs: readonly StoredCodec[],
  fillValue: Scalar | undefined,
): JsonObject {
  const { order, endian, steps } = v2Pipeline(codecs, array.shape.length)
  const dtype = v2DataType(array.dataType, endian === 'big' ? '>' : '<')
  const filters = steps.map(({ name, configuration }) => v2Filter(name, configuration, array.chunkShape, dtype))
  return {
    zarr_format: 2,
    shape: array.shape,
    chunks: array.chunkShape,
    dtype,
    order,
    filters: filters.length === 0 ? null : filters,
    // Compressors are filters as well, and so Kerchunk writes them: VirtualiZarr reads no other.
    compressor: null,
    fill_value: fillValue === undefined ? null : toZarrFillValue(fillValue, array.dataType),
    dimension_separator: '.',
  }
}

interface V2Pipeline {
  readonly order: 'C' | 'F'
  readonly endian: Json
  readonly steps: readonly StoredCodec[]
}

/** Names that are the same in both versions. */
const SHARED_NAMES = ['gzip', 'zstd', 'blosc', 'vlen-utf8', 'vlen-bytes', 'crc32c']

function v2Pipeline(codecs: readonly StoredCodec[], rank: number): V2Pipeline {
  let order: 'C' | 'F' = 'C'
  let endian: Json = 'little'
  const steps: StoredCodec[] = []
  for (const codec of codecs) {
    const { name, configuration } = codec
    if (name === 'transpose') order = orderOf(configuration, rank)
    else if (name === 'bytes') endian = configuration['endian'] ?? 'little'
    else if (SHARED_NAMES.includes(name) || /^(?:numcodecs\.|imagecodecs_)/.test(name)) steps.push(codec)
    else throw unsupported(`codec ${name}`, `the codec ${name} has no Zarr v2 spelling`)
  }
  return { order, endian, steps }
}

/** numcodecs hands filters bytes, while codecs of v3 that work on arrays know shape and type from what is around them. */
function v2Filter(name: string, configuration: JsonObject, chunkShape: readonly number[], dtype: Json): JsonObject {
  const id = name.replace('numcodecs.', '')
  switch (name) {
    case 'blosc': {
      const { typesize: _typesize, shuffle, ...rest } = configuration
      return { id, ...rest, shuffle: BLOSC_SHUFFLES.indexOf(shuffle ?? 'noshuffle') }
    }
    case 'crc32c':
      return { id, location: 'end' }
    case 'imagecodecs_delta':
    case 'imagecodecs_floatpred':
      return { id, shape: chunkShape, dtype, ...configuration }
  }
  return { id, ...configuration }
}

const BLOSC_SHUFFLES: readonly Json[] = ['noshuffle', 'shuffle', 'bitshuffle']

function orderOf(configuration: JsonObject, rank: number): 'F' {
  const axes = configuration['order']
  const isReversed = Array.isArray(axes) && axes.length === rank && axes.every((axis, i) => axis === rank - 1 - i)
  if (!isReversed) throw unsupported('transpose', 'only the reversal of all axes has a Zarr v2 spelling')
  return 'F'
}

function v2DataType(type: DataType, order: '<' | '>'): Json {
  switch (type.kind) {
    case 'bool':
      return '|b1'
    case 'int':
    case 'uint': {
      const letter = type.kind === 'int' ? 'i' : 'u'
      return type.bits === 8 ? `|${letter}1` : `${order}${letter}${type.bits / 8}`
    }
    case 'float':
      return `${order}f${type.bits / 8}`
    case 'complex':
      return `${order}c${type.bits / 8}`
    case 'string':
    case 'bytes':
      return '|O'
    case 'fixed-text':
      return type.encoding === 'bytes' ? `|S${type.length}` : `${order}U${type.length / 4}`
    case 'opaque':
      return `|V${type.length}`
    case 'datetime':
    case 'timedelta':
      return `${order}${type.kind === 'datetime' ? 'M' : 'm'}8[${type.scale === 1 ? '' : type.scale}${type.unit}]`
    case 'structured':
      return type.fields.map(({ name, type: fieldType, shape }) => {
        // Not even zarr-python: with one such array its readers refuse the whole store.
        if (shape !== undefined || fieldType.kind === 'structured') {
          throw unsupported('nested records', 'no reader of Zarr v2 takes records that hold arrays or records')
        }
        return [name, v2DataType(fieldType, order)]
      })
  }
}
