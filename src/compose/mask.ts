import type { ChunkLayout, Elements } from '../codecs/codec.ts'
import { type Canvas, filledElements, fixedBytes } from '../codecs/elements.ts'
import { castNumbers } from '../codecs/numbers.ts'
import { type DataType, itemSize, type Scalar } from '../model/data-type.ts'

/** What a mask leaves of values: those where its bytes are not zero, as another type holds them, and the fill value elsewhere. */
export function maskedElements(
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
