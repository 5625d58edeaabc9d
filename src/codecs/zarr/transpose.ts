import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { itemSize } from '../../model/data-type.ts'
import type { ArrayCodec, ChunkLayout, Elements } from '../codec.ts'
import { integersMember } from '../configuration.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'

/** Zarr's `transpose`: axis `i` of the stored array is axis `order[i]` of the decoded one. */
export const transpose: ArrayCodec = {
  kind: 'array',
  name: 'transpose',
  // Portable only as its own inverse: GDAL 3.12 applies the inverse order, silently (CHUNK-6).
  reach: (configuration) => (isOwnInverse(configuration) ? 'portable' : 'native'),
  writes: true,
  prepare: (configuration, layout) => {
    const order = transposeOrder(configuration, layout.shape.length)
    const encodedLayout = { shape: order.map((axis) => layout.shape[axis] ?? 1), dataType: layout.dataType }
    const inverse = inverseOf(order)
    return {
      encodedLayout,
      decode: (elements) => permuted(elements, encodedLayout, inverse),
      encode: (elements) => permuted(elements, layout, order),
    }
  },
}

/** The order as a list of axes; the deprecated `C` and `F` are spelled out. */
export function transposeOrder(configuration: JsonObject, rank: number): number[] {
  const axes = Array.from({ length: rank }, (_, axis) => axis)
  if (configuration['order'] === 'C') return axes
  if (configuration['order'] === 'F') return axes.reverse()
  const order = integersMember(configuration, 'order')
  if (order.length !== rank || axes.some((axis) => !order.includes(axis))) {
    throw malformed(`transpose order [${order}] is no permutation of ${rank} axes`)
  }
  return order
}

function isOwnInverse(configuration: JsonObject): boolean {
  if (typeof configuration['order'] === 'string') return true
  const order = integersMember(configuration, 'order')
  return order.every((axis, place) => order[axis] === place)
}

function inverseOf(order: readonly number[]): number[] {
  const inverse = new Array<number>(order.length).fill(0)
  order.forEach((axis, place) => {
    inverse[axis] = place
  })
  return inverse
}

/** Elements in C order of the permuted shape: axis `i` of the result is axis `order[i]` of the input. */
function permuted(elements: Elements, layout: ChunkLayout, order: readonly number[]): Elements {
  if (order.every((axis, place) => axis === place)) return elements
  const sources = sourcePositions(layout.shape, order)
  if (elements.kind === 'text') return { kind: 'text', values: pick(elements.values, sources) }
  if (elements.kind === 'blobs') return { kind: 'blobs', values: pick(elements.values, sources) }
  return { kind: 'fixed', bytes: pickFixed(elements.bytes, sources, itemSize(layout.dataType) ?? 1) }
}

function pick<Value>(values: readonly Value[], positions: Iterable<number>): Value[] {
  return Array.from(positions, (at) => values[at]).filter((value) => value !== undefined)
}

/** Copies by words of 1, 2 or 4 bytes: never as floats, which may change the payload of a NaN. */
function pickFixed(bytes: Uint8Array, positions: Uint32Array, size: number): Uint8Array {
  const unit = size % 4 === 0 ? 4 : size % 2 === 0 ? 2 : 1
  const source = bytes.byteOffset % unit === 0 ? bytes : new Uint8Array(bytes)
  const target = chunkMemory.take(positions.length * size)
  pickWords(wordsOf(source, unit), wordsOf(target, unit), positions, size / unit)
  return target
}

type Words = Uint8Array | Uint16Array | Uint32Array

function wordsOf(bytes: Uint8Array, unit: 1 | 2 | 4): Words {
  if (unit === 4) return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  if (unit === 2) return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  return bytes
}

function pickWords(source: Words, target: Words, positions: Uint32Array, each: number): void {
  if (each === 1) {
    for (let i = 0; i < positions.length; i++) target[i] = source[positions[i] ?? 0] ?? 0
    return
  }
  for (let i = 0; i < positions.length; i++) {
    const at = (positions[i] ?? 0) * each
    for (let word = 0; word < each; word++) target[i * each + word] = source[at + word] ?? 0
  }
}

/** Where each element of the result lies in the input. */
function sourcePositions(shape: readonly number[], order: readonly number[]): Uint32Array {
  const strides = new Array<number>(shape.length).fill(1)
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    strides[axis] = (strides[axis + 1] ?? 1) * (shape[axis + 1] ?? 1)
  }
  const count = (strides[0] ?? 1) * (shape[0] ?? 1)
  const positions = new Uint32Array(count)
  let filled = Math.min(count, 1)
  for (let place = order.length - 1; place >= 0; place--) {
    const length = shape[order[place] ?? 0] ?? 1
    const stride = strides[order[place] ?? 0] ?? 1
    for (let step = 1; step < length; step++) {
      for (let i = 0; i < filled; i++) positions[step * filled + i] = (positions[i] ?? 0) + step * stride
    }
    filled *= length
  }
  return positions
}
