import { overLimit, unsupported } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import { parseJson } from '../json/parse.ts'
import { writeJson } from '../json/write.ts'
import { elementCount } from '../model/shape.ts'
import { v2ArrayDocument } from '../zarr/v2-document.ts'
import {
  attributesOf,
  type ExportedReference,
  exactVersion,
  isLeftOut,
  type LeftOut,
  type MetadataVersion,
  ReferenceExporter,
  refusalOf,
  refuseIfNothingIsExported,
  v2FillValue,
} from './export-plan.ts'
import type { ArrayNode, GroupNode } from './open-store.ts'
import type { StoreDescription } from './store-service.ts'

/** Most references one document may hold: its text is made in memory. */
const MAX_REFERENCES = 2_000_000
/** References to one piece of text. */
const JOINED = 1000

/** A document of references, in pieces of text. */
export interface ExportedDocument {
  readonly pieces: readonly string[]
  /** Arrays that no references can describe, with the reason; also written into the document. */
  readonly notExported: Readonly<LeftOut>
}

/** The store as a Kerchunk document (version 1), with metadata of Zarr v2, or of v3 where v2 would lose fill values. */
export async function exportKerchunk(description: StoreDescription): Promise<ExportedDocument> {
  const version = exactVersion(description)
  const exporter = new ReferenceExporter(description)
  const left: LeftOut = {}
  const pieces: string[] = []
  let count = 0
  for (const [path, node] of description.store.nodes) {
    const prefix = path === '' ? '' : `${path}/`
    if (node.kind === 'skipped') left[path] = node.skipped.reason
    if (node.kind === 'group') pieces.push(...groupMembers(node, prefix, version))
    if (node.kind !== 'array') continue
    const members = await membersOf(node, prefix, version, exporter, MAX_REFERENCES - count, (reason) => {
      left[path] = reason
    })
    count += members.count
    pieces.push(...members.pieces)
  }
  refuseIfNothingIsExported(description, left)
  const about =
    Object.keys(left).length === 0 ? '' : `,"metadata":${writeJson({ virtual_zarr: { not_exported: left } })}`
  return { pieces: ['{"version":1,"refs":{', ...joined(pieces), `}${about}}`], notExported: left }
}

function* joined(pieces: readonly string[]): Generator<string> {
  for (const [index, piece] of pieces.entries()) yield index === 0 ? piece : `,${piece}`
}

function groupMembers({ own }: GroupNode, prefix: string, version: MetadataVersion): string[] {
  if (version === 2) {
    return [
      member(`${prefix}.zgroup`, writeJson({ zarr_format: 2 })),
      member(`${prefix}.zattrs`, writeJson(attributesOf(own))),
    ]
  }
  const group = { zarr_format: 3, node_type: 'group', attributes: attributesOf(own) }
  return [member(`${prefix}zarr.json`, writeJson(group))]
}

interface Members {
  readonly pieces: readonly string[]
  readonly count: number
}

/** The members of one array; none where it can't be exported. */
async function membersOf(
  node: ArrayNode,
  prefix: string,
  version: MetadataVersion,
  exporter: ReferenceExporter,
  most: number,
  leave: (reason: string) => void,
): Promise<Members> {
  try {
    const refusal = refusalOf(node)
    if (refusal !== undefined) throw unsupported('references', refusal)
    const { gridShape } = node.array.chunks
    if (elementCount(gridShape) > most) {
      throw overLimit(`the store has more than ${MAX_REFERENCES} chunks, too many for one document`)
    }
    const pieces = version === 2 ? await v2Members(node, prefix) : v3Members(node, prefix)
    const key = version === 2 ? (coords: readonly number[]) => coords.join('.') || '0' : v3Key
    const batch: string[] = []
    let count = 0
    for await (const { coords, reference } of exporter.references(node, 0, elementCount(gridShape))) {
      if (reference === undefined) continue
      batch.push(`${writeJson(prefix + key(coords))}:${referenceText(reference)}`)
      if (++count % JOINED === 0) pieces.push(batch.splice(0).join(','))
    }
    if (batch.length > 0) pieces.push(batch.join(','))
    return { pieces, count }
  } catch (error) {
    if (!isLeftOut(error)) throw error
    leave(error.message)
    return { pieces: [], count: 0 }
  }
}

/** Names of dimensions are attributes in v2, where `_FillValue` is the fill value. */
export function v2Attributes(node: ArrayNode): JsonObject {
  const { _FillValue: _encoded, ...attributes } = attributesOf(node.document.identity.bytes)
  return { ...attributes, _ARRAY_DIMENSIONS: (node.array.dimensionNames ?? []).map((name) => name ?? '') }
}

async function v2Members(node: ArrayNode, prefix: string): Promise<string[]> {
  const zarray = v2ArrayDocument(node.array, node.plan.codecs, await v2FillValue(node.array))
  return [member(`${prefix}.zarray`, writeJson(zarray)), member(`${prefix}.zattrs`, writeJson(v2Attributes(node)))]
}

function v3Members(node: ArrayNode, prefix: string): string[] {
  // Parsed and written again: what is served may be pretty one day, references are not.
  return [member(`${prefix}zarr.json`, writeJson(parseJson(Buffer.from(node.document.identity.bytes).toString())))]
}

/** The key of a chunk under the default encoding, which all documents of this server spell out. */
function v3Key(coords: readonly number[]): string {
  return ['c', ...coords].join('/')
}

function member(key: string, text: string): string {
  return `${writeJson(key)}:${writeJson(text)}`
}

function referenceText(reference: ExportedReference): string {
  switch (reference.kind) {
    case 'inline':
      return `"base64:${Buffer.from(reference.bytes).toString('base64')}"`
    case 'range':
      return `[${writeJson(reference.url)},${reference.offset},${reference.length}]`
    case 'object':
      return `[${writeJson(reference.url)}]`
  }
}
