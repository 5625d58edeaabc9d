import { fixedBytes } from '../codecs/elements.ts'
import { itemSize } from '../model/data-type.ts'
import type { ReverseOperation } from '../model/virtual-store.ts'
import type { Composed, OperationRules } from './operation-rules.ts'
import { canvasOf, type RegionChunk } from './planning.ts'
import type { RegionLayer } from './program.ts'
import { type Region, regionWithin } from './region.ts'

export const reverseRules: OperationRules<ReverseOperation> = {
  async layers(array, region, layersOf, planning) {
    const inside = regionWithin(
      region,
      array.shape.map(() => 0),
      array.shape,
    )
    if (inside === undefined) return []
    const { dataType, fillValue, operation } = array
    const below = await canvasOf(operation.of, mirrored(array, inside), layersOf, planning)
    if (below.layers.length === 0) return []
    const layout = { shape: inside.shape, dataType }
    const parameters = operation.axes
    const of = { kind: 'computed', layout, fillValue, operation: 'reverse', inputs: [below], parameters } as const
    const to = inside.origin.map((at, axis) => at - (region.origin[axis] ?? 0))
    return [{ kind: 'region', of, to, invalid: [], mask: undefined } satisfies RegionLayer<RegionChunk>]
  },
  compute([elements], { layout: { shape, dataType }, parameters }) {
    if (elements === undefined) throw new TypeError('there is nothing to reverse')
    const bytes = fixedBytes(elements, 'reverse')
    return {
      kind: 'fixed',
      bytes: reversedBytes(bytes, shape, itemSize(dataType) ?? 1, parameters as readonly number[]),
    }
  },
  async below(array, region) {
    const inside = regionWithin(
      region,
      array.shape.map(() => 0),
      array.shape,
    )
    return inside === undefined ? [] : [{ array: array.operation.of, region: mirrored(array, inside) }]
  },
}

/** The region that a region shows in reverse. */
function mirrored({ shape, operation: { axes } }: Composed<ReverseOperation>, region: Region): Region {
  const origin = region.origin.map((at, axis) =>
    axes.includes(axis) ? (shape[axis] ?? 0) - at - (region.shape[axis] ?? 0) : at,
  )
  return { origin, shape: region.shape }
}

/** Elements in C order with some axes the other way round. */
function reversedBytes(bytes: Uint8Array, shape: readonly number[], size: number, axes: readonly number[]): Uint8Array {
  let source = bytes
  for (const axis of axes) source = reversedAlong(source, shape, size, axis)
  return source
}

function reversedAlong(bytes: Uint8Array, shape: readonly number[], size: number, axis: number): Uint8Array {
  const length = shape[axis] ?? 1
  const inner = shape.slice(axis + 1).reduce((product, count) => product * count, size)
  const reversed = new Uint8Array(bytes.length)
  for (let block = 0; block < bytes.length; block += length * inner) {
    for (let at = 0; at < length; at++) {
      const from = block + at * inner
      reversed.set(bytes.subarray(from, from + inner), block + (length - 1 - at) * inner)
    }
  }
  return reversed
}
