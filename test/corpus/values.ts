import { createHash } from 'node:crypto'
import { gridCoordinates } from '../../src/model/chunk-index.ts'
import { elementCount } from '../../src/model/shape.ts'

/** What an array holds, in the canonical form that the golden files hash: C order, little-endian, packed; or text. */
export type Values =
  | { readonly kind: 'fixed'; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly values: readonly string[] }

/** The golden files' hash: of the bytes, or of the compact JSON list of the texts. */
export function hashOf(values: Values): string {
  const content = values.kind === 'fixed' ? values.bytes : JSON.stringify(values.values)
  return createHash('sha256').update(content).digest('hex')
}

/** Values of float32 whose NaN are of one kind. */
export function withOneNaN(values: Values): Values {
  if (values.kind !== 'fixed') throw new Error('texts are not float32')
  const words = new Uint32Array(new Uint8Array(values.bytes).buffer)
  const numbers = new Float32Array(words.buffer)
  numbers.forEach((number, at) => {
    if (Number.isNaN(number)) words[at] = 0x7fc00000
  })
  return { kind: 'fixed', bytes: new Uint8Array(words.buffer) }
}

/** Every coordinate of a grid in C order; one empty coordinate for a scalar. */
export function* coordinates(shape: readonly number[]): Generator<number[]> {
  const count = elementCount(shape)
  for (let position = 0; position < count; position++) {
    yield gridCoordinates(position, shape)
  }
}

/** A row of elements that a chunk and the array share: positions in C order of both, and how many elements. */
export interface Run {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** The rows of a chunk that lie inside the array. */
export function* runs(
  shape: readonly number[],
  chunkShape: readonly number[],
  chunk: readonly number[],
): Generator<Run> {
  const from = strides(chunkShape)
  const to = strides(shape)
  const origin = chunk.map((index, axis) => index * (chunkShape[axis] ?? 1))
  const inside = shape.map((length, axis) => Math.min(chunkShape[axis] ?? 1, length - (origin[axis] ?? 0)))
  const base = dot(origin, to)
  const count = inside.at(-1) ?? 1
  for (const coords of coordinates(inside.slice(0, -1)))
    yield { from: dot(coords, from), to: base + dot(coords, to), count }
}

function strides(shape: readonly number[]): number[] {
  const result: number[] = new Array<number>(shape.length).fill(1)
  for (let axis = shape.length - 2; axis >= 0; axis--) result[axis] = (result[axis + 1] ?? 1) * (shape[axis + 1] ?? 1)
  return result
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0)
}

/** Bytes of fixed text as text: padding NULs at the end are no part of it. */
export function textOf(bytes: Uint8Array, length: number, encoding: 'utf-8' | 'utf-32'): string[] {
  if (length === 0) return []
  const values: string[] = []
  for (let start = 0; start < bytes.length; start += length) {
    const item = bytes.subarray(start, start + length)
    values.push(encoding === 'utf-8' ? fromUtf8(item) : fromUtf32(item))
  }
  return values
}

/** What is not UTF-8 is Latin-1, the other encoding that such files are written in. */
function fromUtf8(item: Uint8Array): string {
  const text = withoutPadding(item)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)
  } catch {
    return Buffer.from(text).toString('latin1')
  }
}

/** Without the NULs at the end. */
export function withoutPadding(item: Uint8Array): Uint8Array {
  let end = item.length
  while (end > 0 && item[end - 1] === 0) end--
  return item.subarray(0, end)
}

function fromUtf32(item: Uint8Array): string {
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength)
  const points: number[] = []
  for (let offset = 0; offset < item.length; offset += 4) points.push(view.getUint32(offset, true))
  while (points.at(-1) === 0) points.pop()
  return String.fromCodePoint(...points)
}
