import type { JsonObject } from '../json/json.ts'
import { gridShapeOf } from '../model/chunk-index.ts'
import { encodingsOf } from '../model/composed-array.ts'
import type { Diagnostic, VirtualArray } from '../model/virtual-store.ts'
import type { ArrayInspection, DiagnosticJson, Inspection, NamedConfiguration } from './api-schemas.ts'
import { describeGroup, describeServed } from './describe.ts'
import type { ArrayNode } from './open-store.ts'
import { sentinelsInWords } from './sentinel-origin.ts'
import type { StoreDescription } from './store-service.ts'

/** Everything known about an opened source, for people and programs. */
export function inspectionOf({ parsed, store, diagnostics }: StoreDescription): Inspection {
  const groups = new Map<string, { readonly attributes: JsonObject }>()
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
    dimension_names: dimension_names as readonly string[],
    chunk_shape: array.chunkShape,
    chunk_grid: gridShapeOf(array.shape, array.chunkShape),
    edges: edgesOf(array),
    codecs: codecs as readonly unknown[] as readonly NamedConfiguration[],
    stored: encodingsOf(array).map((encoding) => encoding.map(({ name, configuration }) => ({ name, configuration }))),
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

/** What is composed is filled up. */
function edgesOf(array: VirtualArray): ArrayInspection['edges'] {
  if (array.operation === undefined) return array.edges
  return array.operation.kind === 'member' ? edgesOf(array.operation.of) : 'padded'
}
