import { unsupported } from '../errors.ts'
import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import { type DataType, itemSize, type StructField } from '../model/data-type.ts'
import type { StoredCodec } from '../model/encoding.ts'
import { elementCount } from '../model/shape.ts'
import type { Diagnostic, VirtualArray } from '../model/virtual-store.ts'
import { attributesDocument } from './attributes.ts'
import type { MissingOutput } from './sentinel-attributes.ts'

export interface ArrayDocumentInput {
  /** After all views: every dimension has its name. */
  readonly array: VirtualArray
  /** As planned: what clients decode. */
  readonly codecs: readonly StoredCodec[]
  readonly output: MissingOutput
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

/** What the `zarr.json` of an array says. */
export type ArrayDocument = {
  readonly zarr_format: 3
  readonly node_type: 'array'
  readonly shape: readonly number[]
  readonly data_type: Json
  readonly chunk_grid: JsonObject
  readonly chunk_key_encoding: JsonObject
  readonly fill_value: Json
  readonly codecs: readonly JsonObject[]
  readonly attributes: JsonObject
  readonly dimension_names: readonly (string | null)[]
  readonly storage_transformers: readonly []
}

/** What the `zarr.json` of a group says of the group itself. */
export type GroupDocument = {
  readonly zarr_format: 3
  readonly node_type: 'group'
  readonly attributes: JsonObject
}

/** The `zarr.json` of an array (GEN-2). */
export function arrayDocument({ array, codecs, output, path, warn }: ArrayDocumentInput): ArrayDocument {
  const { dataType, sentinels } = array
  return {
    zarr_format: 3,
    node_type: 'array',
    shape: array.shape,
    data_type: dataTypeDocument(dataType),
    chunk_grid: { name: 'regular', configuration: { chunk_shape: array.chunkShape } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: toZarrFillValue(array.fillValue, dataType),
    codecs: codecs.map(({ name, configuration }) => ({ name, configuration })),
    attributes: attributesDocument(array.attributes, { path, warn, array: { dataType, sentinels, output } }),
    dimension_names: array.dimensionNames ?? [],
    storage_transformers: [],
  }
}

/** The `zarr.json` of a group by itself. */
export function groupDocument(attributes: JsonObject): GroupDocument {
  return { zarr_format: 3, node_type: 'group', attributes }
}

/** A node below a group: its path from there, and its `zarr.json` as written, that of a group by itself. */
export interface WrittenNode {
  readonly kind: 'array' | 'group'
  readonly path: string
  readonly bytes: Uint8Array
}

const CONSOLIDATED = Buffer.from(',"consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":{')
const CONSOLIDATED_END = Buffer.from('}}}')

/**
 * The `zarr.json` of a group with the documents of all nodes below it: written ones are put together, since there may
 * be many. A group among them has an empty consolidation of its own, as zarr-python writes it.
 */
export class Consolidation {
  readonly #parts: Uint8Array[] = []

  add({ kind, path, bytes }: WrittenNode): void {
    this.#parts.push(Buffer.from(`${this.#parts.length === 0 ? '' : ','}${writeJson(path)}:`))
    if (kind === 'array') this.#parts.push(bytes)
    else this.#parts.push(bytes.subarray(0, -1), CONSOLIDATED, CONSOLIDATED_END)
  }

  in(group: Uint8Array): Uint8Array {
    return Buffer.concat([group.subarray(0, -1), CONSOLIDATED, ...this.#parts, CONSOLIDATED_END])
  }
}

/** A data type as the `data_type` member of a Zarr v3 document: the names that zarr-python writes. */
export function dataTypeDocument(type: DataType): Json {
  switch (type.kind) {
    case 'bool':
    case 'string':
      return type.kind
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
      return `${type.kind}${type.bits}`
    case 'bytes':
      return 'variable_length_bytes'
    case 'fixed-text': {
      const name = type.encoding === 'utf-32' ? 'fixed_length_utf32' : 'null_terminated_bytes'
      return { name, configuration: { length_bytes: type.length } }
    }
    case 'opaque':
      return { name: 'raw_bytes', configuration: { length_bytes: type.length } }
    case 'datetime':
    case 'timedelta':
      return { name: `numpy.${type.kind}64`, configuration: { unit: type.unit, scale_factor: type.scale } }
    case 'structured':
      return { name: 'structured', configuration: { fields: type.fields.map(fieldDocument) } }
  }
}

/** A field that is an array has no spelling: it keeps its place as raw bytes. */
function fieldDocument(field: StructField): Json {
  const count = elementCount(field.shape ?? [])
  const size = itemSize(field.type)
  if (size === undefined) throw unsupported('record field of varying length', `field ${field.name} has no fixed length`)
  if (field.shape === undefined) return [field.name, dataTypeDocument(field.type)]
  return [field.name, dataTypeDocument({ kind: 'opaque', length: size * count })]
}
