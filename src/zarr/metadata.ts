import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import type { JsonObject } from '../json/json.ts'
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

/** The `zarr.json` of an array (GEN-2). */
export function arrayDocument({ array, codecs, output, path, warn }: ArrayDocumentInput): JsonObject {
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

/**
 * The `zarr.json` of a group; `consolidated` holds the documents of all nodes below it, by path. A group among them has an
 * empty consolidation of its own, as zarr-python writes it.
 */
export function groupDocument(attributes: JsonObject, consolidated?: ReadonlyMap<string, JsonObject>): JsonObject {
  const document = { zarr_format: 3, node_type: 'group', attributes }
  if (consolidated === undefined) return document
  const metadata: Record<string, JsonObject> = Object.create(null)
  for (const [path, below] of consolidated) {
    metadata[path] = below['node_type'] === 'group' ? { ...below, consolidated_metadata: inline({}) } : below
  }
  return { ...document, consolidated_metadata: inline(metadata) }
}

function inline(metadata: JsonObject): JsonObject {
  return { kind: 'inline', must_understand: false, metadata }
}
