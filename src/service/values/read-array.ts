import { bytesOfBody } from '../../bytes/feed.ts'
import { decodeChunk } from '../../codecs/decode.ts'
import { type Canvas, copyBox, filledElements } from '../../codecs/elements.ts'
import { invalidRequest, VirtualZarrError } from '../../errors.ts'
import { scalarFromBytes } from '../../fill-value/from-bytes.ts'
import { toZarrFillValue } from '../../fill-value/to-zarr.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { type DataType, itemSize } from '../../model/data-type.ts'
import { describeArray } from '../describe.ts'
import type { ArrayNode, OpenStore } from '../open-store.ts'
import type { StoreAddress } from '../store-address.ts'
import type { StoreService } from '../store-service.ts'
import { type Box, chunksOf, overlap, parseSlice } from './array-box.ts'
import { type DecodeValue, storedMeaning, type ValueMeaning, valueDecoder, valueMeaning } from './decoded-values.ts'

/** What is asked for by name. */
export interface ReadingRequest {
  readonly address: StoreAddress
  /** Of the array; '' is a store that is one itself. */
  readonly path: string
  /** As numpy's, without steps. */
  readonly slice: string | undefined
  /** Values as xarray shows them, and not as they are stored. */
  readonly isDecoded: boolean
}

/** A part of an array, about to be read as a client of the store does, for people at a terminal. */
export interface ArrayReading {
  /** Of the array, without slashes around it. */
  readonly path: string
  readonly dataType: DataType
  /** The asked-for part, in the array. */
  readonly box: Box
  /** Axes of the part that it shows: one that a single index was given for has none. */
  readonly axes: readonly number[]
  readonly dimensionNames: readonly string[]
  readonly isDecoded: boolean
  /** The values of a part of the part, the last axis running fastest. */
  values(box: Box): Promise<readonly Json[]>
}

/** A reading that also gives elements as they are stored, for who counts rather than shows them. */
export interface OpenedReading extends ArrayReading {
  /** The array's. */
  readonly chunkShape: readonly number[]
  /** What the stored values stand for in what is shown. */
  readonly meaning: ValueMeaning
  /** What is stored in a part of the part. */
  elements(box: Box): Promise<Canvas>
}

/** Opens an array for reading; what is wrong with the request is told before anything is read. */
export async function openReading(stores: StoreService, request: ReadingRequest): Promise<OpenedReading> {
  const { store } = await stores.describe(request.address)
  const path = request.path.replace(/^\/+|\/+$/g, '')
  const node = arrayAt(store, path)
  const { array } = node
  const { box, dropped } = parseSlice(request.slice, array.shape)
  const { attributes, dimension_names: names } = describeArray(node)
  const meaning = request.isDecoded
    ? valueMeaning(array, attributesFor(store, path, attributes))
    : storedMeaning(array, attributes)
  const decode = request.isDecoded ? valueDecoder(meaning, array.dataType) : asStored
  const elements = async (part: Box) => await readBox(stores, request.address, path, node, part)
  return {
    path,
    dataType: array.dataType,
    box,
    axes: array.shape.flatMap((_length, axis) => (dropped[axis] === true ? [] : [axis])),
    dimensionNames: array.shape.map((_length, axis) => names[axis] ?? '?'),
    isDecoded: request.isDecoded,
    chunkShape: array.chunkShape,
    meaning,
    elements,
    values: async (part) => valuesOf(await elements(part), array.dataType, decode),
  }
}

/** An array's attributes; bounds have the units of what they bound (CF, section 7.1). */
function attributesFor(store: OpenStore, path: string, own: JsonObject): JsonObject {
  if (own['units'] !== undefined) return own
  const slash = path.lastIndexOf('/') + 1
  for (const [other, node] of store.nodes) {
    if (node.kind !== 'array' || other.lastIndexOf('/') + 1 !== slash || !other.startsWith(path.slice(0, slash)))
      continue
    if (!node.array.attributes.has('bounds')) continue
    const { bounds, units = null, calendar = null } = describeArray(node).attributes
    if (bounds === path.slice(slash)) return { units, calendar, ...own }
  }
  return own
}

const asStored: DecodeValue = (stored) => stored

function arrayAt(store: OpenStore, path: string): ArrayNode {
  const node = store.nodes.get(path)
  if (node?.kind === 'skipped') throw new VirtualZarrError(node.skipped.code, node.skipped.reason, { path })
  if (node?.kind === 'array') return node
  const arrays = [...store.nodes].filter(([, { kind }]) => kind === 'array').map(([name]) => name)
  const shown = `${arrays.slice(0, 50).join(', ')}${arrays.length > 50 ? ', …' : ''}`
  throw invalidRequest(
    path === '' ? `name one of the arrays: ${shown}` : `there is no array ${path}; there are ${shown}`,
  )
}

async function readBox(
  stores: StoreService,
  address: StoreAddress,
  path: string,
  node: ArrayNode,
  box: Box,
): Promise<Canvas> {
  const { array, plan } = node
  const canvas = filledElements({ shape: box.extent, dataType: array.dataType }, array.fillValue)
  const layout = { shape: array.chunkShape, dataType: array.dataType }
  for (const coords of chunksOf(box, array.chunkShape)) {
    const key = `${path === '' ? '' : `${path}/`}c${coords.map((index) => `/${index}`).join('')}`
    const answer = await stores.get({ address, key })
    if (answer.kind !== 'chunk' || answer.body === undefined) continue
    const stored = await bytesOfBody(answer.body, answer.length)
    const elements = await decodeChunk(stored, plan.codecs, layout, { limit: 2 ** 31, fillValue: array.fillValue })
    const part = overlap(coords, array.chunkShape, box)
    copyBox(elements, array.chunkShape, canvas, box.extent, part, itemSize(array.dataType) ?? 1)
  }
  return canvas
}

function valuesOf(canvas: Canvas, type: DataType, decode: DecodeValue): Json[] {
  if (canvas.kind === 'text') return canvas.values.map(decode)
  if (canvas.kind === 'blobs') return canvas.values.map((blob) => Buffer.from(blob).toString('base64'))
  const size = itemSize(type) ?? 1
  const values: Json[] = []
  for (let at = 0; at < canvas.bytes.length; at += size) {
    const scalar = scalarFromBytes(canvas.bytes.subarray(at, at + size), type, 'little')
    values.push(scalar === undefined ? null : decode(toZarrFillValue(scalar, type)))
  }
  return values
}
