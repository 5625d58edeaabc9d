import { malformed } from '../errors.ts'
import { itemSize, type Scalar, zeroOf } from '../model/data-type.ts'
import { scalarToBytes } from '../model/scalar-bytes.ts'
import { elementCount } from '../model/shape.ts'
import type { ChunkLayout, Elements } from './codec.ts'
import { chunkMemory } from './kernels/chunk-memory.ts'

/** Elements that are still being written. */
export type Canvas =
  | { readonly kind: 'fixed'; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly values: string[] }
  | { readonly kind: 'blobs'; readonly values: Uint8Array[] }

/** A box of one array that lies somewhere else in another. */
export interface BoxCopy {
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly extent: readonly number[]
}

/** Bytes of a packed chunk; undefined for types of varying length. */
export function packedLength(layout: ChunkLayout): number | undefined {
  const size = itemSize(layout.dataType)
  return size === undefined ? undefined : elementCount(layout.shape) * size
}

/** However short a text or a byte string is, it is an object and a place in a list, more than once on its way. */
const TEXT_BYTES = 64

/** What a decoded chunk takes in memory, about. */
export function decodedBytes(layout: ChunkLayout): number {
  return packedLength(layout) ?? elementCount(layout.shape) * TEXT_BYTES
}

/** A chunk that holds one value everywhere. */
export function filledElements(layout: ChunkLayout, fill: Scalar = zeroOf(layout.dataType)): Canvas {
  const count = elementCount(layout.shape)
  switch (layout.dataType.kind) {
    case 'string':
      return { kind: 'text', values: new Array<string>(count).fill(fill.kind === 'string' ? fill.value : '') }
    case 'bytes': {
      const blob = fill.kind === 'bytes' ? fill.value : new Uint8Array(0)
      return { kind: 'blobs', values: new Array<Uint8Array>(count).fill(blob) }
    }
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
    case 'fixed-text':
    case 'opaque':
    case 'datetime':
    case 'timedelta':
    case 'structured':
      return { kind: 'fixed', bytes: repeated(scalarToBytes(fill, layout.dataType), count) }
  }
}

function repeated(pattern: Uint8Array, count: number): Uint8Array {
  const bytes = chunkMemory.zeros(pattern.length * count)
  if (bytes.length === 0 || pattern.every((byte) => byte === 0)) return bytes
  bytes.set(pattern)
  let filled = pattern.length
  while (filled < bytes.length) {
    const run = Math.min(filled, bytes.length - filled)
    bytes.copyWithin(filled, 0, run)
    filled += run
  }
  return bytes
}

/** Copies a box; both shapes are in C order, and the box lies inside both. */
export function copyBox(
  source: Elements,
  sourceShape: readonly number[],
  target: Canvas,
  targetShape: readonly number[],
  box: BoxCopy,
  size: number,
): void {
  if (box.extent.some((length) => length <= 0)) return
  const { run, outer } = longestRun(sourceShape, targetShape, box.extent)
  const index = new Array<number>(outer).fill(0)
  for (;;) {
    copyRun(source, position(sourceShape, box.from, index), target, position(targetShape, box.to, index), run, size)
    let axis = outer - 1
    while (axis >= 0) {
      const next = (index[axis] ?? 0) + 1
      index[axis] = next
      if (next < (box.extent[axis] ?? 0)) break
      index[axis] = 0
      axis--
    }
    if (axis < 0) return
  }
}

/** How many elements lie in one piece in both, and how many axes remain to be walked. */
function longestRun(source: readonly number[], target: readonly number[], extent: readonly number[]) {
  let run = 1
  let outer = extent.length
  while (outer > 0) {
    const axis = outer - 1
    const length = extent[axis] ?? 1
    run *= length
    outer = axis
    if (length !== source[axis] || length !== target[axis]) break
  }
  return { run, outer }
}

function position(shape: readonly number[], origin: readonly number[], index: readonly number[]): number {
  let at = 0
  for (let axis = 0; axis < shape.length; axis++) {
    at = at * (shape[axis] ?? 1) + (origin[axis] ?? 0) + (index[axis] ?? 0)
  }
  return at
}

function copyRun(source: Elements, from: number, target: Canvas, to: number, run: number, size: number): void {
  if (source.kind === 'fixed' && target.kind === 'fixed') {
    target.bytes.set(source.bytes.subarray(from * size, (from + run) * size), to * size)
  } else if (source.kind === 'text' && target.kind === 'text') {
    for (let i = 0; i < run; i++) target.values[to + i] = source.values[from + i] ?? ''
  } else if (source.kind === 'blobs' && target.kind === 'blobs') {
    for (let i = 0; i < run; i++) target.values[to + i] = source.values[from + i] ?? new Uint8Array(0)
  } else {
    throw malformed(`a chunk decodes to ${source.kind} values where ${target.kind} values are expected`)
  }
}

/** The bytes of fixed-size elements; anything else contradicts the data type. */
export function fixedBytes(elements: Elements, codec: string): Uint8Array {
  if (elements.kind !== 'fixed') throw malformed(`codec ${codec} works on fixed-size elements, not on ${elements.kind}`)
  return elements.bytes
}
