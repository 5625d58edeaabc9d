import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import type { StoredCodec } from '../model/encoding.ts'
import type { Diagnostic, VirtualArray } from '../model/virtual-store.ts'
import { attributesDocument, type MissingOutput } from './attributes.ts'
import { dataTypeDocument } from './data-type.ts'

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
export function withConsolidated(group: Uint8Array, below: readonly WrittenNode[]): Uint8Array {
  const parts: Uint8Array[] = [group.subarray(0, -1), CONSOLIDATED]
  for (const [at, { kind, path, bytes }] of below.entries()) {
    parts.push(Buffer.from(`${at === 0 ? '' : ','}${writeJson(path)}:`))
    if (kind === 'array') parts.push(bytes)
    else parts.push(bytes.subarray(0, -1), CONSOLIDATED, CONSOLIDATED_END)
  }
  parts.push(CONSOLIDATED_END)
  return Buffer.concat(parts)
}
