import type { ChunkLayout, Elements } from '../codecs/codec.ts'
import { type Canvas, decodedBytes, filledElements, fixedBytes } from '../codecs/elements.ts'
import { castNumbers } from '../codecs/numbers.ts'
import { type DataType, itemSize, type Scalar, zeroOf } from '../model/data-type.ts'
import type { MaskOperation } from '../model/virtual-store.ts'
import type { OperationRules } from './operation-rules.ts'
import { canvasOf } from './planning.ts'
import { lastAxes } from './region.ts'

export const maskRules: OperationRules<MaskOperation> = {
  async program({ dataType, fillValue, operation: { values, mask } }, region, layersOf, planning) {
    const layout = { shape: region.shape, dataType }
    const own = await canvasOf(values, region, layersOf, planning)
    const over = await canvasOf(mask, lastAxes(region, mask.shape.length), layersOf, planning)
    // What nobody wrote of a mask says that nothing is valid.
    if (over.layers.length === 0) return { kind: 'canvas', layout, fillValue, layers: [] }
    const inputs = [own, { ...over, fillValue: zeroOf(mask.dataType) }]
    return { kind: 'computed', layout, fillValue, operation: 'mask', inputs, parameters: undefined }
  },
  compute([values, mask], { layout, fillValue, inputs: [own] }) {
    if (values === undefined || mask === undefined || own === undefined) throw new TypeError('a mask needs values')
    return maskedElements(values, own.layout, mask, { ...layout, fillValue })
  },
  below: async ({ operation: { values, mask } }, region) => [
    { array: values, region },
    { array: mask, region: lastAxes(region, mask.shape.length) },
  ],
  /** It may have larger chunks. */
  peakBytes: ({ operation: { mask } }) => decodedBytes({ shape: mask.chunkShape, dataType: mask.dataType }),
}

/** What a mask leaves of values: those where its bytes are not zero, as another type holds them, and the fill value elsewhere. */
function maskedElements(
  values: Elements,
  { dataType: own }: ChunkLayout,
  mask: Elements,
  { fillValue, ...result }: ChunkLayout & { readonly fillValue: Scalar },
): Canvas {
  const canvas = filledElements(result, fillValue)
  const numbers = inType(fixedBytes(values, 'mask'), own, result.dataType)
  copyValid(numbers, fixedBytes(mask, 'mask'), fixedBytes(canvas, 'mask'), itemSize(result.dataType) ?? 1)
  return canvas
}

/** Complex numbers and floats keep their type. */
function inType(bytes: Uint8Array, from: DataType, to: DataType): Uint8Array {
  return from.kind === to.kind ? bytes : castNumbers(bytes, from, to)
}

/** Copies the elements where a mask is not zero, which lies over each of the planes. */
function copyValid(source: Uint8Array, mask: Uint8Array, target: Uint8Array, size: number): void {
  const plane = mask.length * size
  for (let at = 0; at < mask.length; ) {
    const isValid = mask[at] !== 0
    let end = at + 1
    while (end < mask.length && (mask[end] !== 0) === isValid) end++
    for (let first = 0; isValid && first < target.length; first += plane) {
      target.set(source.subarray(first + at * size, first + end * size), first + at * size)
    }
    at = end
  }
}
