import { isVirtualZarrError, overLimit, unsupported, VirtualZarrError } from '../errors.ts'
import { isSameScalar } from '../fill-value/numbers.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts'
import { parseJson } from '../json/parse.ts'
import { writeJson } from '../json/write.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { type Scalar, zeroOf } from '../model/data-type.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { v2ArrayDocument } from '../zarr/v2-document.ts'
import type { ParsedSource } from './open-source.ts'
import type { ArrayNode } from './open-store.ts'
import type { StoreDescription } from './store-service.ts'

/** Most references one document may hold: it is made in memory. */
const MAX_REFERENCES = 2_000_000

/** The store as a Kerchunk document (version 1); arrays whose chunks are no plain ranges are named, never dropped in silence. */
export async function exportKerchunk({ parsed, store }: StoreDescription): Promise<JsonObject> {
  const refs = new Map<string, Json>()
  const left: Record<string, Json> = {}
  for (const [path, node] of store.nodes) {
    const prefix = path === '' ? '' : `${path}/`
    if (node.kind === 'skipped') left[path] = node.skipped.reason
    if (node.kind === 'group') {
      refs.set(`${prefix}.zgroup`, writeJson({ zarr_format: 2 }))
      refs.set(`${prefix}.zattrs`, writeJson(attributesOf(node.document.identity.bytes)))
    }
    if (node.kind !== 'array') continue
    try {
      for (const [key, value] of await arrayReferences(node, parsed, MAX_REFERENCES - refs.size))
        refs.set(prefix + key, value)
    } catch (error) {
      if (!isVirtualZarrError(error, 'unsupported-feature')) throw error
      left[path] = error.message
    }
  }
  const served = [...store.nodes.values()].filter((node) => node.kind === 'array').length
  if (served > 0 && served === Object.keys(left).filter((path) => store.nodes.get(path)?.kind === 'array').length) {
    const [path, reason] = Object.entries(left)[0] ?? []
    throw new VirtualZarrError('unsupported-feature', `no array can be written as references: ${path}: ${reason}`)
  }
  const root: JsonObject = Object.keys(left).length === 0 ? {} : { virtual_zarr: { not_exported: left } }
  return { version: 1, refs: Object.fromEntries(refs), ...(Object.keys(root).length === 0 ? {} : { metadata: root }) }
}

async function arrayReferences(node: ArrayNode, parsed: ParsedSource, most: number): Promise<Map<string, Json>> {
  const { array, plan } = node
  if (plan.ways.some((way) => way.kind !== 'pass')) throw unsupported('recoding', 'its chunks are made by the server')
  if (hasCroppedEdge(array)) throw unsupported('short chunks', 'its last chunks are shorter than the others')
  const count = array.chunks.gridShape.reduce((product, length) => product * length, 1)
  if (count > most) throw overLimit(`the store has more than ${MAX_REFERENCES} chunks, too many for one document`)
  const refs = new Map<string, Json>()
  refs.set('.zarray', writeJson(v2ArrayDocument(array, plan.codecs, await v2FillValue(array))))
  const attributes = attributesOf(node.document.identity.bytes)
  const names = (array.dimensionNames ?? []).map((name) => name ?? '')
  refs.set('.zattrs', writeJson({ ...withoutFillValue(attributes), _ARRAY_DIMENSIONS: names }))
  for (const coords of gridCoords(array.chunks.gridShape)) {
    const value = reference(await array.chunks.at(coords), parsed)
    if (value !== undefined) refs.set(coords.length === 0 ? '0' : coords.join('.'), value)
  }
  return refs
}

function reference(ref: ChunkRef, parsed: ParsedSource): Json | undefined {
  switch (ref.kind) {
    case 'missing':
      return undefined
    case 'inline':
      return `base64:${Buffer.from(ref.bytes).toString('base64')}`
    case 'range':
      return [urlOf(ref.source, parsed), ref.offset, ref.length]
    case 'object':
      return [new URL(ref.key, urlOf(ref.source, parsed)).href]
    case 'assembled':
    case 'ranges':
    case 'strided':
      throw unsupported('gathered chunks', 'its chunks are gathered from several ranges')
  }
}

function urlOf(index: number, parsed: ParsedSource): string {
  if (parsed.alternatives.has(index)) {
    throw unsupported(
      'data file',
      'which file its chunks are in is only known when one is read; the option data says it',
    )
  }
  return parsed.references[index] ?? parsed.url
}

/** In v2 the fill value is also what xarray masks (V2-1): one value must do for both, or v2 can't say it. */
async function v2FillValue(array: VirtualArray): Promise<Scalar | undefined> {
  const sentinel = array.sentinels.fillValue
  if (sentinel !== undefined && isSameScalar(sentinel, array.fillValue)) return sentinel
  if ((await array.chunks.isComplete?.()) === true) return sentinel
  if (sentinel === undefined && isSameScalar(array.fillValue, zeroOf(array.dataType))) return undefined
  throw unsupported('fill value', 'its fill value is not its _FillValue, which Zarr v2 metadata can not say')
}

function hasCroppedEdge(array: VirtualArray): boolean {
  return array.edges === 'cropped' && array.shape.some((length, axis) => length % (array.chunkShape[axis] ?? 1) !== 0)
}

function* gridCoords(gridShape: readonly number[]): Generator<number[]> {
  const total = gridShape.reduce((product, length) => product * length, 1)
  for (let position = 0; position < total; position++) {
    const coords = new Array<number>(gridShape.length)
    let rest = position
    for (let axis = gridShape.length - 1; axis >= 0; axis--) {
      const length = gridShape[axis] ?? 1
      coords[axis] = rest % length
      rest = Math.floor(rest / length)
    }
    yield coords
  }
}

function attributesOf(document: Uint8Array): JsonObject {
  const json = parseJson(Buffer.from(document).toString())
  const attributes = isJsonObject(json) ? json['attributes'] : undefined
  return isJsonObject(attributes) ? attributes : {}
}

function withoutFillValue(attributes: JsonObject): JsonObject {
  const { _FillValue: _encoded, ...rest } = attributes
  return rest
}
