import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/json.ts'
import { parseJson } from '../json/parse.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import type { ArrayNode } from './open-store.ts'
import type { StoreDescription } from './store-service.ts'

/** Everything known about an opened source, for people and programs: what `/inspect` answers. */
export function inspectionOf({ parsed, store }: StoreDescription): Json {
  const groups = new Map<string, Json>()
  const arrays = new Map<string, Json>()
  const skipped = new Map<string, Json>()
  for (const [path, node] of store.nodes) {
    switch (node.kind) {
      case 'group':
        groups.set(path, { attributes: member(documentOf(node.own), 'attributes') })
        break
      case 'array':
        arrays.set(path, arrayInspection(node))
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
    warnings: store.diagnostics.map(diagnosticJson),
  }
}

function arrayInspection({ array, plan, document }: ArrayNode): Json {
  const json = documentOf(document.identity.bytes)
  return {
    shape: array.shape,
    data_type: member(json, 'data_type'),
    dimension_names: member(json, 'dimension_names'),
    chunk_shape: array.chunkShape,
    chunk_grid: array.chunks.gridShape,
    edges: array.edges,
    codecs: member(json, 'codecs'),
    stored: array.encodings.map((encoding) => encoding.map(({ name, configuration }) => ({ name, configuration }))),
    delivery: plan.ways.map(({ kind }) => kind),
    fill_value: member(json, 'fill_value'),
    fill_value_from: array.fillOrigin,
    attributes: member(json, 'attributes'),
  }
}

function diagnosticJson({ code, message, path, values }: Diagnostic): Json {
  return { code, message, ...(path === undefined ? {} : { path }), ...(values === undefined ? {} : { values }) }
}

function documentOf(bytes: Uint8Array): JsonObject {
  const json = parseJson(Buffer.from(bytes).toString())
  return isJsonObject(json) ? json : {}
}

function member(json: JsonObject, name: string): Json {
  return json[name] ?? null
}
