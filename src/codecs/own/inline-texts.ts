import type { DataType } from '../../model/data-type.ts'
import { inlineIndex } from '../../model/plain-indexes.ts'
import { NO_SENTINELS, type VirtualArray } from '../../model/virtual-store.ts'
import { joinTexts } from '../zarr/vlen.ts'

/** An array of text that is held in memory. */
export function inlineTexts(texts: readonly string[], shape: readonly number[]): VirtualArray {
  const dataType: DataType = { kind: 'string' }
  const chunkShape = shape.map((length) => Math.max(length, 1))
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType,
    fillValue: { kind: 'string', value: '' },
    fillOrigin: 'empty text: all values are known',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    encodings: [[{ name: 'vlen-utf8', configuration: {} }]],
    edges: 'padded',
    chunks: inlineIndex(shape, chunkShape, joinTexts(texts)),
  }
}
