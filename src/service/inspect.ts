import type { Json } from '../json/json.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import { describeGroup, describeServed } from './describe.ts'
import type { ArrayNode } from './open-store.ts'
import { type SentinelInspection, sentinelsInWords } from './sentinel-origin.ts'
import type { StoreDescription } from './store-service.ts'

/** What is known of an array: where its values come from, and what clients are told. */
export type ArrayInspection = {
  readonly shape: readonly number[]
  readonly data_type: Json
  readonly dimension_names: Json
  readonly chunk_shape: readonly number[]
  readonly chunk_grid: readonly number[]
  readonly edges: string
  readonly codecs: Json
  /** The codecs of each encoding of the source. */
  readonly stored: readonly Json[]
  /** For each encoding, how its chunks are made those that `codecs` describes. */
  readonly delivery: readonly string[]
  readonly fill_value: Json
  readonly fill_value_from: string
  /** What marks missing points. */
  readonly sentinels: readonly SentinelInspection[]
  readonly attributes: Json
}

/** What `/inspect` answers. */
export type Inspection = {
  readonly source: string
  readonly format: string
  readonly version: string
  readonly groups: Readonly<Record<string, { readonly attributes: Json }>>
  readonly arrays: Readonly<Record<string, ArrayInspection>>
  readonly skipped: Readonly<Record<string, { readonly code: string; readonly reason: string }>>
  readonly warnings: readonly DiagnosticJson[]
}

type DiagnosticJson = {
  readonly code: string
  readonly message: string
  readonly path?: string
  readonly values?: Json
}

/** Everything known about an opened source, for people and programs. */
export function inspectionOf({ parsed, store, diagnostics }: StoreDescription): Inspection {
  const groups = new Map<string, { readonly attributes: Json }>()
  const arrays = new Map<string, ArrayInspection>()
  const skipped = new Map<string, { readonly code: string; readonly reason: string }>()
  for (const [path, node] of store.nodes) {
    switch (node.kind) {
      case 'group':
        groups.set(path, { attributes: describeGroup(node).attributes })
        break
      case 'array':
        arrays.set(path, arrayInspection(node, parsed.format))
        break
      case 'skipped':
        skipped.set(path, { code: node.skipped.code, reason: node.skipped.reason })
        break
    }
  }
  return {
    source: parsed.publicUrl,
    format: parsed.format,
    version: parsed.version,
    groups: Object.fromEntries(groups),
    arrays: Object.fromEntries(arrays),
    skipped: Object.fromEntries(skipped),
    warnings: [...store.diagnostics, ...diagnostics].map(diagnosticJson),
  }
}

function arrayInspection(node: ArrayNode, format: string): ArrayInspection {
  const { array, plan } = node
  const { data_type, dimension_names, codecs, fill_value, attributes } = describeServed(node)
  return {
    shape: array.shape,
    data_type,
    dimension_names,
    chunk_shape: array.chunkShape,
    chunk_grid: array.chunks.gridShape,
    edges: array.edges,
    codecs,
    stored: array.encodings.map((encoding) => encoding.map(({ name, configuration }) => ({ name, configuration }))),
    delivery: plan.ways.map(({ kind }) => kind),
    fill_value,
    fill_value_from: array.fillOrigin,
    sentinels: sentinelsInWords(array, format),
    attributes,
  }
}

function diagnosticJson({ code, message, path, values }: Diagnostic): DiagnosticJson {
  return { code, message, ...(path === undefined ? {} : { path }), ...(values === undefined ? {} : { values }) }
}
