import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import type { JsonObject } from '../json/json.ts'
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

/** The `zarr.json` of a group by itself. */
export function groupDocument(attributes: JsonObject): JsonObject {
  return { zarr_format: 3, node_type: 'group', attributes }
}

/** A node's `zarr.json` as written. */
export interface WrittenNode {
  readonly kind: 'array' | 'group'
  readonly text: string
}

/**
 * The `zarr.json` of a root with the documents of all nodes below it, by path: written ones are put together, since there may
 * be many. A group among them has an empty consolidation of its own, as zarr-python writes it.
 */
export function withConsolidated(root: string, below: ReadonlyMap<string, WrittenNode>): string {
  const members: string[] = []
  for (const [path, { kind, text }] of below) {
    members.push(`${writeJson(path)}:${kind === 'group' ? withMember(text, inline('{}')) : text}`)
  }
  return withMember(root, inline(`{${members.join(',')}}`))
}

function inline(metadata: string): string {
  return `"consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":${metadata}}`
}

/** Adds a last member to a written object. */
function withMember(object: string, member: string): string {
  return `${object.slice(0, -1)},${member}}`
}
