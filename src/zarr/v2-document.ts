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
  const { order, endian, filters, compressor } = v2Pipeline(codecs, array.shape.length)
  return {
    zarr_format: 2,
    shape: array.shape,
    chunks: array.chunkShape,
    dtype: v2DataType(array.dataType, endian === 'big' ? '>' : '<'),
    order,
    filters: filters.length === 0 ? null : filters,
    compressor,
    fill_value: fillValue === undefined ? null : toZarrFillValue(fillValue, array.dataType),
    dimension_separator: '.',
  }
}

interface V2Pipeline {
  readonly order: 'C' | 'F'
  readonly endian: Json
  readonly filters: readonly Json[]
  readonly compressor: Json
}

const COMPRESSORS = ['zlib', 'gzip', 'zstd', 'blosc', 'lz4', 'bz2', 'lzma']

function v2Pipeline(codecs: readonly StoredCodec[], rank: number): V2Pipeline {
  let order: 'C' | 'F' = 'C'
  let endian: Json = 'little'
  const steps: { id: string; json: Json }[] = []
  for (const { name, configuration } of codecs) {
    if (name === 'transpose') order = orderOf(configuration, rank)
    else if (name === 'bytes') endian = configuration['endian'] ?? 'little'
    else if (['gzip', 'zstd', 'blosc', 'vlen-utf8', 'vlen-bytes'].includes(name) || name.startsWith('numcodecs.')) {
      const id = name.replace('numcodecs.', '')
      steps.push({ id, json: { id, ...v2Configuration(id, configuration) } })
    } else throw unsupported(`codec ${name}`, `the codec ${name} has no Zarr v2 spelling`)
  }
  const last = steps.at(-1)
  const compressor = last !== undefined && COMPRESSORS.includes(last.id) ? last.json : null
  const filters = (compressor === null ? steps : steps.slice(0, -1)).map(({ json }) => json)
  return { order, endian, filters, compressor }
}

function orderOf(configuration: JsonObject, rank: number): 'F' {
  const axes = configuration['order']
  const isReversed = Array.isArray(axes) && axes.length === rank && axes.every((axis, i) => axis === rank - 1 - i)
  if (!isReversed) throw unsupported('transpose', 'only the reversal of all axes has a Zarr v2 spelling')
  return 'F'
}

const BLOSC_SHUFFLES: readonly Json[] = ['noshuffle', 'shuffle', 'bitshuffle']

function v2Configuration(id: string, configuration: JsonObject): JsonObject {
  if (id !== 'blosc') return configuration
  const { typesize: _typesize, shuffle, ...rest } = configuration
  return { ...rest, shuffle: BLOSC_SHUFFLES.indexOf(shuffle ?? 'noshuffle') }
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
        const own = v2DataType(fieldType, order)
        return shape === undefined ? [name, own] : [name, own, shape]
      })
  }
}
