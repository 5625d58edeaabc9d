import { setImmediate } from 'node:timers/promises'
import type { Cut, DeliveryWorld, Way } from '../delivery/delivery.ts'
import { isVirtualZarrError, unsupported, VirtualZarrError } from '../errors.ts'
import { isSameScalar } from '../fill-value/numbers.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { parseJson } from '../json/parse.ts'
import { gridCoordinates } from '../model/chunk-index.ts'
import { type Scalar, zeroOf } from '../model/data-type.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { publicUrl } from '../source/public-url.ts'
import { v2ArrayDocument } from '../zarr/v2-document.ts'
import type { ArrayNode } from './open-store.ts'
import type { StoreDescription } from './store-service.ts'

/** Whether an error is about one array only; one of an origin is about the whole export, and may pass. */
export function isLeftOut(error: unknown): error is VirtualZarrError {
  return isVirtualZarrError(error, 'unsupported-feature') || isVirtualZarrError(error, 'malformed-source')
}

/** Which specification the metadata of an export follows: readers of references take one for all nodes. */
export type MetadataVersion = 2 | 3

/** Why arrays are left out of an export, by path: nothing is dropped in silence. */
export type LeftOut = Record<string, string>

/** The version that says all of it: 2, which every reader of references knows, where that keeps every fill value. */
export function exactVersion({ store }: StoreDescription): MetadataVersion {
  for (const node of store.nodes.values()) {
    if (node.kind !== 'array' || refusalOf(node) !== undefined) continue
    if (!isExactInV2(node.array) || !hasV2Document(node)) return 3
  }
  return 2
}

/** Why no chunk of an array can be exported; undefined where its references decide. */
export function refusalOf({ array, plan }: ArrayNode): string | undefined {
  if (array.stored !== undefined) return 'its chunks are assembled from several'
  if (array.encodings.length > 0 && plan.ways.every((way) => way.kind !== 'pass')) {
    return 'its chunks are recoded by the server'
  }
  const isCropped =
    array.edges === 'cropped' && array.shape.some((length, axis) => length % (array.chunkShape[axis] ?? 1) !== 0)
  return isCropped ? 'its last chunks are shorter than the others' : undefined
}

function hasV2Document({ array, plan }: ArrayNode): boolean {
  try {
    v2ArrayDocument(array, plan.codecs, undefined)
    return true
  } catch (error) {
    if (isVirtualZarrError(error, 'unsupported-feature')) return false
    throw error
  }
}

/** In v2 the fill value is also what xarray masks (V2-1): one value must do for both. */
function isExactInV2({ sentinels: { fillValue: sentinel }, fillValue, dataType }: VirtualArray): boolean {
  if (sentinel !== undefined) return isSameScalar(sentinel, fillValue)
  return isSameScalar(fillValue, zeroOf(dataType)) || isNotANumber(fillValue)
}

function isNotANumber(scalar: Scalar): boolean {
  return scalar.kind === 'number' && Number.isNaN(scalar.value)
}

/** The `fill_value` of a `.zarray`. One that no chunk needs gives way to what is masked; a loss that shows is refused. */
export async function v2FillValue(array: VirtualArray): Promise<Scalar | undefined> {
  const sentinel = array.sentinels.fillValue
  if (isExactInV2(array)) return sentinel ?? (isNotANumber(array.fillValue) ? array.fillValue : undefined)
  if ((await array.chunks.isComplete?.()) === true) return sentinel
  throw unsupported('fill value', 'its fill value is not its _FillValue, which Zarr v2 metadata can not say')
}

/** The attributes of a node's document, without what this server says of itself. */
export function attributesOf(document: Uint8Array): JsonObject {
  const json = parseJson(Buffer.from(document).toString())
  const attributes = isJsonObject(json) ? json['attributes'] : undefined
  if (!isJsonObject(attributes)) return {}
  const { virtual_zarr: _own, ...rest } = attributes
  return rest
}

/** A reference as other tools read it. */
export type ExportedReference =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'range'; readonly url: string; readonly offset: number; readonly length: number }
  | { readonly kind: 'object'; readonly url: string }

/** References looked up at the same time, between two chances for other requests. */
const AT_ONCE = 64
/** Objects whose existence is asked for. */
const MOST_ASKED = 20_000

