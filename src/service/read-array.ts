import { heldBytes } from '../bytes/feed.ts'
import { decodeChunk } from '../codecs/decode.ts'
import { type Canvas, copyBox, filledElements } from '../codecs/elements.ts'
import { invalidRequest, overLimit, VirtualZarrError } from '../errors.ts'
import { scalarFromBytes } from '../fill-value/from-bytes.ts'
import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import type { Json } from '../json/json.ts'
import { type DataType, itemSize } from '../model/data-type.ts'
import { elementCount } from '../model/shape.ts'
import type { ArrayNode } from './open-store.ts'
import type { StoreAddress } from './store-address.ts'
import type { StoreService } from './store-service.ts'

/** Most values that one reading prints. */
const MAX_VALUES = 1_000_000

interface Region {
  readonly from: readonly number[]
  readonly extent: readonly number[]
  /** Axes that a single index was given for: they leave the result's shape. */
  readonly dropped: readonly boolean[]
}

/** Reads a part of an array as a client of the store does, for people at a terminal. */
export async function readArray(
  stores: StoreService,
  address: StoreAddress,
  path: string,
  slice: string | undefined,
): Promise<Json> {
  const { store } = await stores.describe(address)
  const node = store.nodes.get(path)
  if (node?.kind === 'skipped') throw new VirtualZarrError(node.skipped.code, node.skipped.reason, { path })
  if (node === undefined || node.kind === 'group') {
    const arrays = [...store.nodes].filter(([, { kind }]) => kind === 'array').map(([name]) => name)
    throw invalidRequest(`there is no array ${path}; there are ${arrays.slice(0, 50).join(', ')}`)
  }
  const { array } = node
  const region = parseSlice(slice, array.shape)
  if (elementCount(region.extent) > MAX_VALUES)
    throw overLimit(`more than ${MAX_VALUES} values are asked for, narrow the slice`)
  const canvas = await readRegion(stores, address, path, node, region)
  const shape = region.extent.filter((_length, axis) => region.dropped[axis] !== true)
  return { shape, values: nested(valuesOf(canvas, array.dataType), shape) }
}

/** Reads `0,1:3,:` as numpy does, without steps. */
function parseSlice(slice: string | undefined, shape: readonly number[]): Region {
  const texts = slice === undefined || slice === '' ? [] : slice.split(',')
  if (texts.length > shape.length)
    throw invalidRequest(`the slice has ${texts.length} parts, the array ${shape.length} dimensions`)
  const parts = shape.map((length, axis) => parsePart(texts[axis] ?? ':', length))
  return {
    from: parts.map((part) => part.from),
    extent: parts.map((part) => part.extent),
    dropped: parts.map((part) => part.dropped),
  }
}

function parsePart(text: string, length: number): { from: number; extent: number; dropped: boolean } {
  const match = /^\s*(?:(-?\d+)|(-?\d+)?:(-?\d+)?)\s*$/.exec(text)
  if (match === null) throw invalidRequest(`${JSON.stringify(text)} is no index and no range such as 0 or 1:3`)
  const [, single, start, stop] = match
  const absolute = (index: number) => (index < 0 ? index + length : index)
  if (single !== undefined) {
    const from = absolute(Number(single))
    if (from < 0 || from >= length) throw invalidRequest(`index ${single} is outside a dimension of ${length}`)
    return { from, extent: 1, dropped: true }
  }
  const clamp = (index: number) => Math.min(length, Math.max(0, absolute(index)))
  const from = start === undefined ? 0 : clamp(Number(start))
  const to = stop === undefined ? length : clamp(Number(stop))
  return { from, extent: Math.max(0, to - from), dropped: false }
}

async function readRegion(
  stores: StoreService,
  address: StoreAddress,
  path: string,
  node: ArrayNode,
  region: Region,
): Promise<Canvas> {
  const { array, plan } = node
  const canvas = filledElements({ shape: region.extent, dataType: array.dataType }, array.fillValue)
  const layout = { shape: array.chunkShape, dataType: array.dataType }
  for (const coords of chunksOf(region, array.chunkShape)) {
    const key = `${path === '' ? '' : `${path}/`}c${coords.map((index) => `/${index}`).join('')}`
    const answer = await stores.get({ address, key })
    if (answer.kind !== 'chunk' || answer.body === undefined) continue
    const stored = answer.body instanceof Uint8Array ? answer.body : await heldBytes(answer.body, answer.length)
    const elements = await decodeChunk(stored, plan.codecs, layout, { limit: 2 ** 31, fillValue: array.fillValue })
    copyBox(
      elements,
      array.chunkShape,
      canvas,
      region.extent,
      overlap(coords, array.chunkShape, region),
      itemSize(array.dataType) ?? 1,
    )
  }
  return canvas
}

function* chunksOf({ from, extent }: Region, chunkShape: readonly number[]): Generator<number[]> {
  if (extent.some((length) => length === 0)) return
  const first = from.map((start, axis) => Math.floor(start / (chunkShape[axis] ?? 1)))
  const last = from.map((start, axis) => Math.floor((start + (extent[axis] ?? 1) - 1) / (chunkShape[axis] ?? 1)))
  const coords = [...first]
  for (;;) {
    yield [...coords]
    let axis = coords.length - 1
    while (axis >= 0 && coords[axis] === last[axis]) {
      coords[axis] = first[axis] ?? 0
      axis--
    }
    if (axis < 0) return
    coords[axis] = (coords[axis] ?? 0) + 1
  }
}

function overlap(coords: readonly number[], chunkShape: readonly number[], region: Region) {
  const start = coords.map((index, axis) => Math.max(index * (chunkShape[axis] ?? 1), region.from[axis] ?? 0))
  const end = coords.map((index, axis) =>
    Math.min((index + 1) * (chunkShape[axis] ?? 1), (region.from[axis] ?? 0) + (region.extent[axis] ?? 0)),
  )
  return {
    from: start.map((position, axis) => position - (coords[axis] ?? 0) * (chunkShape[axis] ?? 1)),
    to: start.map((position, axis) => position - (region.from[axis] ?? 0)),
    extent: start.map((position, axis) => (end[axis] ?? position) - position),
  }
}

function valuesOf(canvas: Canvas, type: DataType): Json[] {
  if (canvas.kind === 'text') return [...canvas.values]
  if (canvas.kind === 'blobs') return canvas.values.map((blob) => Buffer.from(blob).toString('base64'))
  const size = itemSize(type) ?? 1
  const values: Json[] = []
  for (let at = 0; at < canvas.bytes.length; at += size) {
    const scalar = scalarFromBytes(canvas.bytes.subarray(at, at + size), type, 'little')
    values.push(scalar === undefined ? null : toZarrFillValue(scalar, type))
  }
  return values
}

/** A flat list as lists within lists. */
function nested(values: readonly Json[], shape: readonly number[]): Json {
  if (shape.length === 0) return values[0] ?? null
  if (shape.length === 1) return values
  const [length = 0, ...rest] = shape
  const size = elementCount(rest)
  return Array.from({ length }, (_empty, i) => nested(values.slice(i * size, (i + 1) * size), rest))
}