export interface PlacedReference {
  readonly coords: readonly number[]
  readonly reference: ExportedReference | undefined
}

/** Makes references of chunks. URLs are looked up once a source. */
export class ReferenceExporter {
  readonly #description: StoreDescription
  readonly #world: DeliveryWorld
  readonly #urls = new Map<number, string>()
  #asked = 0

  constructor(description: StoreDescription) {
    this.#description = description
    this.#world = description.world
  }

  /** The references of the chunks from one position of the grid to another, some of them looked up at a time. */
  async *references(node: ArrayNode, first: number, end: number): AsyncGenerator<PlacedReference> {
    const { gridShape } = node.array.chunks
    for (let start = first; start < end; start += AT_ONCE) {
      const count = Math.min(AT_ONCE, end - start)
      const coords = Array.from({ length: count }, (_, index) => gridCoordinates(start + index, gridShape))
      const references = await Promise.all(coords.map((at) => this.reference(node, at)))
      for (const [index, at] of coords.entries()) yield { coords: at, reference: references[index] }
      await setImmediate()
    }
  }

  /** Undefined for a chunk that was never written; throws `unsupported-feature` for one that no reference can name. */
  async reference({ array, plan }: ArrayNode, coords: readonly number[]): Promise<ExportedReference | undefined> {
    const ref = await array.chunks.at(coords)
    if (ref.kind === 'missing') return undefined
    if (ref.kind === 'assembled' || ref.kind === 'ranges' || ref.kind === 'strided') {
      throw unsupported('gathered chunks', 'its chunks are gathered from several ranges')
    }
    const { leading, trailing } = cutOf(plan.ways[ref.encoding])
    switch (ref.kind) {
      case 'inline':
        return { kind: 'inline', bytes: ref.bytes.subarray(leading, ref.bytes.length - trailing) }
      case 'range': {
        if (ref.prefix !== undefined) throw unsupported('prefixed chunks', 'its chunks are decoded by the server')
        const url = this.#urls.get(ref.source) ?? (await this.#url(ref.source))
        return { kind: 'range', url, offset: ref.offset + leading, length: ref.length - leading - trailing }
      }
      case 'object': {
        if (leading + trailing > 0) throw unsupported('cut chunks', 'its chunks are parts of objects of unknown length')
        const url = this.#urls.get(ref.source) ?? (await this.#url(ref.source))
        if (ref.isRequired !== true && !(await this.#exists(ref.source, ref.key))) return undefined
        return { kind: 'object', url: new URL(ref.key, url).href }
      }
    }
  }

  /** Readers of references take an object that is absent for a failure: only asking tells which chunks were written. */
  async #exists(index: number, key: string): Promise<boolean> {
    if (++this.#asked > MOST_ASKED) {
      throw unsupported(
        'many objects',
        `more than ${MOST_ASKED} objects would have to be asked for, to know which exist`,
      )
    }
    const object = await this.#world.object(index, key, { headOnly: true })
    return object !== undefined
  }

  async #url(index: number): Promise<string> {
    const { parsed } = this.#description
    const isInflated = index === 0 && parsed.source !== parsed.documents[0]
    if (isInflated) throw unsupported('compressed source', 'its chunks lie in a file that is compressed as a whole')
    // Where a source may be in several places, only opening it tells.
    const hasAlternatives = parsed.alternatives.has(index)
    const url = hasAlternatives ? (await this.#world.source(index)).url : (parsed.references[index] ?? parsed.url)
    if (publicUrl(url) !== url)
      throw unsupported('secret URL', 'the query of its URL may be secret, and is not written')
    this.#urls.set(index, url)
    return url
  }
}

function cutOf(way: Way | undefined): Cut {
  if (way?.kind === 'pass') return way.cut
  throw unsupported('recoding', 'its chunks are recoded by the server')
}

/** Throws when nothing of a store could be exported, naming the first reason. */
export function refuseIfNothingIsExported({ store }: StoreDescription, left: LeftOut): void {
  const arrays = [...store.nodes].filter(([, node]) => node.kind === 'array').map(([path]) => path)
  if (arrays.length === 0 || arrays.some((path) => left[path] === undefined)) return
  const [path = ''] = arrays
  throw new VirtualZarrError('unsupported-feature', `no array can be written as references: ${path}: ${left[path]}`)
}
